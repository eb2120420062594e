"""Hudi scenarios: marker files that vanish, or whose type does or is cut, while others are at work.

Nobody is told of it (#18783 tells of markers that were lost). A rollback goes by the markers that there are,
so the file whose marker vanished stays; one that lists (`hoodie.rollback.using.markers` false) finds it. A
reconciliation goes by direct markers as they are, and by what a timeline server remembers of its own. Without its type
an instant's markers are looked for in either place; a type that does not say which stops each rollback.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import USING_MARKERS
from model.hudi.variants import CUT_MARKERS_LISTED, HISTORY_READ
from sim.hudi.build import (
    EVERYTHING,
    ONE_GROUP,
    OPTIMISTIC,
    PREFERRING,
    SERVER,
    SERVER_WRITES,
    TWO_GROUPS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.built_in.archiving import SMALLEST
from sim.hudi.built_in.merge_on_read import CHANGED, MERGED
from sim.hudi.statements import Archive, Clean, Compact, DamageMarkers, Upsert
from sim.hudi.workload import Past
from sim.world.scenario import FaultSpace

HAND = "hand"
SERVED = (*PREFERRING, *SERVER)
LISTED = (USING_MARKERS, "false")
GONE: Writers = {**ONE_GROUP, HAND: [DamageMarkers()]}
UNTYPED: Writers = {**ONE_GROUP, HAND: [DamageMarkers("type vanished")]}
CUT_SHORT: Writers = {**ONE_GROUP, HAND: [DamageMarkers("type cut")]}
TRIED_AGAIN: Writers = {"w1": [Upsert(((1, "A"),), attempts=2)], HAND: [DamageMarkers()]}
REFUSED: Writers = {
    "w1": [Upsert(((1, "A"),)), Clean(), Upsert(((2, "C"),)), Archive()],
    "w2": [Upsert(((1, "B"),))],
    HAND: [DamageMarkers()],
}
"""The other one may be refused; the first one rolls it back, goes on, and archives what is older than its commit."""
ARCHIVING: Writers = {"w1": [Clean(), Upsert(((2, "C"),)), Upsert(((2, "D"),)), Archive()], HAND: [DamageMarkers()]}
"""After a writer that has died before: the same, with less to search."""
DIRECTLY: dict[str, Any] = {"properties": EVERYTHING, "yield_points": WRITES}
SERVING: dict[str, Any] = {"properties": EVERYTHING, "yield_points": SERVER_WRITES}
SERVING_STILL: dict[str, Any] = {"properties": EVERYTHING, "yield_points": ("close", "delete", "try_lock")}
"""Where two writers have more steps."""
TAKEN_OVER: Writers = {
    "c1": [Compact(pending=True)], "c2": [Upsert(((1, "A"),)), Compact()], HAND: [DamageMarkers()],
}  # fmt: skip
"""Which of two files of one compaction is read is said by their names."""
LOST_LOCK = FaultSpace(
    {"try_lock": ("drop-before",)},
    1,
    ("c2",),
    words="a request of c2 for the lock that does not arrive (the question is one)",
)
FAILED: dict[str, Any] = {
    "rules": SHIPPED, "options": (*OPTIMISTIC, *MERGED), "properties": EVERYTHING, "history": CHANGED,
    "yield_points": ("list", "delete", "try_lock"), "faults": LOST_LOCK,
    "but": {"clean-at-quiescence": "nobody rolls back what has failed"},
}  # fmt: skip
"""Who does not get the lock for his commit fails."""
STRUCK = (coverage.MARKERS_DAMAGED, coverage.CONFLICT_FOUND, coverage.ROLLED_BACK)
LATER: dict[str, Any] = {
    "groups": TWO_GROUPS, "options": (*PREFERRING, *SMALLEST), "properties": EVERYTHING,
    "but": {"clean-at-quiescence": "hudi/marker-vanished breaks it"}, "yield_points": ("delete", "try_lock"),
}  # fmt: skip
DAMAGED = (
    race(
        "marker-vanished",
        "The marker of a write vanishes that is refused then: its rollback says that it is done, and leaves its file.",
        GONE,
        rules=SHIPPED,
        options=PREFERRING,
        broken="clean-at-quiescence",
        pair="marker-vanished-listed",
        **DIRECTLY,
    ),
    race(
        "marker-vanished-listed",
        "The same where rollbacks list files (`hoodie.rollback.using.markers` false): nothing stays behind.",
        GONE,
        rules=SHIPPED,
        options=(*PREFERRING, LISTED),
        counters=STRUCK,
        pair="marker-vanished",
        **DIRECTLY,
    ),
    race(
        "marker-vanished-server",
        "The same with a marker file of the timeline server, and all the markers in it.",
        GONE,
        rules=SHIPPED,
        options=SERVED,
        broken="clean-at-quiescence",
        pair="marker-vanished-server-listed",
        **SERVING_STILL,
    ),
    race(
        "marker-vanished-server-listed",
        "The same where rollbacks list files: nothing stays behind.",
        GONE,
        rules=SHIPPED,
        options=(*SERVED, LISTED),
        counters=STRUCK,
        pair="marker-vanished-server",
        **SERVING_STILL,
    ),
    race(
        "marker-vanished-attempt",
        "The marker of a failed attempt vanishes: the commit's reconciliation does not find its file, which stays.",
        TRIED_AGAIN,
        rules=SHIPPED,
        options=PREFERRING,
        broken="clean-at-quiescence",
        pair="marker-vanished-attempt-server",
        **DIRECTLY,
    ),
    race(
        "marker-vanished-attempt-server",
        "The same with markers of the timeline server: it reconciles by what it remembers, whatever has vanished.",
        TRIED_AGAIN,
        rules=SHIPPED,
        options=SERVED,
        counters=(coverage.MARKERS_DAMAGED, coverage.RECONCILED),
        pair="marker-vanished-attempt",
        **SERVING,
    ),
    race(
        "marker-type-vanished",
        "`MARKERS.type` vanishes: a rollback looks for marker files all the same, and finds them.",
        UNTYPED,
        rules=SHIPPED,
        options=SERVED,
        counters=STRUCK,
        **SERVING_STILL,
    ),
    race(
        "marker-type-cut",
        "`MARKERS.type` ends within its word: whoever rolls that write back fails, now and later.",
        CUT_SHORT,
        rules=SHIPPED,
        options=SERVED,
        broken="clean-at-quiescence",
        pair="marker-type-cut-listed",
        **SERVING_STILL,
    ),
    race(
        "marker-type-cut-listed",
        "The same where a rollback goes by the files that there are then.",
        CUT_SHORT,
        rules=CUT_MARKERS_LISTED,
        options=SERVED,
        counters=STRUCK,
        pair="marker-type-cut",
        **SERVING_STILL,
    ),
    race(
        "marker-vanished-read",
        "The marker of a write vanishes that is refused and rolled back; when others have committed and archived, "
        "everybody reads the file that stayed.",
        REFUSED,
        rules=SHIPPED,
        broken="no-aborted-reads",
        pair="marker-vanished-left-out",
        **LATER,
    ),
    race(
        "marker-vanished-left-out",
        "The same after a writer that died, where of files older than the active timeline those of archived commits "
        "are read alone.",
        ARCHIVING,
        rules=HISTORY_READ,
        history=(Past(((1, "h"),), "written"),),
        counters=(coverage.MARKERS_DAMAGED, coverage.ARCHIVED, coverage.LEFT_OUT),
        pair="marker-vanished-read",
        **LATER,
    ),
    race(
        "mor-marker-vanished",
        "An executor of a compaction fails, and its marker vanishes: the one that takes the plan over leaves its file, "
        "and readers take that for what was committed.",
        TAKEN_OVER,
        broken="no-aborted-reads",
        pair="mor-marker-vanished-listed",
        **FAILED,
    ),
    race(
        "mor-marker-vanished-listed",
        "The same where rollbacks list files.",
        TAKEN_OVER,
        counters=(coverage.MARKERS_DAMAGED, coverage.COMPACTION_TAKEN_OVER),
        pair="mor-marker-vanished",
        **{**FAILED, "options": (*FAILED["options"], LISTED)},
    ),
)
