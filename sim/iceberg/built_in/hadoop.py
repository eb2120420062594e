"""Scenarios of the Hadoop catalog: tables that are made and dropped on it, and calls of its file system that fail.

Source: `model.iceberg.hadoop`.

Choices: what fails is a call of a name node, which answers one that comes again from its retry cache: it carries out
none twice. A rename that is late finds nothing to rename, for its client deletes that when it is told of a failure.
"""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.rules import SELF_CHECK_FIRST
from model.iceberg.tables import REPLACING
from sim.iceberg.built_in.creating import ABSENT, LEFT, NEW, OTHER, PUT, of_tables
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.checked_workload import KEEPS, PRUNES
from sim.iceberg.creating import DropTable
from sim.iceberg.scenarios import APPENDS, SAFETY, race
from sim.iceberg.workload import Append, ChangeRow
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, HINTS, Port, wide
from sim.world.scenario import Scenario

PRUNED = ((PRUNES, "true"), (KEEPS, "1"))
"""The metadata file before the newest one is kept, and no other."""
FILE_SYSTEM = Port("file system", {"load": CALL_READ, "commit": CALL_CHANGE})
"""The catalog's own calls, as its client sees them."""
X, Y, Z = (Append(((key, value),)) for key, value in ((3, "x"), (4, "y"), (5, "z")))
LOADED = tuple([name for name in SAFETY if name != "no-leaks"])
BECAUSE = "what a clean-up leaves stays that finds its own version gone, J04"
ONCE = {"resend": "a name node knows a call that comes again", "late": "a late rename finds nothing to rename"}
UNANSWERED = wide(FILE_SYSTEM, without=ONCE)

HADOOP: tuple[Scenario, ...] = (
    race(
        "hadoop-append-append",
        "Two appends on a Hadoop catalog: the one whose number is taken tries again, and both files stay.",
        APPENDS,
        catalog="hadoop",
        counters=(coverage.NUMBER_TAKEN, coverage.RETRY),
    ),
    of_tables(
        "hadoop-create-create",
        "Two create a table of one name on a Hadoop catalog: one is told that its number is taken, and cleans up.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        catalog="hadoop",
        counters=(coverage.NUMBER_TAKEN, coverage.CLEANED_AFTER_FAILURE),
    ),
    of_tables(
        "hadoop-drop-append",
        "A table is dropped beside an append: it commits into the folder that is gone, and the table is back without"
        " its files.",
        {"w1": [DropTable()], "w2": [ADDED]},
        catalog="hadoop",
        broken="readable",
    ),
    of_tables(
        "hadoop-drop-create-append",
        "A table is dropped and created anew beside an append: the old table is put in the place of the new one.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        catalog="hadoop",
        broken="readable",
    ),
    of_tables(
        "hadoop-create-or-replace-drop",
        "A table is created or replaced beside a drop: it is refused, or the table comes back without its files.",
        {"w1": [PUT], "w2": [DropTable()]},
        catalog="hadoop",
        broken="readable",
    ),
    race(
        "hadoop-replacing-append-append",
        "Two appends on a Hadoop catalog whose file system's renames replace files, as a local disk's and an object"
        " store's do: both look for the next number before either renames, and the first one is written over.",
        APPENDS,
        catalog=REPLACING,
        properties=LOADED,
        because="who is written over leaves his files",
        broken="acknowledged-writes-survive",
    ),
    of_tables(
        "hadoop-replacing-create-create",
        "Two create a table of one name on such a catalog: both are told that they did, and one table is there.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        catalog=REPLACING,
        broken="acknowledged-writes-survive",
    ),
    race(
        "hadoop-change-unanswered",
        "A change of a row, validated as by default, on a Hadoop catalog whose rename is not answered: an error is a"
        " lost race, the change is refused by its own commit, and files of the current snapshot are deleted.",
        {"w1": [ChangeRow(1, "A", level="serializable")]},
        catalog="hadoop",
        properties=SAFETY,
        faults=UNANSWERED,
        broken="readable",
    ),
    race(
        "hadoop-change-unanswered-self-check",
        "The same, with a client that looks for its own snapshot before it validates.",
        {"w1": [ChangeRow(1, "A", level="serializable")]},
        catalog="hadoop",
        rules=SELF_CHECK_FIRST,
        properties=SAFETY,
        faults=UNANSWERED,
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
    race(
        "hadoop-append-unanswered",
        "Two appends on a Hadoop catalog; the rename of one is not answered: the other one's commit is lost.",
        APPENDS,
        catalog="hadoop",
        properties=SAFETY,
        faults=UNANSWERED,
        broken="acknowledged-writes-survive",
    ),
    race(
        "hadoop-append-unanswered-self-check",
        "The same, with a client that takes its own snapshot below the head for success.",
        APPENDS,
        catalog="hadoop",
        rules=SELF_CHECK_FIRST,
        faults=wide(FILE_SYSTEM, without=ONCE | {"load": "who is not told what is there leaves his files"}),
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
    of_tables(
        "hadoop-create-unanswered",
        "A table is created on a Hadoop catalog whose rename is not answered: its creator is told that it failed and"
        " deletes its files, and it is there.",
        {"w1": [NEW]},
        *ABSENT,
        catalog="hadoop",
        faults=UNANSWERED,
        properties=LEFT,
        because="what was not answered is left open",
        broken="readable",
    ),
    of_tables(
        "hadoop-drop-unanswered",
        "A table is dropped on a Hadoop catalog beside a creation; the delete is not answered: it is made once.",
        {"w1": [DropTable()], "w2": [NEW]},
        catalog="hadoop",
        faults=wide(FILE_SYSTEM, actors=("w1",), without=ONCE),
        properties=LEFT,
        because="what was not answered is left open",
    ),
    race(
        "hadoop-pruned-append-append",
        "Two appends on a Hadoop catalog that deletes old metadata files; hints at the newest one may be late, lost or"
        " come twice: whoever looks finds it, from the one before at the worst.",
        APPENDS,
        catalog="hadoop",
        table_properties=PRUNED,
        faults=wide(HINTS, without={"prune": "a file that stays"}),
        counters=(coverage.PRUNED, coverage.HINT_LOST),
    ),
    race(
        "hadoop-pruned-hint",
        "An append on a Hadoop catalog's table that deletes old metadata files; its hint comes late, behind two"
        " others: it names a file that they have deleted, and nobody can load the table.",
        {"w1": [X], "w2": [Y, Z]},
        catalog="hadoop",
        table_properties=PRUNED,
        properties=LOADED,
        because=BECAUSE,
        broken="readable",
    ),
    race(
        "hadoop-unpruned-hint",
        "An append whose hint comes late behind two others, on a table that keeps two old metadata files: it names one"
        " that is there.",
        {"w1": [X], "w2": [Y, Z]},
        catalog="hadoop",
        table_properties=(PRUNED[0], (KEEPS, "2")),
        properties=LOADED,
        because=BECAUSE,
        counters=(coverage.PRUNED,),
    ),
    race(
        "hadoop-pruned-number",
        "An append on a Hadoop catalog's table that deletes old metadata files, which wants its number late, behind"
        " four others: it is free again, and they are hidden.",
        {"w1": [X], "w2": [Y, Z, Append(((6, "a"),)), Append(((7, "b"),))]},
        catalog="hadoop",
        table_properties=PRUNED,
        properties=LOADED,
        because=BECAUSE,
        broken="acknowledged-writes-survive",
    ),
)
