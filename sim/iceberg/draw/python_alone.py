"""Races of what PyIceberg alone has here, drawn now and then in place of others; nothing fails in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import only, unless
from sim.iceberg.draw.statements import Table
from sim.iceberg.managing import CreateRef, Expire
from sim.iceberg.options import OF_FILES, OF_SNAPSHOTS, OTHER_TABLES
from sim.iceberg.python_statements import AddFile, ChangeSeen, TagAndRollBack
from sim.iceberg.statements import Statement

REFS, FILES, SEEN = "refs", "files", "what was read"
KINDS = {
    REFS: ("append", "tag and roll back", "append", "tag and roll back", "tag", "expire"),
    FILES: ("add file", "append"),
    SEEN: ("change what was read", "change", "delete"),
}
STATEMENTS = tuple(dict.fromkeys([kind for kinds in KINDS.values() for kind in kinds]))
RARELY = (False, False, False, False, True)
FILE = 9
"""The row of the file that somebody else has written."""


class Alone(NamedTuple):
    """Such a race. Args: `history`: what was done to the table before."""

    writers: dict[str, list[Statement]]
    history: list[Statement]


def of_python_alone(draws: Draws, table: Table) -> Alone | None:
    """Draw such a race, or, more often, none. It is drawn behind all else: a race without it is what it was."""
    if not draws.one_of("of PyIceberg alone", RARELY, only(draws, OF_FILES) or unless(draws, OTHER_TABLES)):
        return None
    about = draws.one_of("about", tuple(KINDS), only(draws, OF_FILES, FILES) or only(draws, OF_SNAPSHOTS, REFS))
    history = draws.list_of("history", 1, 3, lambda _: table.of_kind("append", ())) if about == REFS else []
    kinds = KINDS[about]
    drawn = draws.list_of(
        "writers", 2, 3, lambda _: draws.list_of("statements", 1, 2, lambda _: _one(draws, table, kinds))
    )
    return Alone({f"w{number}": todo for number, todo in enumerate(drawn, 1)}, history)


def _one(draws: Draws, table: Table, kinds: Sequence[str]) -> Statement:
    kind = draws.one_of("kind", kinds)
    match kind:
        case "tag and roll back":
            return TagAndRollBack(f"t{draws.number('tag', 1, 9)}", draws.number("back", 1, 2))
        case "tag":
            return CreateRef(f"t{draws.number('tag', 1, 9)}", tag=True, back=draws.number("back", 0, 2))
        case "expire":
            return Expire(1)
        case "add file":
            return AddFile(FILE)
        case "change what was read":
            return ChangeSeen(*table.row_of_any_id())
    return table.of_kind(kind, ())
