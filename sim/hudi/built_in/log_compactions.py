"""Hudi scenarios: log compaction of merge-on-read tables, beside writers, readers, compactions and restores.

A compacted block stands in the place of the last of those that it is made of: what is between them is merged before it.
A write whose instant is between them, and that was not committed when they were compacted, is changed back by them.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import LOG_COMPACT_AFTER
from model.hudi.variants import LOG_COMPACTIONS_BEAT, LOG_PLANS_TAKEN_BACK
from sim.hudi.build import ASYNC, DIRECT, EVERYTHING, OPTIMISTIC, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.merge_on_read import CHANGED, MERGED
from sim.hudi.built_in.restores import KEPT, LEFT
from sim.hudi.statements import Compact, Read, Restore, Savepoint, Upsert
from sim.hudi.workload import Options

LOGS: Options = (*MERGED, (LOG_COMPACT_AFTER, "1"))
PAIRS: Options = (*MERGED, (LOG_COMPACT_AFTER, "2"))
OF_LOGS = Compact(logs=True)
OLDER: Writers = {"w1": [Upsert(((1, "B"),)), Upsert(((1, "A"),))], "w2": [Upsert(((2, "C"),)), OF_LOGS]}
TAKEN: Writers = {"c1": [Upsert(((1, "A"),)), OF_LOGS], "c2": [Compact(pending=True, logs=True)]}
TWICE: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),))], "c1": [OF_LOGS]}
STUCK: Writers = {
    "w1": [Savepoint(), Compact(), Restore(2), Upsert(((2, "B"),))], "c1": [Upsert(((1, "A"),)), OF_LOGS],
}  # fmt: skip
PLANNED = {"clean-at-quiescence": "a log compaction that has become too late stays planned"}
BEGUN = {"clean-at-quiescence": "a log compaction that is refused early stays begun"}
SERVED = ("create", "close", "try_lock", "sleep")
TABLE: dict[str, Any] = {"options": (*OPTIMISTIC, *LOGS), "rules": SHIPPED, "properties": EVERYTHING}
RESTORED: dict[str, Any] = {**TABLE, "options": (*PREFERRING, *LOGS), "properties": KEPT}
LOG_COMPACTIONS = (
    race(
        "mor-logs",
        "An upsert beside a log compaction: one that is committed after it, and has begun before, is refused.",
        {"w1": [Upsert(((1, "A"),))], "c1": [OF_LOGS]},
        history=CHANGED,
        counters=(coverage.LOGS_COMPACTED, coverage.LOGS_MERGED, coverage.CONFLICT_FOUND, coverage.CONFLICT_ALLOWED),
        **TABLE,
    ),
    race(
        "mor-logs-early",
        "Upserts beside a log compaction, with simple direct detection: a smaller instant's marker refuses the log "
        "compaction, which nothing refuses at its commit; its own refuses nobody, for it has no heartbeat.",
        TWICE,
        but=BEGUN,
        broken="no-early-refusals",
        pair="mor-logs-early-safe",
        **{**TABLE, "options": (*DIRECT, *LOGS), "properties": (*EVERYTHING, "no-early-refusals")},
    ),
    race(
        "mor-logs-early-safe",
        "The same: one of the two is done, and every property is kept.",
        TWICE,
        but=BEGUN,
        counters=(coverage.LOGS_COMPACTED, coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND),
        yield_points=WRITES,
        pair="mor-logs-early",
        **{**TABLE, "options": (*DIRECT, *LOGS)},
    ),
    race(
        "mor-logs-async",
        "Upserts beside a log compaction, with the checker of a timeline server: it refuses the log compaction for a "
        "smaller instant's marker as it refuses a write, and nobody for the log compaction's own.",
        TWICE,
        but=BEGUN,
        broken="no-early-refusals",
        yield_points=SERVED,
        pair="mor-logs-async-safe",
        **{**TABLE, "options": (*ASYNC, *LOGS), "properties": (*EVERYTHING, "no-early-refusals")},
    ),
    race(
        "mor-logs-async-safe",
        "The same: one of the two is done, and every property is kept.",
        TWICE,
        but=BEGUN,
        counters=(coverage.LOGS_COMPACTED, coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND),
        yield_points=SERVED,
        pair="mor-logs-async",
        **{**TABLE, "options": (*ASYNC, *LOGS)},
    ),
    race(
        "mor-logs-read",
        "A reader beside an upsert and a log compaction sees neither twice nor too early what it did.",
        {"w1": [Upsert(((1, "A"),)), OF_LOGS], "r1": [Read(), Read()]},
        counters=(coverage.LOGS_COMPACTED, coverage.LOGS_MERGED),
        yield_points=("create", "list", "read"),
        **{**TABLE, "properties": (*EVERYTHING, "monotonic-reads")},
    ),
    race(
        "mor-logs-older",
        "A log compaction of two log files beside an upsert whose instant is between theirs: the older value of its "
        "row is merged over it, once it has been seen or before.",
        OLDER,
        broken="acknowledged-writes-survive",
        pair="mor-logs-preferring",
        **{**TABLE, "options": (*OPTIMISTIC, *PAIRS)},
    ),
    race(
        "mor-logs-preferring",
        "The same under the strategy that prefers writers: that upsert is refused.",
        OLDER,
        counters=(coverage.LOGS_COMPACTED, coverage.LOGS_MERGED, coverage.CONFLICT_FOUND),
        yield_points=("create",),
        pair="mor-logs-older",
        **{**TABLE, "options": (*PREFERRING, *PAIRS)},
    ),
    race(
        "mor-logs-compact",
        "A log compaction beside a compaction, after which somebody goes on: it is too late, or what it has written "
        "belongs to the new slice, where nobody reads it.",
        {"c1": [OF_LOGS], "w1": [Compact(), Upsert(((2, "A"),))]},
        history=CHANGED,
        yield_points=("create", "list", "try_lock"),
        counters=(coverage.LOGS_COMPACTED, coverage.COMPACTED, coverage.LOG_COMPACTION_LATE),
        but=PLANNED,
        **TABLE,
    ),
    race(
        "mor-logs-taken",
        "Who finds a log compaction that is under way takes it for dead and rolls it back, as it has no heartbeat: it "
        "is committed, and its file is deleted.",
        TAKEN,
        broken="table-invariants",
        pair="mor-logs-taken-beat",
        **TABLE,
    ),
    race(
        "mor-logs-taken-beat",
        "The same where a log compaction has a heartbeat, as a compaction has: the other one lets it be.",
        TAKEN,
        counters=(coverage.LOGS_COMPACTED, coverage.LOGS_MERGED, coverage.COMPACTION_BUSY),
        pair="mor-logs-taken",
        **{**TABLE, "rules": LOG_COMPACTIONS_BEAT},
    ),
    race(
        "mor-restore-logs",
        "A restore that is planned when a log compaction is pending, for which a compaction has made it too late, "
        "cannot roll that back: it fails each time, and nobody begins a write any more.",
        STUCK,
        broken="table-invariants",
        but=LEFT,
        yield_points=("create",),
        pair="mor-restore-logs-taken-back",
        **RESTORED,
    ),
    race(
        "mor-restore-logs-taken-back",
        "The same where a restore takes a pending log compaction back as it does a compaction.",
        STUCK,
        but=LEFT,
        yield_points=("create",),
        counters=(coverage.RESTORED, coverage.PENDING_TAKEN_BACK, coverage.LOGS_COMPACTED, coverage.COMPACTED),
        pair="mor-restore-logs",
        **{**RESTORED, "rules": LOG_PLANS_TAKEN_BACK},
    ),
)
