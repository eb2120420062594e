"""Races of PyIceberg in which a partition spec changes, drawn rarely in place of others; nothing fails in them.

Choices: all writers have loaded the table before, and have one statement each, but for who changes the spec: by what it
is changed to, the library may be unable to write rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import unless
from sim.iceberg.draw.statements import Table
from sim.iceberg.options import OTHER_TABLES
from sim.iceberg.python_statements import EvolveSpec, OverwritePartitions
from sim.iceberg.statements import Statement

RARELY = (*[False] * 7, True)
IDENTITY = "identity"
THEN: Mapping[str, tuple[str, ...]] = {
    IDENTITY: ("truncate[4]", "bucket[2]", ""), "": (IDENTITY, "bucket[2]"),
}  # fmt: skip
"""What partitions may be changed to, by what they are."""
KINDS = ("append", "append", "change", "delete", "overwrite partitions")
STATEMENTS = ("update spec", "overwrite partitions")


class OfSpecs(NamedTuple):
    """Such a race. Args: `partitioned`: the transform of id that the table is partitioned by ("": none)."""

    writers: dict[str, list[Statement]]
    partitioned: str


def of_python_specs(draws: Draws, table: Table) -> OfSpecs | None:
    """Draw such a race, or, more often, none. It is drawn behind all else: a race without it is what it was."""
    if not draws.one_of("specs of PyIceberg", RARELY, unless(draws, OTHER_TABLES)):
        return None
    first = draws.one_of("partitioned by", (IDENTITY, IDENTITY, ""))
    others = draws.list_of("writers", 1, 2, lambda _: [_one(draws, table)])
    added: list[Statement] = (
        [table.of_kind("append", ())] if draws.one_of("appends before", (True, True, False)) else []
    )
    evolving = [*added, EvolveSpec(draws.one_of("partitioned then", THEN[first]))]
    todo = [*others, evolving]
    return OfSpecs({f"w{number}": one for number, one in enumerate(todo, 1)}, first)


def _one(draws: Draws, table: Table) -> Statement:
    kind = draws.one_of("kind", KINDS)
    if kind == "overwrite partitions":
        return OverwritePartitions((table.row_of_any_id(),))
    made: Any = table.of_kind(kind, ())  # a Delete may be one here
    return made  # type: ignore[no-any-return]
