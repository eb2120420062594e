"""Changes of the sort order and of columns in a race of the Java API that was drawn without: one writer more sorts the
table, and beside him, perhaps, another one drops the column that it is sorted by, or sorts it otherwise; or one more
moves the table, or sets statistics, mostly beside an expiry.

Choices: drawn last, and rarely, so that other races are what they were. The column is added before the race. An expiry
is beside nobody who was drawn: rows are appended before it, which who replaces all rows would not know of.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw_managing import Writers
from sim.iceberg.draw_statements import Table
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy
from sim.iceberg.managing import Expire
from sim.iceberg.workload import AddColumn, Append, Operation, Transaction

RARELY, SELDOM, OFTEN = (False, False, False, True), (False, False, True), (False, True)
KINDS = ("sort", "drop column", "move", "set statistics", "remove statistics")
COLUMN = "sorted"
BY = (("id",), (COLUMN,), ("v", "id"))


def with_layout(draws: Draws, table: Table, writers: Writers, *, may_fail: bool) -> Writers:
    """Draw who sorts the table, and by what; mostly nobody. What is drawn for before is put into the history."""
    if not draws.one_of("layout", RARELY):
        return writers
    if draws.one_of("statistics", OFTEN):
        return _with_statistics(draws, table, writers, may_fail)
    if draws.one_of("moved", SELDOM):
        moves = MoveTo("elsewhere")
        own = draws.flag("moved in a transaction")
        moved: Operation | Transaction = Transaction((Append(table.new_row()), moves)) if own else moves
        return {**writers, f"w{len(writers) + 1}": [moved]}
    sorts = SortBy(draws.one_of("sorted by", BY), draws.flag("descending"))
    if COLUMN in sorts.columns:
        table.history.append(AddColumn(COLUMN))
    beside = draws.one_of("beside", ("nothing", "drop", "sort and back"))
    more: dict[str, list[Operation | Transaction]] = {"nothing": [], "sort and back": [sorts, SortBy()]}
    more["drop"] = [DropColumn(COLUMN)] if COLUMN in sorts.columns else [SortBy(("id",))]
    first = Transaction((sorts, Append(table.new_row()))) if draws.flag("sorted in a transaction") else sorts
    last = len(writers) + 1
    with_it: Writers = {**writers, f"w{last}": [first]}
    return {**with_it, f"w{last + 1}": [*more[beside]]} if more[beside] else with_it


def _with_statistics(draws: Draws, table: Table, writers: Writers, may_fail: bool) -> Writers:
    """The file that the table names before, or one more, for the head or the snapshot below; where nothing fails,
    beside an expiry and an append."""
    table.history.append(SetStatistics("before"))
    name, back = draws.one_of("file", ("new", "before")), draws.number("back", 0, 1)
    of_partitions = draws.flag("of partitions")
    removes = draws.one_of("removed", RARELY)
    one = RemoveStatistics(back, of_partitions) if removes else SetStatistics(name, back, of_partitions)
    if may_fail or draws.flag("without expiry"):
        return {**writers, f"w{len(writers) + 1}": [one]}
    table.history.append(Append(table.new_row()))
    return {"w1": [one], "w2": [Expire(draws.number("kept", 0, 1))], "w3": [Append(table.new_row())]}
