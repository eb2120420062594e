"""What Spark SQL is run on: a catalog whose steps are held, and how each actor's session reaches it."""

from collections.abc import Callable
from typing import Any, Protocol

from real_backend.gating.gate import Gate
from real_backend.jvm.session import Session

CATALOGS = ("rest", "jdbc")
Moved = Callable[[str, Any], None]


class Gated(Protocol):
    """A catalog of all sessions, behind a gate."""

    made: dict[int, str]
    """Who has committed which snapshot."""

    def can_fault(self, operation: str, fault: str) -> bool:
        """Whether its gate can commit the fault."""
        ...

    def named(self, actor: str) -> str:
        """What an actor's catalog is called in Spark."""
        ...

    def settings(self, actor: str) -> dict[str, str]:
        """Those of an actor's catalog in Spark."""
        ...

    def install(self, gate: Gate, table: str | None = None, moved: Moved | None = None) -> object:
        """Put a run's gate before it. Args: `table` is the run's; `moved` is told whose commit it was, and where main
        is then."""
        ...

    def table_metadata(self, namespace: str, table: str) -> dict[str, Any]:
        """The table's metadata, looked up beside, in its JSON form."""
        ...

    def committed_files(self, namespace: str, table: str) -> tuple[str, ...]:
        """The files on disk that the table's snapshots name."""
        ...

    def drop(self, namespace: str, table: str) -> None:
        """Forget a table (its files stay)."""
        ...


def catalog_of(session: Session, served: Gated, actor: str, *, caches: bool = False) -> str:
    """The name of an actor's catalog, which is added to the session if it is new; `caches`: as Iceberg's does unless
    it is told not to."""
    name = f"caching_{served.named(actor)}" if caches else served.named(actor)
    uncached = {"cache-enabled": str(caches).lower()}  # without, every statement plans on what it loads itself
    session.add_catalog(name, {**served.settings(actor), **uncached})
    return name
