"""What consumers of a Hudi table are told, as data: the model and the real Hudi 1.2.0 are asked the same.

A vector is the table, and a script of words: `w1:1=A` begins a write and makes its files, `w1.` commits it, `clean`
cleans with one commit retained, `cluster` plans and carries out, `compact` as well; `archive` archives, `save` makes a
savepoint of the newest commit, which `restore` goes back to, and `forget` deletes. `c=1A,3B` is a consumer who must be
told of these rows, `c=-` of none, `c=HollowCommit` who is refused so; `f=1a` reads as of what is there at first, and
`n=1A` as of the newest commit. He has read what is there at first: rows 1 and 2 of one file group, 3 and 4 of one each,
each in a partition.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from model.hudi.keys import (
    BLOCK_AT_HOLES,
    COMPACT_AFTER,
    HOLES,
    KEEP_MAX,
    KEEP_MIN,
    MERGE_ON_READ,
    RETAINED,
    TABLE_TYPE,
    TABLE_VERSION,
    TRANSITION_TIME,
)
from sim.hudi.build import PREFERRING
from sim.hudi.statements import (
    Archive,
    DeleteSavepoint,
    OfConsumers,
    ReadAsOf,
    ReadFirst,
    ReadNews,
    Restore,
    Savepoint,
    Service,
)
from sim.hudi.workload import Options

GROUPS = (("fg1", ((1, "a"), (2, "b"))), ("fg2", ((3, "c"),)), ("fg3", ((4, "d"),)))
PARTITIONS = ("p1", "p2", "p3")
KEPT = "v9, one commit kept"
BASE: Options = (*PREFERRING, (RETAINED, "1"))
READS: dict[str, OfConsumers] = {"c": ReadNews(), "f": ReadFirst(), "n": ReadAsOf()}
"""What a consumer may ask for, by its word."""
SERVICES: dict[str, Service] = {
    "archive": Archive(), "save": Savepoint(), "forget": DeleteSavepoint(), "restore": Restore(),
}  # fmt: skip
"""What is served by words alone."""
OLD: Options = (*PREFERRING[:2], (TABLE_VERSION, "6"), (RETAINED, "1"))
TABLES: dict[str, Options] = {
    "v9": BASE,
    "v9 mor": (*BASE[:-1], (TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, "1")),
    KEPT: (*BASE, (KEEP_MIN, "1"), (KEEP_MAX, "2")),
    "v6": OLD,
    "v6 block": (*OLD, (HOLES, BLOCK_AT_HOLES)),
    "v6 transition": (*OLD, (HOLES, TRANSITION_TIME)),
}


class NewsVector(NamedTuple):
    """One of them. `upstream`: the test of Hudi's own that it is from, if it is from one."""

    name: str
    table: str
    script: str
    upstream: str = ""


HOLE = "testHandleHollowCommitIfNeeded"
BY_TRANSITION = "TestIncrementalReadByStateTransitionTime.testReadingWithStateTransitionTime"
SCANNING = "TestIncrementalReadWithFullTableScan.testFailEarlyForIncrViewQueryForNonExistingFiles"
BESIDE_WRITERS = (
    NewsVector("hole, fail", "v6", "w1:1=A w1. w2:3=B w3:4=C w3. c=HollowCommit w2. c=1A,3B,4C", HOLE),
    NewsVector("hole, block", "v6 block", "w1:1=A w1. w2:3=B w3:4=C w3. c=1A c=- w2. c=3B,4C", HOLE),
    NewsVector("hole, transition", "v6 transition", "w1:1=A w1. w2:3=B w3:4=C w3. c=1A,4C", HOLE),
    NewsVector("late, in a range", "v6 transition", "w1:1=A w2:3=B w2. w1. c=1A,3B", BY_TRANSITION),
    NewsVector("late, missed", "v6 transition", "w1:1=A w2:3=B w2. c=3B w1. c=-"),
    NewsVector("late, found by its partition", "v6 transition", "w1:1=A w2:3=B w2. c=3B w1. w3:2=C w3. c=1A,2C"),
    NewsVector("late, and told again", "v6 transition", "w1:1=A w2:3=B w2. c=3B w1. w3:2=C w3. w4:3=D w4. c=1A,2C,3D"),
    NewsVector("late, rows between", "v6 transition", "w1:3=A w2:1=B w2. c=1B w3:2=C w3. w1. c=1B,2C"),
    NewsVector("completed late", "v9", "w1:1=A w2:3=B w2. c=3B w1. c=1A c=-"),
    NewsVector("completed late, all", "v9", "w1:1=A w2:3=B w2. w1. c=1A,3B c=-"),
    NewsVector("pending", "v9", "w1:1=A c=- w1. c=1A"),
    NewsVector("written over", "v9", "w1:1=A w1. w2:1=B w2. w3:2=C w3. c=1B,2C"),
    NewsVector("files are gone", "v9", "w1:1=A w1. w2:1=B w2. w3:2=C w3. clean c=1B,2C c=-", SCANNING),
    NewsVector("files are gone, in between", "v9", "w1:1=A w1. c=1A w2:1=B w2. w3:2=C w3. clean c=1B,2C", SCANNING),
    NewsVector("files are gone, version 6", "v6", "w1:1=A w1. w2:1=B w2. w3:2=C w3. clean c=1B,2C", SCANNING),
    NewsVector("clustered, then told", "v9", "w1:1=A w1. cluster c=1A c=-"),
    NewsVector("told, then clustered", "v9", "w1:1=A w1. c=1A cluster c=- w2:2=B w2. c=2B"),
    NewsVector("log files", "v9 mor", "w1:1=A w2:3=B w2. c=3B w1. c=1A w3:2=C w3. w4:1=D w4. c=1D,2C c=-"),
    NewsVector("log files, compacted", "v9 mor", "w1:1=A w1. compact c=1A c=- w2:2=B w2. c=2B"),
    NewsVector("log files, told and compacted", "v9 mor", "w1:1=A w1. c=1A w2:2=B w2. compact c=2B c=-"),
    NewsVector("log files, clustered", "v9 mor", "w1:1=A w1. c=1A w2:2=B w2. cluster c=2B c=-"),
)
NOBODY_SAYS = "w1:1=A w1. w2:1=B w2. w3:1=C w3. clean {} w4:3=D w4. w5:3=E w5. w6:3=F w6. w7:3=G w7. archive f=3c,4d"
"""A clean, and what makes that archiving takes it."""
ARCHIVED_VECTORS = (
    NewsVector("archived", KEPT, "w1:1=A w1. w2:1=B w2. w3:3=C w3. archive c=1B,3C c=-"),
    NewsVector("archived, of a commit", KEPT, "w1:1=A w1. w2:3=B w2. w3:3=C w3. w4:4=D w4. archive c=1A,3C,4D"),
    NewsVector("archived, completed late", KEPT, "w1:1=A w2:3=B w2. c=3B w1. w3:4=D w3. w4:4=E w4. archive c=1A,4E"),
    NewsVector("archived, told before", KEPT, "w1:1=A w1. c=1A w2:1=B w2. w3:3=C w3. archive c=1B,3C"),
    NewsVector("archived, read at first", KEPT, "w1:1=A w1. w2:1=B w2. w3:3=C w3. archive f=1a,2b,3c,4d n=1B,2b,3C,4d"),
    NewsVector("archived, cleaned", KEPT, "w1:1=A w1. w2:1=B w2. w3:3=C w3. clean archive c=1B,3C f=TimeTravelRefused"),
    NewsVector("archived with its clean", KEPT, NOBODY_SAYS.format("f=TimeTravelRefused")),
    NewsVector(
        "archived, saved", KEPT, "save w1:1=A w1. w2:1=B w2. w3:1=C w3. clean archive f=TimeTravelRefused n=1C,2b,3c,4d"
    ),
    NewsVector("restored", KEPT, "save w1:1=A w1. c=1A w2:1=B w2. c=1B restore c=- w3:1=C w3. c=1C f=1a,2b,3c,4d"),
    NewsVector("restored, not told", KEPT, "save w1:1=A w1. w2:3=B w2. restore c=- w3:1=C w3. c=1C n=1C,2b,3c,4d"),
    NewsVector(
        "restored and archived", KEPT, "save w1:1=A w1. restore forget w2:3=B w2. w3:3=C w3. w4:4=D w4. archive c=3C,4D"
    ),
)
"""Of consumers beside archiving, savepoints and restores."""
NEWS_VECTORS = (*BESIDE_WRITERS, *ARCHIVED_VECTORS)


def mismatches(vector: NewsVector, do: Callable[[str, str], Any]) -> list[str]:
    """What is not as a vector says. Args: `do` carries a word out: who, or what, and the rest of it."""
    found = []
    for word in vector.script.split():
        if word[1:2] == "=":
            told = do(word[0], "")
            if told != word[2:]:
                found.append(f"{word}: got {told}")
        elif ":" in word:
            do(*word.split(":"))
        else:
            do(word, "")
    return found


def in_short(told: str) -> str:
    """What was told, as in a script: "1 = A, 3 = B" is 1A,3B."""
    return "-" if told == "nothing" else told.replace(" = ", "").replace(", ", ",")
