"""Hudi scenarios: early conflict detection with direct markers (RFC-56), and markers of the dead."""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CONFLICTS, PREFER_WRITER
from model.hudi.variants import ABORT_IS_DEATH, AS_DOCUMENT, COMMITS_SINCE_INSTANT
from sim.hudi.build import (
    DIRECT,
    DIRECT_AND_COMMITS,
    EVERYTHING,
    LARGE,
    OLDER,
    ONE_GROUP,
    SHORT_BEATS,
    TRANSACTIONAL,
    TWO_GROUPS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.statements import Upsert

EARLY_DETECTION = (
    race(
        "early-abort",
        "Simple direct detection: a write is refused before its data file is written.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "no-early-refusals"),
        but=OLDER,
        broken="no-early-refusals",
    ),
    race(
        "early-direct-race",
        "Simple direct detection: both writers pass the check and make their markers.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "marker-checks-exclusive"),
        but=OLDER,
        broken="marker-checks-exclusive",
    ),
    race(
        "early-direct-safe",
        "The downside of the simple strategy is only a delay: every property is kept.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*DIRECT, (CONFLICTS, PREFER_WRITER)),
        properties=EVERYTHING,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND),
    ),
    race(
        "early-transactional-shipped",
        "Transactional detection as shipped: the lock is released before the marker is made (F-4).",
        ONE_GROUP,
        rules=SHIPPED,
        options=TRANSACTIONAL,
        properties=(*EVERYTHING, "marker-checks-exclusive"),
        but=OLDER,
        broken="marker-checks-exclusive",
        pair="early-transactional-document",
    ),
    race(
        "early-transactional-document",
        "Transactional detection as RFC-56 says: only one writer can check and create at a time.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=TRANSACTIONAL,
        properties=(*EVERYTHING, "marker-checks-exclusive"),
        but=OLDER | LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER,),
        pair="early-transactional-shipped",
    ),
    race(
        "figure-4",
        "RFC-56 figure 4: markers are gone with the commit, so its conflict is found only at the other one's commit.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "visible-conflicts-found-early"),
        but=OLDER,
        broken="visible-conflicts-found-early",
        pair="figure-4-check-commit",
    ),
    race(
        "figure-4-check-commit",
        "The same with check commit conflict: what has completed by then is found early.",
        ONE_GROUP,
        rules=SHIPPED,
        options=DIRECT_AND_COMMITS,
        properties=(*EVERYTHING, "visible-conflicts-found-early"),
        but=OLDER | LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_COMMIT, coverage.CONFLICT_FOUND),
        pair="figure-4",
    ),
)
SIMILAR = (("fg1", ((1, "a"),)), ("fg10", ((2, "b"),)))
NEXT: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Upsert(((1, "C"),))]}
FALSE_ALARMS = (
    race(
        "similar-names",
        "Two file groups, the name of one of which begins with the other's: its marker refuses a write of the other.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        groups=SIMILAR,
        rules=SHIPPED,
        options=(*DIRECT, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "sound-early-aborts"),
        broken="sound-early-aborts",
        pair="similar-names-compared",
    ),
    race(
        "similar-names-compared",
        "The same where whole names are compared: nobody is refused early.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]},
        groups=SIMILAR,
        rules=AS_DOCUMENT,
        options=(*DIRECT, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "sound-early-aborts", "no-early-refusals", "all-writes-commit"),
        counters=(coverage.EARLY_CHECK, coverage.COMMITTED),
        pair="similar-names",
    ),
    race(
        "finished-marker",
        "A commit is there, and its heartbeat and markers still are: who begins then has seen it, and is refused.",
        NEXT,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*DIRECT, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "sound-early-aborts"),
        broken="sound-early-aborts",
        pair="finished-marker-locked",
    ),
    race(
        "finished-marker-locked",
        "The same where they are deleted before the lock is released, as before 1.2.0: nobody begins in between.",
        NEXT,
        groups=TWO_GROUPS,
        rules=ABORT_IS_DEATH,
        options=(*DIRECT, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "sound-early-aborts"),
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.COMMITTED),
        yield_points=WRITES,
        pair="finished-marker",
    ),
    race(
        "check-commit-older",
        "Check of commits: one that completed between the start of a write and its first look is found at the commit.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*DIRECT_AND_COMMITS, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "visible-conflicts-found-early"),
        broken="visible-conflicts-found-early",
        pair="check-commit-since-instant",
    ),
    race(
        "check-commit-since-instant",
        "The same where the check goes by the instant of the write, as the commit does (ours, not shipped): it is "
        "found early.",
        ONE_GROUP,
        rules=COMMITS_SINCE_INSTANT,
        options=(*DIRECT_AND_COMMITS, (CONFLICTS, PREFER_WRITER)),
        properties=(*EVERYTHING, "visible-conflicts-found-early"),
        counters=(coverage.EARLY_CONFLICT_BY_COMMIT, coverage.CONFLICT_FOUND),
        pair="check-commit-older",
    ),
)
LOSER: Writers = {"w1": [Upsert(((2, "B"),))], "w2": [Upsert(((1, "A"), (2, "C")))], "w3": [Upsert(((1, "D"),))]}
RETRY: Writers = {"w1": [Upsert(((2, "B"),))], "w2": [Upsert(((1, "A"), (2, "C"))), Upsert(((1, "D"),))]}
POISONED = (
    race(
        "dead-marker",
        "A loser's marker refuses a third writer, although the winner has committed and nobody is writing (F-12).",
        LOSER,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "sound-early-aborts"),
        but=OLDER,
        broken="sound-early-aborts",
    ),
    race(
        "dead-marker-retry",
        "The same with two writers: the loser's own second try is refused by its first one.",
        RETRY,
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "sound-early-aborts"),
        but=OLDER,
        broken="sound-early-aborts",
        pair="dead-marker-retry-fixed",
    ),
    race(
        "dead-marker-retry-fixed",
        "The same with a loser that deletes its heartbeat file: only the living refuse.",
        RETRY,
        groups=TWO_GROUPS,
        rules=ABORT_IS_DEATH,
        options=DIRECT,
        properties=(*EVERYTHING, "sound-early-aborts"),
        but=OLDER | LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.EARLY_SKIPPED_DEAD),
        yield_points=WRITES,
        pair="dead-marker-retry",
    ),
)


def _retrying(between_ms: int) -> Writers:
    """w2 writes its two files side by side, and its owner tries again: refused, some of its tasks have marked files."""
    return {
        "w1": [Upsert(((2, "B"),))],
        "w2": [Upsert(((1, "A"), (2, "C")), tries=3, between_ms=between_ms, tasks=2)],
    }


RETRIES = (
    race(
        "retry-too-soon",
        "Tries that follow each other sooner than a heartbeat expires: each refuses the next, long after the conflict.",
        _retrying(600),
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*DIRECT, *SHORT_BEATS),
        properties=(*EVERYTHING, "tries-do-not-stop-each-other"),
        but=OLDER,
        broken="tries-do-not-stop-each-other",
        pair="retry-after-expiry",
    ),
    race(
        "retry-after-expiry",
        "The same with an owner that waits until the heartbeat of its last try has expired: the next one gets through.",
        _retrying(1_100),
        groups=TWO_GROUPS,
        rules=SHIPPED,
        options=(*DIRECT, *SHORT_BEATS),
        properties=(*EVERYTHING, "tries-do-not-stop-each-other"),
        but=OLDER | LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.EARLY_SKIPPED_DEAD),
        yield_points=("create", "delete", "try_lock", "sleep"),
        pair="retry-too-soon",
    ),
)
