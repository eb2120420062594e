"""The scenarios of what PyIceberg alone has here, each beside what helps."""

from __future__ import annotations

from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.pyiceberg import OF_ROWS, race
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.iceberg.python.specs import PYTHON_SPECS
from sim.iceberg.python.table_scenarios import PYTHON_TABLES
from sim.iceberg.python_statements import AddFile, ChangeSeen, TagAndRollBack
from sim.iceberg.workload import Append, ChangeRow, Copy
from sim.world.scenario import Scenario

APPENDED = (Append(((3, "c"),)),)
HAS_IT = {"no-spurious-refusal": "who adds a file that the table has is refused"}
PYTHON_ALONE: tuple[Scenario, ...] = (
    race(
        "tag-roll-back-append",
        "One tags the head and rolls back in one commit, which asserts the tag alone: an append between is lost.",
        {"w1": [TagAndRollBack("before")], "w2": [Append(((4, "x"),))]},
        history=APPENDED,
        but=OF_ROWS,
        broken="acknowledged-writes-survive",
    ),
    race(
        "roll-back-append",
        "The same without a tag: the commit asserts main, and is refused.",
        {"w1": [RollBack(1)], "w2": [Append(((4, "x"),))]},
        history=APPENDED,
        but=OF_ROWS,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "tag-expire",
        "One tags an old snapshot while another one expires it: both are told of success, and the tag is gone.",
        {"w1": [CreateRef("t", tag=True, back=1)], "w2": [Expire(1)]},
        history=APPENDED,
        but=OF_ROWS,
        broken="readable",
    ),
    race(
        "tag-head-expire",
        "The same with a tag of the head, which no expiry takes: both commit, or the expiry is refused.",
        {"w1": [CreateRef("t", tag=True)], "w2": [Expire(1)]},
        history=APPENDED,
        but=OF_ROWS,
        counters=(SWAP_LOST,),
    ),
    race(
        "add-file-add-file",
        "Two add the same file, which neither finds in the table: it is there twice, and nobody is refused.",
        {"w1": [AddFile(9)], "w2": [AddFile(9)]},
        but=HAS_IT,
        broken="acknowledged-writes-survive",
    ),
    race(
        "add-file-append",
        "One adds a file twice beside an append: the second time it is refused.",
        {"w1": [AddFile(9), AddFile(9)], "w2": [Append(((3, "x"),))]},
        but=HAS_IT,
        counters=(REQUIREMENT_FAILED,),
    ),
    race(
        "change-refreshed",
        "One reads a row, refreshes the table and changes the row: what was committed between is not seen.",
        {"w1": [ChangeSeen(1, "x")], "w2": [ChangeRow(1, "y")]},
        broken="no-lost-update",
    ),
    race(
        "change-copied",
        "One reads rows in the transaction that changes one of them: beside a change of that row it is refused.",
        {"w1": [Copy(2, 1)], "w2": [ChangeRow(1, "y")]},
        counters=(REQUIREMENT_FAILED,),
    ),
    *PYTHON_SPECS,
    *PYTHON_TABLES,
)
