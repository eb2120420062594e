"""Changes of a table's schema: columns that are added, dropped, renamed, moved, or come to have a wider type.

Its base is the metadata of its making, and it has no loop: any commit in between refuses it.

Source: `core/SchemaUpdate.java`, `types/IndexByName.java` of 1.11.0.

Choices: columns are by name; one in a struct is by the path to it, `s.a`, and comes behind its struct. Those that are
added are numbers, or a struct of `int`. Data files have none that was added. A name that was
dropped is not given away again, and what is sorted by is not renamed.
"""

from collections.abc import Iterable

from model.iceberg.clock_rule import built
from model.iceberg.column_types import INT, ColumnType, may_become
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.schemas import with_schema
from model.iceberg.sort_orders import refuse_missing_columns
from model.iceberg.table import IcebergTable

Columns = tuple[str, ...]


class UpdateSchema:
    """Changes the schema that was current when this was made."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table
        self._base = table.ops.current
        self._added: list[str] = []
        self._dropped: list[str] = []
        self._renamed: dict[str, str] = {}
        self._moved: list[tuple[str, str]] = []
        self._types = dict(self._base.types)

    def add_column(self, name: str, of: str = INT) -> "UpdateSchema":
        """Add a column of a type, to the struct that its path names, if any.

        Raises: `InvalidOperation` if there is one of that name, or there is no such struct.
        """
        if name in (*self._base.columns, *self._added):
            raise InvalidOperation(f"add column {name}: expected a new name, the table has it already")
        parent = name.rpartition(".")[0]
        if parent and not _inside(parent, self._base.columns):
            raise InvalidOperation(f"add column {name}: expected a struct {parent}, the table has none")
        self._added.append(name)
        if of != INT:
            self._types[name] = of
        return self

    def add_struct(self, name: str, field: str) -> "UpdateSchema":
        """Add a struct of one column. Raises: `InvalidOperation` if there is a column of that name."""
        self.add_column(name)
        self._added.append(f"{name}.{field}")
        return self

    def drop_column(self, name: str) -> "UpdateSchema":
        """Drop a column, and what is in it. Raises: `InvalidOperation` if there is none of that name."""
        self._require("drop", name)
        self._dropped += [name, *_inside(name, self._base.columns)]
        return self

    def rename_column(self, name: str, new: str) -> "UpdateSchema":
        """Give a column another name. Raises: `InvalidOperation` if there is none of that name."""
        self._require("rename", name)
        self._renamed[name] = new
        return self

    def update_column(self, name: str, to: str) -> "UpdateSchema":
        """Have a column be of a wider type; one that is of it, stays. Raises: `InvalidOperation` if there is none of
        that name, its type is no narrower one, or it is a struct. Source: `SchemaUpdate.updateColumn`."""
        self._require("update", name)
        found = "struct" if _inside(name, self._base.columns) else self._types.get(name, INT)
        if not may_become(found, to):
            raise InvalidOperation(f"update column {name}: expected a type that may become {to}, it is {found}")
        if found != to:
            self._types[name] = to
        return self

    def move_after(self, name: str, other: str) -> "UpdateSchema":
        """Put a column right behind another one. Raises: `InvalidOperation` if one of them is not there, or they are
        the same."""
        self._require("move", name)
        self._require("move behind", other)
        if name == other:
            raise InvalidOperation(f"move column {name}: expected another column to put it behind, got itself")
        self._moved.append((name, other))
        return self

    def _require(self, verb: str, name: str) -> None:
        if name not in self._base.columns:
            raise InvalidOperation(f"{verb} column {name}: expected a column of the table, it has none of that name")

    def commit(self) -> None:
        """Commit on the metadata that this was made with.

        Raises: `ValidationFailed` if it is sorted by a column that is dropped, or two columns have one name; any
        `IcebergError`.
        """
        base = self._base
        columns: Columns = tuple([name for name in base.columns if name not in self._dropped])
        for name in self._added:
            columns = _with(columns, name)
        for name, other in self._moved:
            columns = _moved(columns, name, other)
        types = self._types_left(columns)
        columns = self._named(columns)
        _refuse_twice(columns)
        refuse_missing_columns(base.sort_orders.default.fields, columns)
        dropped = base.dropped_columns + len(self._dropped)
        updated = with_schema(base, columns, types, dropped)
        self._table.ops.commit(built(self._table.world, base, base if updated == base else updated))

    def _types_left(self, columns: Columns) -> tuple[ColumnType, ...]:
        """Those of the columns that are left, by their new names."""
        kept = [name for name in self._types if name in columns]
        return tuple(sorted(zip(self._named(kept), [self._types[name] for name in kept], strict=True)))

    def _named(self, columns: Iterable[str]) -> Columns:
        """By their new names; what is in a column that is renamed, too."""
        found = []
        for name in columns:
            top, dot, rest = name.partition(".")
            whole = self._renamed.get(name, name)
            found.append(whole if whole != name else f"{self._renamed.get(top, top)}{dot}{rest}")
        return tuple(found)


def _inside(name: str, columns: Iterable[str]) -> list[str]:
    """What is in a struct; nothing, if it is none."""
    return [one for one in columns if one.startswith(f"{name}.")]


def _with(columns: Columns, name: str) -> Columns:
    """With one more column: behind those of its struct, or of the table."""
    parent = name.rpartition(".")[0]
    place = len(columns)
    if parent:
        place = columns.index(parent) + len(_inside(parent, columns)) + 1
    return (*columns[:place], name, *columns[place:])


def _moved(columns: Columns, name: str, other: str) -> Columns:
    """With one column, and what is in it, behind another one, and what is in that."""
    taken = [name, *_inside(name, columns)]
    kept = tuple([one for one in columns if one not in taken])
    place = kept.index(other) + len(_inside(other, kept)) + 1
    return (*kept[:place], *taken, *kept[place:])


def _refuse_twice(columns: Columns) -> None:
    """Source: `IndexByName.addField` ("multiple fields for name")."""
    if len(set(columns)) < len(columns):
        twice = next(name for place, name in enumerate(columns) if name in columns[:place])
        raise ValidationFailed(f"schema: expected names that differ, got {twice} twice")
