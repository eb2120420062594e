"""What seeds of races that write to branches with PyIceberg may be about: short ones, as each schedule of them is slow.

Choices: two writers; a row that is alone in its file, in main and in the branch; the statements that are drawn for the
table before it is known to have a branch make no rows, so that this one has a small id.
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.generation.focus import Focus
from sim.iceberg.draw.python_branches import KINDS
from sim.iceberg.options import CALLS, CLIENT, OF_BRANCHES

Texts = Mapping[str, tuple[str, ...]]
WHERE: Texts = {CLIENT.key: ("pyiceberg",), CALLS.key: (OF_BRANCHES,)}
MAKES_NO_ROW = ("delete", "set property", "scan", "scan twice")
CHANGES, FIRST = ("change in branch", "delete in branch"), ("append", "append to branch")
SHORT: Texts = {
    "faults": ("0",), "repertoire": ("wide",), "of PyIceberg alone": ("False",), "own catalog": ("False",),
    "branches of PyIceberg": ("True",), "theme": (str(KINDS),), "is there": ("True",), "another of writers": ("0",),
    "another of statements": ("0",), "another of history": ("1",), "has a row of its own": ("no",),
    "ids in use": ("3",), "id": ("3",),
}  # fmt: skip


def _about(name: str, kinds: tuple[str, ...], further: Texts) -> Focus:
    """A focus on statements of these kinds, any of them twice to be drawn twice as often."""
    drawn = {"statements": (*MAKES_NO_ROW, *dict.fromkeys(kinds)), "kind": (*MAKES_NO_ROW, *kinds)}
    return Focus(name, {**SHORT, **drawn, **further}, WHERE)


OF_PYTHON_BRANCHES: tuple[Focus, ...] = (
    _about("branches are changed", CHANGES, {}),
    _about("branches are changed, and go", (*CHANGES, *["remove branch"] * 2), {}),
    _about(
        "several branches are written to at once, and go", ("transaction", "remove branch"),
        {"in branch": FIRST[1:], "which part is first": (str(FIRST),)},
    ),
    _about(
        "several branches are written to at once", ("transaction", "change in branch", "append"),
        {"in branch": CHANGES, "another of statements": ("0", "1")},
    ),
    _about(
        "a tag in the place of a branch", ("delete in branch", "append to branch", "tag", "tag"),
        {"is there": ("False",), "id": ("1", "3")},
    ),
    _about(
        "upserts into branches, and files", ("upsert in branch", "add file", "add file"),
        {"is there": ("True", "False"), "has a row of its own": ("no", "yes"), "ids in use": ("4",),
         "id": ("1", "3", "4")},
    ),
)  # fmt: skip
