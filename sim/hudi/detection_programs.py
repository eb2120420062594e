"""What writers do where strategies of early detection are compared, and at which steps they meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sim.hudi.build import ONE_GROUP, TWO_GROUPS, Writers
from sim.hudi.built_in.bloom import OVERLAPPING
from sim.hudi.built_in.early import NEXT, RETRY, SIMILAR
from sim.hudi.built_in.server_markers import APART, GIVING_UP, LONG_MS, ON_THE_WAY, SLOW, SLOW_LAST, UNDERSCORE
from sim.hudi.statements import Upsert

FEW, MANY = ("create", "delete"), ("create", "delete", "try_lock", "sleep")
WITH_BLOOMS, MEETING = ("create", "overwrite", "close"), ("create", "try_lock")
PASSES, ENDS, LATE = ("close", "try_lock", "sleep"), ("delete", "try_lock"), ("delete", "try_lock", "sleep")
FAMILIES = {"direct": "direct markers", "blooms": "Bloom files of them", "served": "timeline server"}
SERVED = ("create", "close")
TWO: Mapping[str, Any] = {"groups": TWO_GROUPS}


@dataclass(frozen=True, slots=True)
class Program:
    """What writers do. `steps` are those of each family of strategies that is asked; `table` what else the table is.

    Args: `conflicts`: somebody has to be refused early in some schedule; `commits`: only where commits are checked, or
    only where they are not; None: always.
    """

    name: str
    words: str
    writers: Writers
    steps: Mapping[str, tuple[str, ...]]
    table: Mapping[str, Any] = field(default_factory=dict)
    conflicts: bool = False
    commits: bool | None = None

    def fits(self, family: str, commits: bool) -> bool:
        """Whether it is asked of a family, with check of commits or without."""
        return family in self.steps and self.commits in (None, commits)


def _all(direct: tuple[str, ...], blooms: tuple[str, ...], served: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {"direct": direct, "blooms": blooms, "served": served}


ONE = Program("one", "two writers of one file group", ONE_GROUP, _all(MANY, WITH_BLOOMS, ON_THE_WAY), conflicts=True)
NEW = Program(
    "new", "two writers of one new key",
    {"w1": [Upsert(((3, "A"),))], "w2": [Upsert(((3, "B"),))]}, _all(FEW, FEW, SERVED),
)  # fmt: skip
PROGRAMS = (
    ONE,
    Program(
        "looking", "the same, each look at what there is being a step", ONE_GROUP,
        {"direct": ("create", "list", "try_lock"), "blooms": ("create", "list")},
    ),
    Program(
        "overlapping", "a writer of two file groups and one of the first", OVERLAPPING,
        _all(FEW, SERVED, SERVED), TWO,
    ),
    Program(
        "crossed", "two writers of two file groups, in opposite orders",
        {"w1": [Upsert(((1, "A"), (2, "B")))], "w2": [Upsert(((2, "C"), (1, "D")))]},
        _all(("create",), ("create",), PASSES), TWO,
    ),
    Program(
        "apart", "two writers of two file groups, the name of one beginning with the other's", APART,
        _all(MEETING, MEETING, ON_THE_WAY), {"groups": SIMILAR},
    ),
    Program(
        "next", "a writer, and one who writes twice: another file group, then the first one's", NEXT,
        _all(ENDS, ENDS, LATE), TWO,
    ),
    Program("again", "a writer of two file groups who loses, and writes again", RETRY, _all(ENDS, ENDS, LATE), TWO),
    Program(
        "underscore", "two writers of two file groups of a partition whose name has an underscore", APART,
        {"served": ON_THE_WAY}, {**TWO, "partitions": (UNDERSCORE, UNDERSCORE)},
    ),
    Program(
        "slow", "a writer of two file groups, longer at work than it is between passes, and one of the first", SLOW,
        {"served": PASSES}, TWO, conflicts=True, commits=False,
    ),
    Program(
        "slow last", "the same, the other one being done early", SLOW_LAST, {"served": PASSES}, TWO, commits=True,
    ),
    Program("giving up", "the same, refused by one who gives up", GIVING_UP, {"served": ("close", "sleep")}, TWO),
    Program(
        "tries", "two writers of one file group whose tasks are tried twice",
        {name: [Upsert(((1, name),), attempts=2, work_ms=LONG_MS)] for name in ("w1", "w2")},
        {"served": PASSES},
    ),
)  # fmt: skip
COMPARED = (replace(ONE, name="one compared", steps=_all(FEW, SERVED, (*SERVED, "sleep"))), NEW)
"""What is done without detection as well."""
