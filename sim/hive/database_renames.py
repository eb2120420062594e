"""A database that is to get another name, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `RenameDatabase` | `rename_database`; as shipped, `rename_write_ids` then | `alter_database` |

Choices: the call is of no transaction, and has no write id: it is of no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sim.hive.validation import check_statement, check_word


@dataclass(frozen=True, slots=True)
class RenameDatabase:
    """Give the database, "default" for instance, this name."""

    database: str
    new_name: str
    at: str = ""

    def __post_init__(self) -> None:
        check_statement(self)
        for name in (self.database, self.new_name):
            check_word("RenameDatabase: database and new_name", name)
            if "." in name or "/" in name:
                raise ValueError(f"RenameDatabase: expected names of databases, as 'default', got {name!r}")
        if self.database == self.new_name:
            raise ValueError(f"RenameDatabase: expected another name than {self.database!r}")

    def renamed(self, table: str) -> str:
        """What a table of the database is called then; another one's name stays."""
        database, _, name = table.partition(".")
        return f"{self.new_name}.{name}" if database == self.database else table


def connected(table: str, pairs: Sequence[tuple[str, str]], databases: Sequence[RenameDatabase]) -> list[str]:
    """The table's name, and those that renames of tables (from, to) and of databases can give to it or take from it."""
    names = [table]
    for name in names:
        near = [other for pair in pairs if name in pair for other in pair]
        for each in databases:
            back = RenameDatabase(each.new_name, each.database)
            near += [each.renamed(name), back.renamed(name)]
        names += [other for other in dict.fromkeys(near) if other not in names]
    return names
