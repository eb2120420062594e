"""Mutants of commits of several tables, of their client and of a server. Source: `model.iceberg.several_tables`."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from model.iceberg import several_servers, several_tables
from model.iceberg.errors import CommitFailed, IcebergError
from model.iceberg.metadata import add_snapshot
from model.iceberg.rest_client import RestClient
from model.iceberg.rules import IDEMPOTENT, Rules
from model.iceberg.several_tables import Part, Server, TableCommit
from model.iceberg.transaction import Transaction
from model.ports import World
from sim.iceberg import several_race
from tests.mutants.damage import nothing, replaced
from tests.mutants.mutant import Mutant


def committed_at_once(world: World, commit: TableCommit) -> Transaction:
    """Each table is committed when it has been checked, and not when all have."""
    transaction = _checked(world, commit)
    transaction.commit()
    return transaction


def applied_again(world: World, transaction: Transaction) -> None:
    """What was asked of a table that has moved is done on top of it."""
    wanted = transaction.current.snapshots[-1]
    if transaction.commit().snapshot(wanted.snapshot_id) is None:
        ops = transaction._table.ops
        found = ops.refresh()
        number = found.last_sequence_number + 1
        ops.commit(add_snapshot(found, wanted._replace(sequence_number=number, parent_id=found.current_snapshot_id)))


def one_after_another(world: World, parts: Sequence[Part], rules: Rules, server: Server) -> None:
    """A request for each table."""
    for part in parts:
        _together(world, [part], rules, server)


def cleaning(world: World, parts: Sequence[Part], rules: Rules, server: Server) -> None:
    """The manifest lists of what was refused are deleted."""
    try:
        _together(world, parts, rules, server)
    except CommitFailed:
        for part in parts:
            made = part.table.command.snapshot if part.table.command is not None else None
            with suppress(IcebergError):
                part.table.files.delete(f"{part.name}/metadata/snap-{made}-1")
        raise


def nothing_required(*_: Any) -> tuple[()]:
    """No requirement."""
    return ()


_checked: Callable[[World, TableCommit], Transaction] = several_servers._checked
_together: Callable[..., None] = several_tables.commit_together

SEVERAL: tuple[Mutant, ...] = (
    replaced("several-requires-nothing", several_tables, "requirements_of", nothing_required, "who comes second wins"),
    replaced("several-committed-when-checked", several_servers, "_checked", committed_at_once, "half of it stays"),
    replaced("several-applied-again", several_servers, "_commit", applied_again, "kinder than upstream's"),
    replaced("several-sent-one-by-one", several_race, "commit_together", one_after_another, "half of it is seen"),
    replaced("several-cleans-after-refusal", several_race, "commit_together", cleaning, "committed files are gone"),
    Mutant("several-without-key", "a second sending refuses the first", ((RestClient, "_key", nothing),), IDEMPOTENT),
)
BY_NAME = {mutant.name: mutant for mutant in SEVERAL}
