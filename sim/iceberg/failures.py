"""What a race records of statements that were refused, whose outcome was left open, or whose client has died.

Choices: where snapshots are managed a version is a place of main (`heads`), and so is what an open statement may have
committed, if it is there when that is recorded; it is named as the maker of what comes later.
"""

from __future__ import annotations

from model.iceberg import CommandResult
from model.iceberg.errors import IcebergError
from sim.iceberg.creating import TABLE, OfTables
from sim.iceberg.effects import row_reads, row_writes
from sim.iceberg.heads import Heads
from sim.iceberg.managing import Managing, ReplaceTable
from sim.iceberg.renaming import asked
from sim.world.simulation import Simulation

WHOLE = OfTables | ReplaceTable
"""Statements of the table as a whole: what they do to main is known if they have done it."""


def record_failure(
    simulation: Simulation, op: int, error: IcebergError, heads: Heads | None, statement: object
) -> None:
    """Record what a statement was told. Args: `heads`: the places of main that its result is to be put in."""
    result, commit = error.result or CommandResult(None), None
    if heads is not None:
        commit = result.snapshot if isinstance(statement, Managing) else _landed(heads, result.snapshot)
        result = heads.places(result, None)
    text = f"{type(error).__name__}: {error}"
    reads, writes = row_reads(result.reads), row_writes(result.writes)
    if result.snapshot is not None and (error.definite or heads is not None):  # None: main is nowhere
        simulation.prepared.makers[result.snapshot] = op
    simulation.prepared.makers.update(dict.fromkeys(result.also, op))
    if error.definite:
        simulation.record.fail(op, text, start=result.start, reads=reads, writes=writes)
        return
    if heads is None:
        commit = result.commit or result.snapshot
    simulation.record.info(op, text, start=result.start, commit=commit, reads=reads, writes=writes)


def _landed(heads: Heads, snapshot: int | None) -> int | None:
    """Where main is, or was, by the commit of this snapshot; None: nowhere."""
    return None if snapshot is None else heads.place(snapshot)


def record_the_dead(simulation: Simulation, *, managed: bool) -> None:
    """Record what processes that died were about to commit, or have committed: nobody was told.

    Args: `managed`: versions are places of main.
    """
    heads = Heads(simulation, TABLE)
    for actor, (op, tables, statement) in simulation.prepared.asked.items():
        command = next((table.command for table in tables if table.command is not None), None)
        if command is not None:
            simulation.prepared.makers.update(dict.fromkeys(command.also, op))
            command = asked(simulation, statement, command)
            commit = command.snapshot
            if isinstance(statement, WHOLE):
                command = heads.done(statement, command._replace(commit=commit), (), None)
                commit = command.commit
            elif managed and not isinstance(statement, Managing):
                command, commit = heads.places(command, None), _landed(heads, commit)
            simulation.record.info(
                op, f"{actor}: its process died", start=command.start, commit=commit,
                reads=row_reads(command.reads), writes=row_writes(command.writes),
            )  # fmt: skip
