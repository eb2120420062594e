"""Mutants of the JDBC catalog. Source: `model.iceberg.jdbc`."""

from collections.abc import Callable

from model.iceberg.errors import DatabaseFailed
from model.iceberg.jdbc import JdbcOperations
from model.iceberg.metadata import TableMetadata
from model.ports import PortError
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def commits_on_whatever_is_there(
    self: JdbcOperations, updated: TableMetadata, replaces: TableMetadata | None = None
) -> None:
    """An UPDATE of the row that was just selected, whatever its location is."""
    found = self._selected()
    if found is not None:
        self._seen, self._outdated = found, False
    _commit(self, updated, replaces)


def runs_once_and_refuses(self: JdbcOperations, statement: object) -> object:
    """A connection that breaks is a refusal."""
    assert callable(statement)
    try:
        return statement()
    except PortError as error:
        if type(error).__name__ in ("NotFound", "AlreadyExists", "CasLost"):
            raise
        raise self._exists() from error


_commit: Callable[..., None] = JdbcOperations.commit

JDBC: tuple[Mutant, ...] = (
    replaced("jdbc-location-not-compared", JdbcOperations, "commit", commits_on_whatever_is_there, "lost updates"),
    replaced(
        "jdbc-broken-is-refused", JdbcOperations, "_run", runs_once_and_refuses, "what was done is told as not done"
    ),
    replaced("jdbc-cleans-after-broken", DatabaseFailed, "cleanable", True, "a table is left without its manifests"),
)  # fmt: skip
