"""Hudi scenarios: markers of the timeline server, and the asynchronous strategy, which is RFC-56's default.

A pass of the checker happens between two steps, when it is due: what it finds is judged by what it could have seen.
Tasks of a writer that computes for longer than a period ask for another marker afterwards, and are refused then.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import BATCH_THREADS, CONFLICTS, DETECTOR_DELAY, PREFER_WRITER
from model.hudi.variants import AS_DOCUMENT, CUT_MARKERS_LISTED, FIXED, SERVER_LOOKS_FIRST
from sim.hudi.build import (
    ASYNC,
    ASYNC_AND_COMMITS,
    EVERYTHING,
    HIT,
    IN_TIME_ON_SERVERS,
    LARGE,
    OLDER,
    ONE_GROUP,
    OPTIMISTIC,
    SERVER,
    SERVER_WRITES,
    TWO_GROUPS,
    Writers,
    race,
)
from sim.hudi.statements import Clean, Upsert
from sim.hudi.workload import Past
from sim.world.scenario import FaultSpace

PREFERRED = (CONFLICTS, PREFER_WRITER)
LONG_MS, LONGER_MS = 40_000, 100_000
"""Longer than the period between two passes; longer than the other writer."""
SLOW: Writers = {
    "w1": [Upsert(((1, "A"),), work_ms=LONGER_MS)],
    "w2": [Upsert(((1, "B"), (2, "C")), work_ms=LONG_MS)],
}
SLOW_LAST: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"), (2, "C")), work_ms=LONG_MS)]}
GIVING_UP: Writers = {
    "w1": [Upsert(((1, "A"),), work_ms=35_000)],
    "w2": [Upsert(((1, "B"), (2, "C")), work_ms=LONG_MS)],
    "w3": [Upsert(((1, "D"),))],
}
APART: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
CLEANING: Writers = {"w1": [Clean(), Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
CUT = (Past(((1, "h"),), "cut"),)
UNDERSCORE = "event_date=1"
ON_THE_WAY = ("create", "overwrite", "close", "sleep")
"""The steps of a write that others can see, but for the end of one."""
FIRST_PASS_LATE = (*ASYNC, PREFERRED, (DETECTOR_DELAY, "30000"))
"""The first pass when RFC-56 has it; Hudi has it at once."""
NOTICED = "made-markers-noticed"
PROMPT = ("prompt-early-aborts",)
UNWRITTEN = FaultSpace(
    {"close": ("drop-before",)}, limit=1, words="a marker file that is not written (others: hudi/async-any-fault)"
)
ASYNC_DETECTION = (
    race(
        "async-abort",
        "Asynchronous detection: a pass finds the other writer's marker, and a write is refused before its data file.",
        ONE_GROUP,
        rules=SHIPPED,
        options=ASYNC,
        properties=(*EVERYTHING, "no-early-refusals"),
        but=OLDER,
        yield_points=SERVER_WRITES,
        broken="no-early-refusals",
        pair="async-late",
    ),
    race(
        "async-late",
        "Asynchronous detection comes too late: no pass happens between the markers and the commits.",
        ONE_GROUP,
        rules=SHIPPED,
        options=ASYNC,
        properties=(*EVERYTHING, "no-late-refusals"),
        but=OLDER,
        yield_points=SERVER_WRITES,
        broken="no-late-refusals",
        pair="async-abort",
    ),
    race(
        "async-safe",
        "What no pass finds in time is found at the commit: every property is kept.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*ASYNC, PREFERRED),
        properties=EVERYTHING,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED, coverage.CONFLICT_FOUND),
        yield_points=SERVER_WRITES,
    ),
    race(
        "async-any-fault",
        "The same with any fault at any step that changes something, the marker files among it.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*ASYNC, PREFERRED),
        faults=IN_TIME_ON_SERVERS,
        properties=EVERYTHING,
        but=HIT,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND, coverage.MARKERS_UNANSWERED),
        yield_points=ON_THE_WAY,
        pair="async-safe",
    ),
    race(
        "async-unreadable",
        "A pass reads a marker file that is being written: the checker is over for good, and nobody is told (F-9).",
        SLOW,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        yield_points=ON_THE_WAY,
        broken="prompt-early-aborts",
        pair="async-prompt",
    ),
    race(
        "async-prompt",
        "The same as RFC-56 says, where such a file is taken for empty: the next pass finds what is there.",
        SLOW,
        groups=TWO_GROUPS,
        rules=AS_DOCUMENT,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED, coverage.MARKER_FILE_UNREADABLE),
        yield_points=ON_THE_WAY,
        pair="async-unreadable",
    ),
    race(
        "async-first-marker",
        "Asynchronous detection as RFC-56 says: whose first marker comes before the first pass, half a minute later, "
        "makes it beside one that is there (F-16).",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=FIRST_PASS_LATE,
        properties=(*EVERYTHING, NOTICED),
        yield_points=SERVER_WRITES,
        broken=NOTICED,
        pair="async-looks-first",
    ),
    race(
        "async-looks-first",
        "The same with a server that looks for each batch before it makes it (ours, not shipped): who comes second is "
        "refused.",
        ONE_GROUP,
        rules=SERVER_LOOKS_FIRST,
        options=FIRST_PASS_LATE,
        properties=(*EVERYTHING, NOTICED),
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED, coverage.CONFLICT_FOUND),
        yield_points=SERVER_WRITES,
        pair="async-first-marker",
    ),
    race(
        "async-check-commit",
        "Check of commits as shipped compares partition and file id with file ids alone: it never finds one (F-5).",
        SLOW_LAST,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*ASYNC_AND_COMMITS, PREFERRED),
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        yield_points=ON_THE_WAY,
        broken="prompt-early-aborts",
        pair="async-check-commit-document",
    ),
    race(
        "async-check-commit-document",
        "The same as RFC-56 says: the next pass finds a commit of the file group.",
        SLOW_LAST,
        groups=TWO_GROUPS,
        rules=AS_DOCUMENT,
        options=(*ASYNC_AND_COMMITS, PREFERRED),
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_COMMIT, coverage.MARKER_REFUSED),
        yield_points=ON_THE_WAY,
        pair="async-check-commit",
    ),
    race(
        "async-flag-stays",
        "A flag is raised for good: a write is refused by a writer that has given up meanwhile.",
        GIVING_UP,
        groups=TWO_GROUPS,
        rules=FIXED,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, "sound-early-aborts"),
        yield_points=ON_THE_WAY,
        broken="sound-early-aborts",
    ),
    race(
        "async-partition-name",
        "Two file groups of a partition whose name has an underscore: a marker of one refuses a write of the other "
        "(F-6).",
        APART,
        groups=TWO_GROUPS,
        partitions=(UNDERSCORE, UNDERSCORE),
        rules=SHIPPED,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, "sound-early-aborts"),
        yield_points=SERVER_WRITES,
        broken="sound-early-aborts",
        pair="async-partition-name-compared",
    ),
    race(
        "async-partition-name-compared",
        "The same where partition and file id are compared: nobody is refused early.",
        APART,
        groups=TWO_GROUPS,
        partitions=(UNDERSCORE, UNDERSCORE),
        rules=AS_DOCUMENT,
        options=(*ASYNC, PREFERRED),
        properties=(*EVERYTHING, "sound-early-aborts", "no-early-refusals", "all-writes-commit"),
        counters=(coverage.CHECKER_PASS, coverage.COMMITTED),
        yield_points=SERVER_WRITES,
        pair="async-partition-name",
    ),
)
SERVER_MARKERS = (
    race(
        "server-markers",
        "Two upserts of two file groups each, marked by one worker after the other in one file: nothing stays behind.",
        {"w1": [Upsert(((1, "A"), (2, "B")))], "w2": [Upsert(((1, "C"),), attempts=2)]},
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*OPTIMISTIC, *SERVER, (BATCH_THREADS, "1"), PREFERRED),
        properties=EVERYTHING,
        but=LARGE,
        counters=(coverage.MARKERS_WRITTEN, coverage.CONFLICT_FOUND, coverage.ROLLED_BACK, coverage.RECONCILED),
        yield_points=(*ON_THE_WAY, "try_lock"),
    ),
    race(
        "unwritten-markers",
        "A marker file that could not be written is acknowledged: when its writer loses, no rollback finds the data.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*OPTIMISTIC, *SERVER, PREFERRED),
        faults=UNWRITTEN,
        properties=EVERYTHING,
        yield_points=SERVER_WRITES,
        broken="clean-at-quiescence",
        pair="unwritten-markers-told",
    ),
    race(
        "unwritten-markers-told",
        "The same where the request fails (#19368): who is not told that its file is marked does not write it.",
        ONE_GROUP,
        rules=FIXED,
        options=(*OPTIMISTIC, *SERVER, PREFERRED),
        faults=UNWRITTEN,
        properties=EVERYTHING,
        counters=(coverage.COMMITTED, coverage.CONFLICT_FOUND),
        yield_points=SERVER_WRITES,
        pair="unwritten-markers",
    ),
    race(
        "cut-markers",
        "A writer died while its server wrote a marker file anew, which ends within a line: whoever rolls it back "
        "fails, now and later.",
        CLEANING,
        rules=SHIPPED,
        options=(*OPTIMISTIC, *SERVER, PREFERRED),
        history=CUT,
        properties=EVERYTHING,
        yield_points=SERVER_WRITES,
        broken="clean-at-quiescence",
        pair="cut-markers-listed",
    ),
    race(
        "cut-markers-listed",
        "The same where a rollback goes by the files that there are then.",
        CLEANING,
        rules=CUT_MARKERS_LISTED,
        options=(*OPTIMISTIC, *SERVER, PREFERRED),
        history=CUT,
        properties=EVERYTHING,
        counters=(coverage.COMMITTED, coverage.ROLLED_BACK),
        yield_points=("create", "close", "try_lock"),
        pair="cut-markers",
    ),
)
