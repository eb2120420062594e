"""Changes of the sort order and of columns in a race of the Java API that was drawn without: one writer more sorts the
table, and beside him, perhaps, another one drops the column that it is sorted by, or sorts it otherwise; or one more
moves the table.

Choices: drawn last, and rarely, so that other races are what they were. The column is added before the race.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw_managing import Writers
from sim.iceberg.draw_statements import Table
from sim.iceberg.layout import DropColumn, MoveTo, SortBy
from sim.iceberg.workload import AddColumn, Append, Operation, Transaction

RARELY = (False, False, False, False, False, True)
KINDS = ("sort", "drop column", "move")
COLUMN = "sorted"
BY = (("id",), ("v",), ("v", "id"), (COLUMN,))


def with_layout(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Draw who sorts the table, and by what; mostly nobody. What is drawn for before is put into the history."""
    if not draws.one_of("layout", RARELY):
        return writers
    if draws.one_of("moved", RARELY):
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
