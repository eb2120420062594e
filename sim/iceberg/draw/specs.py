"""Changes of the partition spec in a race of the Java API that was drawn without: before it, in it, or taken back.

Choices: drawn last, and rarely, so that other races are what they were. A statement that replaces a file of several
rows knows which rows share it: beside one the spec stays. Where a spec is taken back and removed, nothing fails, rows
are appended, and nothing else is done: no other writer looks whether the table has the spec of what it reads.
Rows are brought together in buckets before a race only if nobody replaces the file of a row, which would take others.
In a race no spec changes beside a transaction that may replace what it has added: by whether its client names such a
file as it wrote it, or as it found it in a manifest, Java refuses it for good beside a new spec, or does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.calls import asked
from sim.iceberg.draw.partitions import knows_files
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.equality import ByEquality
from sim.iceberg.facts import UNVALIDATED
from sim.iceberg.managing import Expire
from sim.iceberg.options import OF_SPECS
from sim.iceberg.statements import steps_of
from sim.iceberg.workload import (
    FORMAT,
    AlterPartitionField,
    Append,
    ChangeRow,
    Compact,
    Copy,
    Operation,
    Overwrite,
    RemoveFile,
    Replace,
    ReplacePartitions,
    SetProperty,
    Statement,
    Transaction,
    UpdateSpec,
)

OfAll = Overwrite | ReplacePartitions
"""What writes the rows that the table has before the race, as they were drawn."""
Replacing = ChangeRow | Compact | Copy | Overwrite | RemoveFile | Replace
KINDS = ("update spec", "expiry of specs")
RARELY, OFTEN = (False, False, False, True), (False, True, True)
BEFORE, BESIDE, INSIDE, BACK = "before", "beside", "in a transaction", "and back"
WIDTHS = (4, 0, 2, 8)
"""How many ids a partition may have by the next spec; 0: it has none."""


def with_specs(draws: Draws, table: Table, writers: Writers, width: int, *, may_fail: bool) -> Writers:
    """Draw who changes the spec, and when; mostly nobody. What is drawn for before is put into the history.

    Args: `width`: how many ids a partition of the table has at first; 0: it has none; `may_fail`: something may.
    """
    done = steps_of(*[one for todo in (*writers.values(), table.history) for one in todo])
    changes_format = any(isinstance(one, SetProperty) and one.name == FORMAT for one in done)
    changes = draws.one_of("specs", RARELY, asked(draws, OF_SPECS))
    if not changes or changes_format or any(knows_files(one) for one in done):
        return writers
    next_one = UpdateSpec(draws.one_of("ids a partition then", tuple([one for one in WIDTHS if one != width])))
    when = draws.one_of("spec changed", (BEFORE, BESIDE, INSIDE) if may_fail else (BEFORE, BESIDE, INSIDE, BACK))
    if when == BACK:
        table.history.append(next_one)
        added = Append(table.new_row(), merge=draws.flag("by merge append"))
        return {"w1": [added], "w2": [UpdateSpec(width), Expire(1, cleans_metadata=True)]}
    by_it = draws.one_of("written by it", OFTEN) and not _of_all(done) if when == BEFORE else when == INSIDE
    by_then = [Append(table.new_row())] if by_it else []
    in_buckets = next_one.width and draws.one_of("transform then", ("truncate", "truncate", "bucket")) == "bucket"
    more: tuple[Operation, ...] = (replace(next_one, transform="bucket") if in_buckets else next_one, *by_then)
    if when != BEFORE and any(_may_name_its_own(one) for todo in writers.values() for one in todo):
        return writers
    if when == BEFORE:
        shared = in_buckets and draws.flag("rows in buckets") and not any(isinstance(one, Replace) for one in done)
        table.history += [*more, Compact()] if shared else more
        return writers
    return {**writers, f"w{len(writers) + 1}": [Transaction(more) if when == INSIDE else more[0]]}


def _may_name_its_own(one: Statement) -> bool:
    """Whether it replaces files, by name, after it may have added some."""
    return isinstance(one, Transaction) and any(isinstance(step, Replacing) for step in one.steps[1:])


def _of_all(done: Sequence[Statement]) -> bool:
    """Whether somebody writes all rows that the table has before the race."""
    return any(isinstance(one, OfAll) for one in done)


def beside_older_specs(facts: Settings, writers: Writers, history: Sequence[Statement]) -> Settings:
    """The facts, with no validation if somebody replaces partitions, or deletes by equality, by a spec with partitions
    that is not the first, or by one that may come beside: what files of older ones have of these rows stays, as by the
    table specification, and another partition has further rows."""
    done = steps_of(*[one for todo in writers.values() for one in todo])
    last = [one for one in steps_of(*history) if isinstance(one, UpdateSpec)][-1:]
    changes = any(isinstance(one, UpdateSpec) for one in done) or any(one.width for one in last)
    changes = changes or any(isinstance(one, AlterPartitionField) for one in (*done, *history))
    meets = changes and any(isinstance(one, ReplacePartitions | ByEquality) for one in done)
    return {**facts, UNVALIDATED: "yes"} if meets else facts
