"""The catalogs that a race of PyIceberg can have its table in: one of ours, and those that it ships.

Each is imported when a race first needs it: what they need in turn is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sim.kernel.escape import imported
from sim.world.fault_spaces import LOCKS, METASTORE, REGISTER, STOPS, STOPS_AT_CHANGES, Port

if TYPE_CHECKING:
    from sim.world.simulation import Simulation
    from sim.world.substitutes import Substitution

OURS, SQL, REST, HIVE = "register", "sql", "rest", "hive"
MODULES: Mapping[str, str] = {
    OURS: "sim.iceberg.python.ports",
    SQL: "sim.iceberg.python.sql",
    REST: "sim.iceberg.python.rest",
    HIVE: "sim.iceberg.python.metastore",
}
WORDS: Mapping[str, str] = {
    OURS: "one register",
    SQL: "its SqlCatalog on SQLite",
    REST: "its RestCatalog",
    HIVE: "its HiveCatalog, leases of locks of 300 s",
}
STEPS: Mapping[str, tuple[str, ...]] = {
    OURS: ("load", "commit"),
    SQL: ("select", "update", "commit"),
    REST: ("load", "commit"),
    HIVE: ("lock", "check_lock", "get_table", "alter_table", "unlock"),
}
OF_TABLES: Mapping[str, tuple[str, ...]] = {HIVE: ("create_table", "drop_table", "rename_table")}
"""Further steps, where whole tables are made, dropped or renamed."""


def _at_once(kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple([kind for kind in kinds if not kind.endswith("-retry") and kind != "stale"])


DEATHS = ("crash", "crash-after")
LOST_OR_DEAD = ("drop-before", "drop-after", *STOPS_AT_CHANGES)
PORTS: Mapping[str, Port] = {
    OURS: REGISTER,
    SQL: Port("SQL statements", {"select": ("drop-before", *STOPS), "update": LOST_OR_DEAD, "commit": LOST_OR_DEAD}),
    REST: Port("REST catalog", {name: _at_once(kinds) for name, kinds in REGISTER.kinds.items()}),
    HIVE: Port(
        "metastore and its locks",
        {name: _at_once(kinds) for name, kinds in {**METASTORE.kinds, **LOCKS.kinds}.items() if name in STEPS[HIVE]},
    ),
}
"""What may fail where. A statement of a database is not sent again, and does not arrive late. Nobody looks at a time to
wait, and the services are consistent."""

STORAGE = Port(
    "files of the table",
    {"get": ("drop-before", "crash"), **dict.fromkeys(("put", "delete"), ("drop-before", "drop-after", *DEATHS))},
)
"""`FileIO` makes one error of all that its storage may answer."""


class Catalogs(Protocol):
    """A kind of catalog.

    `errors` are what it raises besides PyIceberg's own exceptions: the outcome is open then. `manifest` is what is to
    be substituted in the libraries that it stands on.
    """

    @property
    def errors(self) -> tuple[type[Exception], ...]: ...
    @property
    def manifest(self) -> Iterable[Substitution]: ...
    def client(self, simulation: Simulation, process: str) -> Any:
        """The catalog of a process. Its `sent` has the commits that it was asked for."""
        ...

    def create(self, simulation: Simulation, process: str, *what: Any, **properties: Any) -> Any:
        """Set-up only: make a table."""
        ...

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began, and its drops, in order."""
        ...

    def name(self, simulation: Simulation) -> str:
        """What the race's table is called by now."""
        ...

    def forget(self, simulation: Simulation) -> None:
        """Set-up only: the race begins with the table as it is."""
        ...


def catalogs(kind: str) -> Catalogs:
    """The catalogs of a kind."""
    found: Catalogs = imported(MODULES[kind]).CATALOGS
    return found
