"""Columns of numbers that come to have a wider type, or are refused a narrower one, for a race of the Java API that has
been drawn already: two writers more, alone or in a transaction.

Choices: drawn where it is asked for, beside whatever else a race has.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.columns import AddTyped, ChangeType
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.statements import Append, Statement, Transaction

TYPED = (AddTyped("f", "float"), AddTyped("d", "decimal(9, 2)"))
"""The columns that there are before."""
TYPES = {
    "wider float": ("f", "double"), "wider decimal": ("d", "decimal(11, 2)"), "as it is": ("d", "decimal(9, 2)"),
    "narrower decimal": ("d", "decimal(8, 2)"), "another scale": ("d", "decimal(12, 3)"), "float to int": ("f", "int"),
}  # fmt: skip
KINDS = ("wider float", "wider decimal", *TYPES) * 2


def with_types(draws: Draws, table: Table, writers: Writers) -> Writers:
    """The writers and two more; the columns are put into the history."""
    table.history += TYPED
    todo = [_one(draws, table, place) for place in ("first", "second")]
    return with_more(writers, [[one] for one in todo])


def _one(draws: Draws, table: Table, place: str) -> Statement:
    changed = ChangeType(*TYPES[draws.one_of(f"type, {place}", KINDS)])
    if draws.flag(f"type in a transaction, {place}"):
        return Transaction((changed, Append(table.new_row())))
    return changed
