"""Mutants of changes of a schema (`model.iceberg.update_schema`)."""

from model.iceberg import column_types, requirements, update_schema
from model.iceberg.column_types import ColumnType
from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import Requirement
from model.iceberg.update_schema import Columns, UpdateSchema
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant

DIGITS = column_types._digits


def at_the_end(columns: Columns, name: str) -> Columns:
    """A new column is the last one, whatever it is in."""
    return (*columns, name)


def moved_alone(columns: Columns, name: str, other: str) -> Columns:
    """What is in a struct does not move with it."""
    kept = tuple([one for one in columns if one != name])
    place = kept.index(other) + 1
    return (*kept[:place], name, *kept[place:])


def fields_alone(base: TableMetadata) -> Requirement:
    """Whether another schema is the current one by now is not looked at, where no column was added."""
    return requirements.of_fields(base)


def the_first_name(self: UpdateSchema, columns: Columns) -> Columns:
    """A struct is renamed, and what is in it is not."""
    return tuple([self._renamed.get(name, name) for name in columns])


def any_type(found: str, wanted: str) -> bool:
    """Whatever is a number may become any other."""
    return "struct" not in (found, wanted)


def more_digits_or_less(decimal: str) -> tuple[int, int]:
    """How many digits there are is not looked at."""
    return 0, DIGITS(decimal)[1]


def any_scale(decimal: str) -> tuple[int, int]:
    """How many of them are behind the point is not."""
    return DIGITS(decimal)[0], 0


def types_stay_behind(self: UpdateSchema, columns: Columns) -> tuple[ColumnType, ...]:
    """Columns are renamed, and what says their types is not."""
    return tuple(sorted([(name, of) for name, of in self._types.items() if name in columns]))


SCHEMA: tuple[Mutant, ...] = (
    left_out("columns-of-one-name", update_schema, "_refuse_twice", "two columns of one name"),
    replaced("fields-at-the-end", update_schema, "_with", at_the_end, "a column of no struct"),
    replaced("structs-move-alone", update_schema, "_moved", moved_alone, "a column of no struct"),
    replaced("fields-keep-their-struct", UpdateSchema, "_named", the_first_name, "a column of no struct"),
    replaced("types-not-asserted", requirements, "of_schema", fields_alone, "the other's change is lost"),
    replaced("any-type-is-wider", update_schema, "may_become", any_type, "a type that holds less"),
    replaced("digits-are-lost", column_types, "_digits", more_digits_or_less, "a decimal that holds less"),
    replaced("scales-are-alike", column_types, "_digits", any_scale, "numbers of another size"),
    replaced("types-keep-their-name", UpdateSchema, "_types_left", types_stay_behind, "a column of another type"),
)  # fmt: skip
