"""The catalogs that a race of PyIceberg can have its table in: one of ours, and those that it ships.

Each is imported when a race first needs it: what they need in turn is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sim.kernel.escape import imported
from sim.world.fault_spaces import REGISTER, STOPS, STOPS_AT_CHANGES, Port

if TYPE_CHECKING:
    from sim.world.simulation import Simulation
    from sim.world.substitutes import Substitution

OURS, SQL = "register", "sql"
MODULES: Mapping[str, str] = {
    OURS: "sim.iceberg.pyiceberg_ports",
    SQL: "sim.iceberg.pyiceberg_sql",
}
WORDS: Mapping[str, str] = {
    OURS: "one register",
    SQL: "its SqlCatalog on SQLite",
}
STEPS: Mapping[str, tuple[str, ...]] = {
    OURS: ("load", "commit"),
    SQL: ("select", "update", "commit"),
}
LOST_OR_DEAD = ("drop-before", "drop-after", *STOPS_AT_CHANGES)
PORTS: Mapping[str, Port] = {
    OURS: REGISTER,
    SQL: Port("SQL statements", {"select": ("drop-before", *STOPS), "update": LOST_OR_DEAD, "commit": LOST_OR_DEAD}),
}
"""What may fail where: a statement of a database is not sent again, and does not arrive late."""


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
        """The metadata files that the table has had since the race began, in order."""
        ...

    def forget(self, simulation: Simulation) -> None:
        """Set-up only: the race begins with the table as it is."""
        ...


def catalogs(kind: str) -> Catalogs:
    """The catalogs of a kind."""
    found: Catalogs = imported(MODULES[kind]).CATALOGS
    return found
