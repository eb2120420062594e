"""Mutants of renames. Source: `model.iceberg.register`, `model.iceberg.jdbc`, `model.iceberg.errors` (`may_clean`)."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from model.iceberg import producer, purge
from model.iceberg.errors import CommitStateUnknown, IcebergError
from model.iceberg.existence import Drop
from model.iceberg.jdbc import JdbcOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.new_table import dropped
from model.iceberg.register import RegisterOperations
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.rules import GONE_KEEPS_FILES
from model.iceberg.table import IcebergTable
from model.ports import PortError
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

BY = 999
"""How a drop is called that belongs to a rename."""


class _PutBack(NamedTuple):
    """A request that compares nothing."""

    metadata: TableMetadata

    def applied_to(self, _: object) -> TableMetadata:
        """What was read."""
        return self.metadata


def puts_back_what_was_read(self: JdbcOperations, name: str, to: str) -> None:
    """The location that was read is set with the new name."""
    found = self._selected(name)
    _on_jdbc(self, name, to)
    if found is not None:
        self._run(partial(self._world.register.update, to, _PutBack(found.value)))


def takes_the_place(self: RegisterOperations | RestOperations, name: str, to: str) -> None:
    """Whatever has the new name is no more."""
    register = self._world.register
    try:
        register.update(to, _PutBack(register.load(name).value))
        register.update(name, Drop(BY))
    except PortError as error:
        raise CommitStateUnknown(f"rename {name}: {error}") from error


def drops_anyway(table: IcebergTable, drop: Callable[[int], bool]) -> tuple[CommandResult, bool]:
    """Whether there was a table is not looked at."""
    return dropped(table, drop)[0], True


def deletes_itself(table: IcebergTable, operations: RestOperations) -> CommandResult:
    """The client loads the table, has it dropped, and deletes the files."""
    known = operations.find()
    result, there = dropped(table, operations.drop)
    if there and known is not None:
        purge.delete_quietly(table.files, lambda: purge.data_and_manifests(table.files, known))
    return result


def cleans_all_the_same(error: IcebergError, *, gone_keeps_files: bool) -> bool:
    """Where the table is gone, too."""
    return error.cleanable


_on_jdbc = JdbcOperations.rename

RENAMING: tuple[Mutant, ...] = (
    replaced("jdbc-rename-puts-back", JdbcOperations, "rename", puts_back_what_was_read, "a commit beside it is lost"),
    replaced("rename-over-table", RegisterOperations, "rename", takes_the_place, "a new table is lost"),
    replaced("rest-rename-over-table", RestOperations, "rename", takes_the_place, "a new table is lost"),
    replaced(
        "drop-with-files-without-drop", purge, "dropped", drops_anyway, "a table that was renamed loses its files",
    ),
    replaced(
        "client-deletes-what-is-purged", purge, "_asked_of_server", deletes_itself,
        "the files go of a table that was renamed meanwhile",
    ),
    Mutant(
        "gone-keeps-nothing", "the repair repairs nothing", ((producer, "may_clean", cleans_all_the_same),),
        GONE_KEEPS_FILES,
    ),
)  # fmt: skip
