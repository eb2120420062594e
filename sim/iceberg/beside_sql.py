"""Writers that call the Java API beside sessions of Spark SQL, as Flink or Kafka Connect do: they append, and delete
and upsert by equality; or they append to a branch, as who audits before publishing does; or they set a property, or the
format.

Choices: on a REST catalog, in format 2 or 3, beside procedures, too, but where no purge or reader of what was, and
nothing that goes by time, is beside them; none of their statements asks for a validation, or is sent again. Files that
are given to the Java API belong to the caller, so in such a race nobody looks for data files that are left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sim.iceberg.checked_workload import wrong
from sim.iceberg.equality import ByEquality, DeleteWhere, Upsert
from sim.iceberg.managing import AppendTo, Procedures
from sim.iceberg.sql_branches import BesideMain
from sim.iceberg.sql_statements import Sql
from sim.iceberg.statements import Append, SetProperty, Statement

Giving = Append | DeleteWhere | Upsert | AppendTo
"""What brings files of its own."""
Streaming = Giving | SetProperty
"""What may be sent by the Java API beside statements of SQL."""
STREAMED = "Append, DeleteWhere, Upsert, AppendTo and SetProperty"
EXPECTED: Mapping[str, Sequence[object]] = {
    "catalog": ("rest",), "tries": (0,), "format_version": (2, 3), "ages_h": ((),),
}  # fmt: skip
"""What a workload may be in which there are both."""


def is_mixed(statements: Iterable[Statement]) -> bool:
    """Whether some speak SQL, and others call the Java API."""
    return len({streams(one) for one in statements if isinstance(one, Sql | Streaming)}) == 2


def gives_files(statements: Iterable[Statement]) -> bool:
    """Whether some give files to the Java API, which belong to the caller."""
    return any(isinstance(one, Giving) and not isinstance(one, BesideMain) for one in statements)


def streams(statement: object) -> bool:
    """Whether it is sent by the Java API."""
    return isinstance(statement, Streaming) and not isinstance(statement, BesideMain)


def check_mixed(sent: Sequence[Statement], given: Mapping[str, object]) -> None:
    """Raise `ValueError` for SQL beside the Java API where the two are not followed together.

    Args: `given`: what else a workload says.
    """
    if any(isinstance(one, BesideMain) for one in sent) and not any(isinstance(one, Sql) for one in sent):
        raise wrong("writers", "another statement of SQL beside InsertTo and InsertStaged", sent)
    if not is_mixed(sent):
        return
    for one in sent:
        if not isinstance(one, Sql | Procedures | Streaming | BesideMain):
            raise wrong("writers", f"SQL and procedures alone beside {STREAMED}", one)
        if isinstance(one, ByEquality) and one.level != "none":
            raise wrong("writers", "level none beside Spark SQL", one)
    for name, expected in EXPECTED.items():
        if given[name] not in expected:
            raise wrong(name, f"{' or '.join(map(repr, expected))} for the Java API beside Spark SQL", given[name])
