"""The scenarios of PyIceberg's writes to branches: what breaks beside branches that come and go, and what helps.

Source: `pyiceberg/table/update/snapshot.py` (`_SnapshotProducer`, `CommitWindow`), `pyiceberg/table/__init__.py`
(`Transaction._stage`, `_rebuild_snapshot_updates`, `upsert`, `_find_referenced_data_files`).
"""

from __future__ import annotations

from sim.iceberg.equality import Upsert
from sim.iceberg.managing import AppendTo, CreateRef, OverwriteIn, RemoveRef
from sim.iceberg.pyiceberg import ANY_FAULT, race
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.python_statements import AddFile, OnBranch
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import Append, ChangeRow, Statement, Transaction
from sim.world.scenario import Scenario

B: tuple[Statement, ...] = (CreateRef("b"),)
APART: tuple[Statement, ...] = (Append(((2, "b"),)), *B)
"""Two rows, each in a file of its own, and a branch that has both."""
ONE = ((1, "a"),)
X, Y = Append(((3, "x"),)), AppendTo("b", ((4, "y"),))
GONE = OnBranch("b", Delete(1))
CHANGED = OnBranch("b", ChangeRow(1, "z"))
HAS_IT = {"no-spurious-refusal": "who adds a file that the table has is refused"}

PYTHON_BRANCHES: tuple[Scenario, ...] = (
    race(
        "branch-append-append",
        "Two appends to a branch that has rows of its own: the loser retries on top of the branch, and both stay.",
        {"w1": [AppendTo("b", ((5, "x"),))], "w2": [AppendTo("b", ((6, "y"),))]},
        history=(*B, AppendTo("b", ((4, "d"),)), Append(((3, "c"),))),
        counters=(REQUIREMENT_FAILED, SWAP_LOST),
    ),
    race(
        "branch-append-main-append",
        "Appends to a branch and to main, which assert nothing of each other: whoever is late has an old sequence"
        " number, and is refused by a ValueError, which is not tried again.",
        {"w1": [Y], "w2": [X]}, history=B, counters=(SWAP_LOST,),
    ),
    race(
        "branch-overwrite-change",
        "A branch is overwritten beside a change of a row of it: one of the two is refused; main keeps its rows.",
        {"w1": [OverwriteIn("b", ((4, "y"),))], "w2": [OnBranch("b", ChangeRow(1, "x"))]},
        history=B, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "branch-append-resent",
        "An append to a branch with retries left; any call may fail or be sent twice: it finds its own snapshot.",
        {"w1": [Y]}, history=B, retries=2, faults=ANY_FAULT, counters=("fault resend",),
    ),
    race(
        "branch-change-remove",
        "A row that is alone in its file is changed in a branch that is removed meanwhile: the retry validates nothing,"
        " and the branch is there again, with this row alone.",
        {"w1": [OnBranch("b", ChangeRow(1, "x"))], "w2": [RemoveRef("b")]}, rows=ONE, history=APART,
        broken="no-lost-update",
    ),
    race(
        "branch-change-remove-beside",
        "The same where the row shares its file: the file is missing in no branch, and the change is refused.",
        {"w1": [OnBranch("b", ChangeRow(1, "x"))], "w2": [RemoveRef("b")]}, history=B, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "branches-at-once-remove",
        "A transaction appends to main and to a branch that is removed meanwhile: it asserts main alone, and the branch"
        " is back with all of its rows.",
        {"w1": [Transaction((X, Y))], "w2": [RemoveRef("b")]}, history=B,  # type: ignore[arg-type]
        broken="acknowledged-writes-survive",
    ),
    race(
        "branches-by-turns-remove",
        "The same in two commits, of which each asserts its branch: the branch stays removed, or begins anew.",
        {"w1": [X, Y], "w2": [RemoveRef("b")]}, history=B, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "branches-at-once-change",
        "A transaction appends to main and deletes a row of a branch, which somebody changes meanwhile: tried again for"
        " an append to main, it validates the branch by what came to main, and deletes nothing.",
        {"w1": [Transaction((X, GONE))], "w2": [CHANGED, Append(((5, "z"),))]}, rows=ONE, history=APART,  # type: ignore[arg-type]
        broken="acknowledged-writes-survive",
    ),
    race(
        "branches-by-turns-change",
        "The same in two commits: the delete is validated by what came to its branch, and refused.",
        {"w1": [X, GONE], "w2": [CHANGED]}, rows=ONE, history=APART, counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "branch-upsert-absent",
        "An upsert to a branch that is not there looks for its row in main: it finds it as it is to be, and writes"
        " nothing; there is no such branch, and no row.",
        {"w1": [OnBranch("b", Upsert(1, "a"))]}, broken="no-aborted-reads",
    ),
    race(
        "branch-upsert-created",
        "The same to a branch that was created before, beside another upsert of the row there: one is refused.",
        {"w1": [OnBranch("b", Upsert(1, "x"))], "w2": [OnBranch("b", Upsert(1, "y"))]}, history=B,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "branch-add-file-again",
        "A file is added to a branch twice: it is looked for in main, and is there twice, and nobody is refused.",
        {"w1": [OnBranch("b", AddFile(9)), OnBranch("b", AddFile(9))]}, history=B, but=HAS_IT,
        broken="acknowledged-writes-survive",
    ),
    race(
        "branch-append-tag",
        "An append to a branch, in whose place a tag of its name is made meanwhile: the retry makes a branch of the"
        " tag, and moves it.",
        {"w1": [Y], "w2": [RemoveRef("b"), CreateRef("b", tag=True)]}, history=B, broken="readable",
    ),
    race(
        "branch-append-tag-before",
        "The same where the tag is there before the append is begun: it is refused.",
        {"w1": [Y], "w2": [X]}, history=(CreateRef("b", tag=True),),
    ),
)  # fmt: skip
