"""Races on several tables of a REST catalog, in place of a race that has been drawn already.

It is the last draw, and a rare one: without it a race is what it was. How the server commits several tables is drawn,
too; what may fail is what was drawn before.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import asked
from sim.iceberg.draw.tables import RARELY
from sim.iceberg.options import OF_SEVERAL
from sim.iceberg.several import TABLES, CopyAcross, On, Operation, ReadEach, Server, Statement, TableName, Together
from sim.iceberg.workload import AddColumn, Append, ChangeRow

KINDS = ("commit together", "on one table", "read each", "copy across")
OPERATIONS = ("append", "change", "append", "add column")
SERVERS: tuple[Server, ...] = ("at once", "at once", "one by one")
ROWS = ((1, "1"), (2, "2"))
Writers = dict[str, tuple[Statement, ...]]


class Several:
    """What is drawn of a race on several tables. Args: `most`: writers, at least `least`."""

    def __init__(self, draws: Draws, least: int) -> None:
        self._draws, self._made = draws, 0
        drawn = draws.list_of("of several tables", least, 3, lambda _: self._statements())
        self.server: Server = draws.one_of("server commits", SERVERS)
        self.writers: Writers = {f"w{number}": tuple(todo) for number, todo in enumerate(drawn, 1)}

    @property
    def copies(self) -> bool:
        """Whether somebody reads a table and writes another."""
        return any(isinstance(one, CopyAcross) for todo in self.writers.values() for one in todo)

    @property
    def changes_schema(self) -> bool:
        """Whether somebody adds a column, which no race lets pass."""
        parts = [part for todo in self.writers.values() for one in todo for part in getattr(one, "parts", (one,))]
        return any(isinstance(part, On) and isinstance(part.statement, AddColumn) for part in parts)

    def _statements(self) -> list[Statement]:
        return self._draws.list_of("on tables", 1, 2, lambda _: self._statement())

    def _statement(self) -> Statement:
        match self._draws.one_of("done to tables", KINDS):
            case "commit together":
                return Together(tuple([On(name, self._operation()) for name in self._tables()]))
            case "on one table":
                return On(self._table(), self._operation())
            case "read each":
                return ReadEach(self._tables())
        source, target = self._tables()
        return CopyAcross(source, target, self._row())

    def _table(self) -> TableName:
        return self._draws.one_of("table", TABLES)

    def _tables(self) -> tuple[TableName, ...]:
        return self._draws.one_of("order of tables", (TABLES, TABLES[::-1]))

    def _row(self) -> int:
        return self._draws.one_of("row of table", [key for key, _ in ROWS])

    def _operation(self) -> Operation:
        self._made += 1
        match self._draws.one_of("of table alone", OPERATIONS):
            case "append":
                return Append(((2 + self._made, f"n{self._made}"),))
            case "change":
                return ChangeRow(self._row(), f"n{self._made}", "serializable")
        return AddColumn(f"c{self._made}")


def several(draws: Draws, *, may_fail: bool) -> Several | None:
    """Draw a race on several tables; mostly none (None). Args: `may_fail`: one writer alone is enough."""
    drawn = draws.one_of("several tables", RARELY, asked(draws, OF_SEVERAL))
    return Several(draws, 1 if may_fail else 2) if drawn else None
