"""Partitions in a race of the Java API that was drawn without: of the table, and of some of its statements.

Choices: drawn last, and rarely, so that other races are what they were. A replacement of partitions writes every row
that these had before the race, as an overwrite does: what it did to them is what it says. A statement that replaces a
file of several rows knows which rows share it: beside one the table has no partitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.plans import Level
from sim.generation.draws import Draws
from sim.iceberg.draw.writers import Writers
from sim.iceberg.statements import steps_of
from sim.iceberg.workload import ChangeRow, Overwrite, Replace, ReplacePartitions, Rows, Statement

RARELY, OFTEN = (False, False, False, True), (False, True, True)
WIDTHS = (2, 1, 4)
"""How many ids a partition may have."""
KIND = "replace partitions"


def with_partitions(draws: Draws, writers: Writers, content: Rows, history: Sequence[Statement]) -> tuple[int, Writers]:
    """Draw how many ids a partition has (0: the table has none), and the statements of each writer with it.

    Args: `content`: the rows before the race.
    """
    done = [one for todo in (*writers.values(), history) for one in todo]
    if not draws.one_of("partitions", RARELY) or any(knows_files(one) for one in done):
        return 0, writers
    width = draws.one_of("ids a partition", WIDTHS)
    parted = {name: [_instead(draws, one, content, width) for one in todo] for name, todo in writers.items()}
    return (0, writers) if any(_takes_away(one) for one in done) else (width, parted)


def knows_files(one: Statement) -> bool:
    """Whether it replaces a file of several rows, which it names."""
    return any(isinstance(step, Replace) and len(step.rows) > 1 for step in steps_of(one))


def _takes_away(one: Statement) -> bool:
    """Whether it replaces the file of a row by another row's: it knows that they share it."""
    return any(isinstance(step, Replace) and any(key != step.id for key, _ in step.rows) for step in steps_of(one))


def _instead(draws: Draws, one: Statement, content: Rows, width: int) -> Statement:
    """The statement, or a replacement of partitions in its place."""
    if not isinstance(one, Overwrite | ChangeRow) or not draws.one_of("by partition", OFTEN):
        return one
    level: Level = draws.one_of("partitions validated", ("serializable", "none", "snapshot"))
    if isinstance(one, Overwrite):
        return ReplacePartitions(one.rows, level)
    rows = [(key, f"{one.value}-{key}") for key, _ in content if key // width == one.id // width]
    return ReplacePartitions(tuple(rows), level) if rows else one
