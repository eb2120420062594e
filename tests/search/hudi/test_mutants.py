"""A check of Hudi's write path that is broken is noticed: the default search kills its mutant.

Each row names the race and the property that must break, and nothing else: the same race under the mutant's base keeps
that property within the same search. Steps are the calls that change something, unless a row says otherwise. Mutants of
waiting (no more beats, no retry of the lock) change no history that is safe; vectors kill them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from model.hudi import SHIPPED
from model.hudi.keys import BATCH_THREADS
from sim.hudi.build import (
    ASYNC,
    ASYNC_AND_COMMITS,
    BLOOM,
    BLOOM_ASYNC,
    DIRECT,
    FILE_LOCK,
    IN_TIME,
    ONE_GROUP,
    OPTIMISTIC,
    PREFERRING,
    SERVER,
    SHIPPED_BEATS,
    TRANSACTIONAL,
    TWO_GROUPS,
    WRITES,
    Writers,
    race,
)
from sim.hudi.built_in.archiving import ARCHIVING, OUTDATED, ROLLED_BACK, SMALLEST
from sim.hudi.built_in.archiving import SLOW as ARCHIVED_SLOW
from sim.hudi.built_in.bloom import CROWDED, OVERLAPPING, WRITING
from sim.hudi.built_in.cleaning import CLEANING, EMPTIED, ONE_SLICE, PASSING, WITHIN_HOUR
from sim.hudi.built_in.cleaning import FILLED as FOLDER_DELETED
from sim.hudi.built_in.clustering import ALLOWING, UPDATED
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.hudi.built_in.merge_on_read import BESIDE, CHANGED, MERGED
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.built_in.metastore_locks import METASTORE_LOCK
from sim.hudi.built_in.non_blocking import BY_EVENT_TIME, ELSEWHERE, NON_BLOCKING, NUMBERED
from sim.hudi.built_in.partitions import LEVELS
from sim.hudi.built_in.replacing import DELETED, EMPTY, FILLED, OVERWRITTEN
from sim.hudi.built_in.restores import UPDATING as RESTORED_BESIDE
from sim.hudi.built_in.savepoints import CLEANED as SAVED_BESIDE
from sim.hudi.built_in.savepoints import EMPTIED as SAVED_THEN_EMPTIED
from sim.hudi.built_in.savepoints_archived import BEING_ARCHIVED, GONE_BACK
from sim.hudi.built_in.server_markers import LONG_MS, LONGER_MS, ON_THE_WAY, SLOW, SLOW_LAST, UNDERSCORE, UNWRITTEN
from sim.hudi.built_in.storage_locks import STORAGE_LOCK
from sim.hudi.statements import Archive, Clean, Cluster, Compact, Insert, Overwrite, Read, Restore, Savepoint, Upsert
from sim.search.explore import default_plan
from sim.search.result import Result
from sim.world.scenario import FaultSpace
from tests.mutants.hudi import MUTANTS
from tests.search.hudi.kills import OTHER_KILLS, TIDY, Kill

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
MERGING = {"rules": SHIPPED, "options": (*PREFERRING, *MERGED)}
LOOKING = {**MERGING, "yield_points": None}
UNBLOCKED = {"options": NON_BLOCKING, "elsewhere": ELSEWHERE["elsewhere"]}
EVENTS = {"options": (*NON_BLOCKING, *BY_EVENT_TIME), "groups": NUMBERED}
BEGUN: Writers = {"w1": [Upsert(((5, "A"),))], "w2": [Upsert(((5, "B"),))]}
PLANNED: Writers = {"c1": [Compact()], "w2": [Upsert(((5, "A"),)), Upsert(((6, "B"),)), Read()]}
COMPACTED: Writers = {"w1": [Upsert(((1, "A"),)), Compact()]}
READING = {
    **{name: value for name, value in OUTDATED.items() if name != "properties"},
    "yield_points": ("create", "write", "sleep"),
}
SAVED = {"options": (*PREFERRING, *SMALLEST), "yield_points": ("create", "list", "try_lock")}
KEEPING = {**{name: value for name, value in ARCHIVING.items() if name != "properties"}, "yield_points": ("create",)}
UNCOMPACTED = {**KEEPING, "options": (*ARCHIVING["options"], LISTED_BY)}
THREE = [Upsert(((2, value),)) for value in "BCD"]
CLEANED, HOURS = [{name: all_[name] for name in all_ if name != "properties"} for all_ in (CLEANING, PASSING)]
COUNTED = {"options": (*PREFERRING, *ONE_SLICE)}
RESTORED = {"options": PREFERRING, "yield_points": ("create", "try_lock")}
RESTORED_ONCE = [*[*RESTORED_BESIDE["w1"]][:-1], Restore()]
NOTHING: Mapping[str, Any] = MappingProxyType({})
PROMPT, KEPT = "prompt-early-aborts", "savepoint-kept"
LOST, SURVIVE = "no-lost-update", "acknowledged-writes-survive"
ONE: Writers = {"w1": [Upsert(((1, "A"),))]}
DISJOINT: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
PENDING: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Upsert(((1, "C"),))]}
ZOMBIE: Writers = {"w1": [Upsert(((1, "A"),))], "cleaner": [Clean(3000)]}
# The clock goes on while the cleaner is at work: the writer that stood still comes back in the middle of its rollback.
BUSY: Writers = {**ZOMBIE, "w2": [Upsert(((2, "B"),), after_ms=6000)]}
SWEPT: Writers = {"w1": [Upsert(((1, "A"),))], "cleaner": [Clean()]}
TWICE: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),)), Upsert(((1, "C"),))]}
SECOND_TRY: Writers = {"w1": [Upsert(((1, "A"),), attempts=2)], "w2": [Upsert(((1, "B"),), attempts=2)]}
LATE_ABORT: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),), attempts=2), Upsert(((1, "C"),))]}
TWO = {"groups": TWO_GROUPS}
SIMILAR = {"groups": (("fg1", ((1, "a"),)), ("fg10", ((2, "b"),)))}
CHANGES = ("create", "delete", "rename", "try_lock", "sleep")
EVERY_CALL = {"yield_points": None}
BEATING = {"options": (*OPTIMISTIC, *SHIPPED_BEATS), "yield_points": WRITES, "faults": IN_TIME}
STANDS_STILL = FaultSpace({"create": ("pause",)}, limit=1, actors=("w1",), pause_ms=5_000)
PREFERRED = {"options": PREFERRING}
DETECTING = {"options": DIRECT}
BOTH = Upsert(((1, "B"), (2, "C")))
SLOW_TRIES: Writers = {
    "w1": [Upsert(((1, "A"),), attempts=2, work_ms=LONG_MS)],
    "w2": [Upsert(((1, "B"),), attempts=2, work_ms=LONG_MS)],
}
CHECKING = {"options": ASYNC, "yield_points": ("try_lock", "overwrite", "close", "sleep")}
NOTICED = "made-markers-noticed"
BLOOMING = {"options": BLOOM, "yield_points": ("create", "overwrite", "close")}
BLOOM_PASSES = {"options": BLOOM_ASYNC, "yield_points": WRITING}
MARKING = {"options": (*OPTIMISTIC, *SERVER, (BATCH_THREADS, "1")), "yield_points": ON_THE_WAY}
# Looking for the present state and making the next one are no two steps here: between them the check does not help.
LOCKED_CREATES = ("write", "delete", "try_lock", "sleep")
OBJECTS = {"rules": SHIPPED, "options": STORAGE_LOCK, "one_process": False, "yield_points": ("commit", "create")}
METASTORES = {"rules": SHIPPED, "options": METASTORE_LOCK, "one_process": False, "yield_points": ("lock", "create")}
HOSTS = {"options": FILE_LOCK, "one_process": False, "yield_points": WRITES}


KILLS = (
    *OTHER_KILLS,
    # the commit
    Kill("no-conflict-check", LOST, ONE_GROUP),
    Kill("conflict-check-before-lock", LOST, ONE_GROUP),
    Kill("conflict-check-on-old-timeline", LOST, ONE_GROUP),
    Kill("forgets-who-was-pending", LOST, PENDING, TWO),
    Kill("completes-after-unlock", LOST, ONE_GROUP),
    Kill("conflicts-by-partition", "no-late-refusals", DISJOINT, TWO),
    Kill("prefers-older-writers", SURVIVE, ONE_GROUP, {"options": PREFERRING, **EVERY_CALL}),
    Kill("merges-with-newer-slice", SURVIVE, ONE_GROUP, EVERY_CALL),
    Kill("requested-after-unlock", LOST, PENDING, TWO),
    Kill("completes-without-inflight", "rollback-is-final", ZOMBIE, {**BEATING, "yield_points": LOCKED_CREATES}),
    # heartbeats
    Kill("commits-when-expired", SURVIVE, ZOMBIE, BEATING),
    Kill(
        "late-beat-is-life",
        SURVIVE,
        BUSY,
        {**TWO, **BEATING, "faults": STANDS_STILL, "yield_points": ("create", "sleep")},
    ),
    Kill("rolls-back-the-living", "all-writes-commit", SWEPT, EVERY_CALL),
    Kill("loser-keeps-heartbeat", "sound-early-aborts", TWICE, DETECTING),
    Kill("heartbeat-left-behind", TIDY, ONE),
    # markers
    Kill("data-without-marker", TIDY, ONE_GROUP),
    Kill("no-reconciliation", TIDY, {"w1": [Upsert(((1, "A"),), attempts=2)]}),
    Kill("markers-left-behind", TIDY, ONE),
    # the rollback
    Kill("rolls-back-what-completed", SURVIVE, SWEPT, EVERY_CALL),
    Kill("no-recheck-under-lock", "table-invariants", ZOMBIE, BEATING),
    Kill("own-rollback-ignored", SURVIVE, ZOMBIE, BEATING),
    Kill("rollback-without-lock", "table-invariants", ZOMBIE, BEATING),
    Kill("rollback-keeps-data", TIDY, ONE_GROUP),
    Kill("rollback-keeps-markers", TIDY, ONE_GROUP),
    Kill("rollback-keeps-instants", TIDY, ONE_GROUP),
    # early detection
    Kill("looks-at-larger-instants", "somebody-finishes", SECOND_TRY, DETECTING),
    Kill("dead-markers-count", "sound-early-aborts", TWICE, DETECTING),
    Kill("early-loser-looks-alive", "sound-early-aborts", LATE_ABORT, DETECTING),
    Kill("marker-after-unlock", "marker-checks-exclusive", ONE_GROUP, {"options": TRANSACTIONAL}),
    Kill("file-id-by-substring", "sound-early-aborts", DISJOINT, {**SIMILAR, **DETECTING}),
    # the timeline server and its checker
    Kill("checker-looks-at-larger-instants", "somebody-finishes", SLOW_TRIES, CHECKING),
    Kill("checker-takes-dead-for-alive", "sound-early-aborts", TWICE, {**CHECKING, "yield_points": ON_THE_WAY}),
    Kill("checker-ends-after-failure", PROMPT, SLOW, {**TWO, **CHECKING}),
    Kill("checker-comes-by-once", PROMPT, SLOW, {**TWO, **CHECKING}),
    Kill("checker-finds-no-markers", PROMPT, SLOW, {**TWO, **CHECKING}),
    Kill(
        "checker-finds-no-commits",
        PROMPT,
        SLOW_LAST,
        {**TWO, **CHECKING, "options": ASYNC_AND_COMMITS, "yield_points": ("create", "close", "sleep")},
    ),
    Kill("flag-is-not-looked-at", PROMPT, SLOW, {**TWO, **CHECKING}),
    Kill(
        "compares-up-to-underscore",
        "sound-early-aborts",
        DISJOINT,
        {**TWO, **CHECKING, "partitions": (UNDERSCORE, UNDERSCORE)},
    ),
    Kill("marker-file-with-the-new-ones-only", TIDY, {**ONE_GROUP, "w2": [BOTH]}, {**TWO, **MARKING}),
    Kill("marker-file-not-written", TIDY, ONE_GROUP, MARKING),
    Kill("failure-to-close-swallowed", TIDY, ONE_GROUP, {**MARKING, "faults": UNWRITTEN}),
    Kill("server-keeps-markers", TIDY, ONE, MARKING),
    Kill("server-forgets-markers", TIDY, {"w1": [Upsert(((1, "A"),), attempts=2)]}, MARKING),
    Kill("rollback-reads-no-server-markers", TIDY, ONE_GROUP, MARKING),
    # Bloom files
    Kill("bloom-file-after-marker", NOTICED, {**OVERLAPPING, "w2": [Upsert(((2, "C"),))]}, {**TWO, **BLOOMING}),
    Kill("bloom-file-of-last-marker", NOTICED, OVERLAPPING, {**TWO, **BLOOMING}),
    Kill("unreadable-bloom-file-says-no", NOTICED, OVERLAPPING, {**TWO, **BLOOMING}),
    Kill("bloom-file-not-written", NOTICED, ONE_GROUP, BLOOMING),
    Kill("bloom-file-asked-for-other-names", NOTICED, ONE_GROUP, BLOOMING),
    Kill(
        "bloom-file-decides-alone",
        "sound-early-aborts",
        DISJOINT,
        {**TWO, **BLOOMING, "options": (*BLOOM, *CROWDED)},
    ),
    Kill("server-bloom-file-not-written", PROMPT, SLOW, {**TWO, **BLOOM_PASSES}),
    Kill(
        "server-bloom-file-of-last-marker",
        PROMPT,
        {**SLOW, "w1": [Upsert(((1, "A"), (2, "D")), work_ms=LONGER_MS, tasks=2)]},
        {**TWO, **BLOOM_PASSES},
    ),
    # several partitions
    Kill("rows-in-one-partition", SURVIVE, DISJOINT, {**TWO, "partitions": LEVELS}),
    Kill("markers-of-one-level", TIDY, ONE_GROUP, {"partitions": LEVELS[:1]}),
    Kill(
        "server-markers-up-to-underscore",
        TIDY,
        {"w1": [Upsert(((1, "A"),), attempts=2)]},
        {**MARKING, "partitions": (UNDERSCORE,)},
    ),
    # overwrites and deletions of partitions
    Kill("hides-nothing", SURVIVE, {"w1": [Overwrite(((1, "A"),))]}),
    Kill("overwrite-compares-its-files-only", LOST, DELETED, PREFERRED),
    Kill("overwrites-others-files-only", LOST, OVERWRITTEN, PREFERRED),
    Kill("overwrites-by-file-group", SURVIVE, FILLED, {**PREFERRED, **EMPTY}),
    Kill("overwrites-never-rolled-back", TIDY, OVERWRITTEN, PREFERRED),
    # cleaning
    Kill("cleans-pending-files", SURVIVE, FOLDER_DELETED, CLEANED),
    Kill("cleans-newest-slice", SURVIVE, {"w1": [Upsert(((1, "A"),)), Clean()]}, CLEANED),
    Kill("cleans-last-version", SURVIVE, {"w1": [Upsert(((1, "A"),)), Clean()]}, COUNTED),
    Kill("cleans-newest-versions", SURVIVE, {"w1": [Upsert(((1, "A"),)), Clean()]}, COUNTED),
    Kill("hours-are-seconds", SURVIVE, WITHIN_HOUR, HOURS),
    Kill("cleans-partition-in-use", SURVIVE, {"w1": [EMPTIED[0], Insert(((5, "e"),)), *EMPTIED[1:]]}, CLEANED),
    # savepoints
    Kill("cleans-what-is-saved", KEPT, {"w1": [Savepoint(), *SAVED_BESIDE]}, CLEANED),
    Kill("saves-what-was-cleaned", KEPT, {"w1": [*SAVED_BESIDE, Savepoint(2)]}, CLEANED),
    Kill("saves-what-will-be-cleaned", KEPT, {"w1": SAVED_BESIDE, "w2": [Savepoint(2)]}, CLEANED),
    Kill("saves-newest-slices", KEPT, {"w1": [*SAVED_BESIDE[:2], Savepoint(1)]}, CLEANED),
    Kill("cleans-folder-of-savepoint", KEPT, {"w1": SAVED_THEN_EMPTIED}, CLEANED),
    # restores
    Kill("starts-beside-restore", SURVIVE, RESTORED_BESIDE, RESTORED),
    Kill("commits-after-restore", SURVIVE, RESTORED_BESIDE, RESTORED),
    Kill("restore-planned-before-lock", SURVIVE, {**RESTORED_BESIDE, "w1": RESTORED_ONCE}, RESTORED),
    # merge-on-read
    Kill("logs-merged-backwards", SURVIVE, {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),))]}, MERGING),
    Kill("log-in-older-slice", SURVIVE, BESIDE, {**MERGING, "history": CHANGED}),
    Kill("reader-forgets-logs", SURVIVE, ONE, MERGING),
    Kill("uncommitted-logs-merged", "no-aborted-reads", ONE_GROUP, MERGING),
    Kill("compacts-without-logs", SURVIVE, COMPACTED, MERGING),
    Kill("executors-do-not-look", "table-invariants", {**COMPACTED, "c1": [Compact(pending=True)]}, LOOKING),
    Kill("rollback-leaves-logs", TIDY, ONE_GROUP, MERGING),
    Kill("compaction-heartbeat-stays", TIDY, COMPACTED, MERGING),
    Kill("compaction-markers-stay", TIDY, COMPACTED, MERGING),
    # non-blocking writers
    Kill("begins-bucket-of-its-own", "events-in-order", BEGUN, {**UNBLOCKED, **EVENTS}),
    Kill("events-merged-by-commit", "events-in-order", ONE_GROUP, EVENTS),
    Kill("non-blocking-compares", "all-writes-commit", ONE_GROUP, UNBLOCKED),
    Kill("plan-begins-no-slice", "read-your-writes", PLANNED, UNBLOCKED),
    # archiving
    Kill("archives-late-commits", LOST, ARCHIVED_SLOW, KEEPING),
    Kill("reads-what-is-older", "no-aborted-reads", ROLLED_BACK, READING),
    Kill("archives-uncompacted", LOST, ARCHIVED_SLOW, UNCOMPACTED),
    Kill("archives-by-older-timeline", SURVIVE, GONE_BACK, SAVED),
    Kill("saves-what-is-being-archived", KEPT, BEING_ARCHIVED, SAVED),
    Kill("archives-what-was-replaced", SURVIVE, {"w1": [Overwrite(((1, "A"),)), *THREE, Archive()]}, KEEPING),
    # clustering
    Kill("clusters-beside", SURVIVE, {"w1": [Cluster()]}),
    Kill("plans-what-is-planned", SURVIVE, {"w1": [Cluster()], "w2": [Cluster()]}),
    Kill("clustering-looks-at-nobody", LOST, UPDATED, {"options": ALLOWING, "yield_points": WRITES}),
    Kill("plan-is-no-candidate", LOST, UPDATED, {"options": (*OPTIMISTIC, *ALLOWING[-1:]), "yield_points": WRITES}),
    # the storage-based lock
    Kill("lock-object-not-compared", "one-lock-holder", ONE_GROUP, OBJECTS),
    Kill("lock-object-never-valid", "one-lock-holder", ONE_GROUP, OBJECTS),
    Kill("waiting-taken-for-held", "one-lock-holder", ONE_GROUP, METASTORES),
    # the lock and the clock
    Kill("closes-what-others-hold", "one-lock-holder", ONE_GROUP, HOSTS),
    Kill("lock-file-overwritten", "one-lock-holder", ONE_GROUP, HOSTS),
    Kill("no-wait-for-skew", "all-writes-commit", DISJOINT, {**TWO, **HOSTS, "options": ZOOKEEPER_LOCK}),
)


def search(kill: Kill) -> Result:
    """The default search of the row's race, under the mutant's base, for the row's property."""
    world = {"rules": BY_NAME[kill.mutant].base, "yield_points": CHANGES, **kill.world}
    return default_plan(race(kill.mutant, kill.mutant, kill.writers, properties=(kill.broken,), **world))


def test_every_mutant_has_a_row() -> None:
    """None is forgotten, none is listed twice."""
    assert sorted(kill.mutant for kill in KILLS) == sorted(BY_NAME)


@pytest.mark.search
@pytest.mark.parametrize("kill", KILLS, ids=lambda kill: kill.mutant)
def test_mutant_dies_on_its_property(kill: Kill) -> None:
    """The default search finds the property broken."""
    with BY_NAME[kill.mutant].alive():
        result = search(kill)
    assert {key.split("/")[0] for key in result.failures} == {kill.broken}


@pytest.mark.search
@pytest.mark.parametrize("kill", KILLS, ids=lambda kill: kill.mutant)
def test_base_keeps_the_property(kill: Kill) -> None:
    """The same search of the same race finds nothing where the check is whole, and covers everything."""
    result = search(kill)
    assert (result.failures, result.complete) == ({}, True)
