"""Changes of what a table says of itself in a race of the Java API that was drawn without: of the sort order, a column,
the location, statistics. One writer more makes one of them, and one more two others in a transaction; or one is beside
an expiry.

One who sorts may sort back beside another who sorts as he did; a column that is dropped may be followed by a new one.

Choices: drawn last, so that other races are what they were: few come to it. An expiry is beside nobody who was drawn:
rows are appended before it, which who replaces all rows would not know of.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import asked
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.layout import DropColumn, Layout, MoveTo, RemoveStatistics, SetStatistics, SortBy
from sim.iceberg.managing import Expire
from sim.iceberg.options import OF_LAYOUT
from sim.iceberg.workload import AddColumn, Append, Operation, Transaction

RARELY, OFTEN = (False, False, False, True), (False, True)
KINDS = ("sort", "drop column", "move", "set statistics", "remove statistics")
COLUMN = "sorted"
BY = (("id",), (COLUMN,), ("v", "id"), ())


def with_layout(draws: Draws, table: Table, writers: Writers, *, may_fail: bool) -> Writers:
    """Draw who changes what, if anybody does. What is drawn for before is put into the history."""
    if not draws.one_of("layout", OFTEN, asked(draws, OF_LAYOUT)):
        return writers
    table.history += [AddColumn(COLUMN), SetStatistics("before")]
    alone = draws.one_of("layout alone", KINDS)
    one = _one(draws, alone, "alone")
    if not may_fail and draws.one_of("expiry beside", RARELY):
        table.history.append(Append(table.new_row()))
        return {"w1": [one], "w2": [Expire(draws.number("kept", 0, 1))], "w3": [Append(table.new_row())]}
    first = draws.one_of("layout first", KINDS)
    second = draws.one_of("layout second", tuple([kind for kind in KINDS if kind != first]))
    steps: tuple[Operation, ...] = (_one(draws, first, "first"), _one(draws, second, "second"), Append(table.new_row()))
    number = len(writers) + 1
    if DropColumn(COLUMN) in steps and draws.one_of("another column", OFTEN):
        steps = (*steps[:2], AddColumn("another"))
    if isinstance(one, SortBy) and draws.one_of("sorted and back", OFTEN):
        return {**writers, f"w{number}": [one], f"w{number + 1}": [one, SortBy()]}
    return {**writers, f"w{number}": [one], f"w{number + 1}": [Transaction(steps)]}


def _one(draws: Draws, kind: str, place: str) -> Layout:
    """A change of this kind. Args: `place`: whose, which names what he writes."""
    match kind:
        case "sort":
            return SortBy(draws.one_of(f"sorted by, {place}", BY), draws.flag(f"descending, {place}"))
        case "drop column":
            return DropColumn(COLUMN)
        case "move":
            return MoveTo(draws.one_of(f"moved to, {place}", ("elsewhere", "yonder")))
    back, of_partitions = draws.number(f"back, {place}", 0, 1), draws.flag(f"of partitions, {place}")
    if kind == "remove statistics":
        return RemoveStatistics(back, of_partitions)
    return SetStatistics(draws.one_of(f"file, {place}", (place, "before")), back, of_partitions)
