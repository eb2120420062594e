"""Timeline, names, storage, locks, heartbeats and rollback, one by one."""

from dataclasses import fields, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from model.hudi import SHIPPED, VARIANTS, Cleaner, HudiClient, coverage
from model.hudi.config import HudiConfig
from model.hudi.conflicts import ConflictStrategy, Operation
from model.hudi.errors import (
    HeartbeatExpired,
    InstantExists,
    InstantGone,
    LockFailed,
)
from model.hudi.locks import FileSystemLockProvider
from model.hudi.meanings import Enters
from model.hudi.names import (
    COMMIT,
    INFLIGHT,
    LOCK,
    REQUESTED,
    ROLLBACK,
    Role,
    completed_path,
    inflight_path,
    marker_path,
    requested_path,
    role_of,
)
from model.hudi.observer import UNOBSERVED
from model.hudi.storage import TableStorage
from model.hudi.time_generator import TimeGenerator
from model.hudi.timeline import Instant, parse_timeline
from model.hudi.transactions import LockManager
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import RandomWalk
from sim.services.file_system import FileSystem
from sim.world.world import NO_NOTES
from tests.unit.hudi.worlds import Lab


def test_timeline_shows_each_instant_in_its_latest_state():
    """Files of earlier states stay, other names are ignored, completion times come from names."""
    timeline = parse_timeline(
        (
            "000001.commit.requested", "000001.inflight", "000001_000009.commit", "000002.commit.requested",
            "000003.commit.requested", "000003.inflight", "000004.rollback.requested", "000005.commit.requested.17",
            "x",
        )
    )  # fmt: skip
    assert [(i.requested, i.action, i.state, i.completed) for i in timeline.instants] == [
        (1, "commit", "completed", 9), (2, "commit", "requested", None), (3, "commit", "inflight", None),
        (4, "rollback", "requested", None),
    ]  # fmt: skip
    assert timeline.last_completed == 1
    assert timeline.pending_times(without=2) == {3}
    assert (timeline.is_pending(1), timeline.is_pending(3)) == (False, True)


def test_completion_orders_readers_and_request_bounds_conflicts():
    """An instant requested earlier and completed later is the newest, but not the last by requested time."""
    timeline = parse_timeline(("000001_000009.commit", "000002_000005.commit"))
    assert timeline.newest is not None
    assert timeline.newest.name == "000001_000009"
    assert timeline.last_completed == 2
    assert [i.requested for i in timeline.in_order()] == [2, 1]


@pytest.mark.parametrize(
    ("path", "role"),
    [
        (requested_path(2, 7, "commit"), Role("requested", 7)),
        (inflight_path(2, 7, "commit"), Role("inflight", 7)),
        (inflight_path(1, 7, "rollback"), Role("inflight", 7)),
        (completed_path(2, 7, "commit", 9), Role("completed", 7)),
        (completed_path(1, 7, "commit", 9), Role("completed", 7)),
        (marker_path(7, "p1", "fg1_0-0-0_000007.parquet", "MERGE"), Role("marker", 7)),
        (".hoodie/.temp/000007", Role("markers", 7)),
        (".hoodie/.heartbeat/000007", Role("heartbeat", 7)),
        (".hoodie/timeline", Role("timeline", None)),
        ("p1/fg1_0-0-0_000007.parquet", Role("data", 7)),
        ("p1", Role("folder", None)),
        (LOCK, Role("lock", None)),
    ],
)
def test_a_path_says_what_it_is_for(path, role):
    """What a live gate matches with a simulated step."""
    assert role_of(path) == role


def test_rename_loses_silently_and_create_says_so():
    """On HDFS the second writer of a state with content is not told; of one without, and elsewhere, it is."""
    lab = Lab()
    for scheme, body, told in (("hdfs", 1, False), ("hdfs", None, True), ("file", 1, True), ("file", None, True)):
        storage, path = TableStorage(lab.world("w1"), replace(lab.config, scheme=scheme)), f"a-{scheme}-{body}"
        storage.create_immutable(path, Enters(1, COMMIT, REQUESTED, body))
        again = Enters(1, COMMIT, REQUESTED, body and 2)
        if told:
            with pytest.raises(InstantExists):
                storage.create_immutable(path, again)
        else:
            storage.create_immutable(path, again)
        assert lab.files.read(path) == body
    assert lab.simulation.kernel.coverage[coverage.RENAME_LOST_SILENTLY] == 1
    assert [path for path in lab.files.files if ".1" in path] == []


def locks(lab: Lab, name: str, rules=SHIPPED) -> LockManager:
    return LockManager(lab.world(name), lab.config, rules, UNOBSERVED, name)


def test_closing_a_client_that_failed_deletes_the_holders_lock():
    """F-1, and the repair: only who holds the lock deletes it."""
    for rules, left in ((SHIPPED, False), (VARIANTS["owned-lock"], True)):
        lab = Lab("file-system")
        locks(lab, "a", rules).lock()
        failed = locks(lab, "b", rules)
        with pytest.raises(LockFailed):
            failed.lock()
        failed.close()
        assert lab.files.exists(LOCK) is left


def test_a_time_that_was_not_had_releases_the_holders_lock():
    """F-2: the release stands in a `finally`."""
    for rules, left in ((SHIPPED, False), (VARIANTS["fixed"], True)):
        lab = Lab("file-system")
        locks(lab, "a", rules).lock()
        own = locks(lab, "b", rules)
        times = TimeGenerator(lab.world("b"), lab.config, rules, own)
        with pytest.raises(LockFailed):
            times.with_own_lock(times.time_ms)
        assert lab.files.exists(LOCK) is left


def _try(provider: FileSystemLockProvider, got: list[bool]) -> None:
    got.append(provider.try_lock())


@pytest.mark.parametrize(("age_ms", "most"), [(60_001, 2), (60_000, 0)])
def test_two_contenders_for_an_expired_lock_can_both_get_it(age_ms, most):
    """F-3: the second one deletes the lock that the first has just made; a lock that is not expired is safe."""
    holders = []
    for seed in range(40):
        kernel = Kernel(Choices(RandomWalk(seed)))
        files = FileSystem(kernel)
        files.create(LOCK, "somebody who died")
        kernel.run(until=age_ms)
        clock = SimpleNamespace(now_ms=lambda kernel=kernel: int(kernel.now))
        world: Any = SimpleNamespace(files=files, clock=clock, coverage=kernel, notes=NO_NOTES)
        providers = [FileSystemLockProvider(world, HudiConfig(lock_expire_minutes=1), SHIPPED, n) for n in ("p", "q")]
        got: list[bool] = []
        for name, provider in zip(("p", "q"), providers, strict=True):
            kernel.start(name, partial(_try, provider, got))
        kernel.drive()
        holders.append(got.count(True))
    assert max(holders) == most


def test_times_of_one_process_never_repeat_and_hosts_wait_for_skew():
    """One counter in a process; between hosts, the wait under the lock keeps times apart."""
    lab = Lab()
    times = TimeGenerator(lab.world("w1"), lab.config, SHIPPED, locks(lab, "w1"))
    assert [times.time_ms() for _ in range(3)] == [1, 2, 3]
    lab = Lab("file-system")
    a, b = (TimeGenerator(lab.world(n), lab.config, SHIPPED, locks(lab, n)) for n in ("a", "b"))
    assert [a.time_ms(), b.time_ms(), a.time_ms()] == [0, 200, 400]


def test_conflict_messages_name_the_service():
    """17 SC: clustering, compaction, or the kind of write."""
    this = Operation(2, "commit", "upsert", frozenset({("p1", "f1")}))
    strategy = ConflictStrategy(HudiConfig())
    said = {}
    for operation in ("cluster", "compact", "upsert"):
        other = Operation(3, "commit", operation, this.groups)
        said[operation] = str(strategy.refuse(this, other, strategy.shared(this, other)))
    assert "(clustering)" in said["cluster"]
    assert "(compaction)" in said["compact"]
    assert "(upsert)" in said["upsert"]


def test_an_expired_writer_does_not_commit():
    """The check before the lock, by the client's own memory."""
    lab = Lab()
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant)
    lab.wait(120_001)
    with pytest.raises(HeartbeatExpired):
        client.commit(instant, written)


def test_a_rolled_back_writer_finds_its_state_gone():
    """Requested and inflight files are what the next state asserts."""
    lab = Lab()
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    lab.wait(120_001)
    assert Cleaner(lab.world("c"), lab.config, owner="c").rollback_failed_writes() == (instant,)
    with pytest.raises(InstantGone):
        client.upsert((("1", "A"),), instant)


@pytest.mark.parametrize("begun", [False, True])
def test_a_pending_rollback_is_executed_by_the_next_cleaner(begun):
    """A cleaner that dies before deletion leaves its work to others; one that was begun is not begun again."""
    lab = Lab()
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    client.upsert((("1", "A"),), instant)
    lab.wait(120_001)
    first = Cleaner(lab.world("c1"), lab.config, owner="c1")
    planned = first._schedule(instant)
    assert planned is not None
    if begun:
        first._timeline.to_inflight(planned.instant, ROLLBACK)
    assert Cleaner(lab.world("c2"), lab.config, owner="c2").rollback_failed_writes() == (instant,)
    assert lab.simulation.kernel.coverage[coverage.ROLLBACK_RESUMED] == 1
    assert [path for path in lab.files.files if path.startswith("p1/")] == ["p1/fg1_0-0-0_000000.parquet"]


def test_nobody_waits_after_the_last_attempt_at_the_lock():
    """Two retries, two waits."""
    lab = Lab("file-system")
    config = replace(lab.config, lock_retries=2, lock_retry_wait_ms=1_000)
    lab.files.create(LOCK, "another")
    with pytest.raises(LockFailed):
        LockManager(lab.world("w1"), config, SHIPPED, UNOBSERVED, "w1").lock()
    assert lab.now_ms() == 2_000


def test_the_completion_time_is_drawn_when_the_state_has_been_looked_at():
    """So the wait for skew is between the look and the file: what happens meanwhile is not seen."""
    lab = Lab("file-system")
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    client.upsert((("1", "A"),), instant)

    def time_ms():
        assert client.timeline.load().is_pending(instant)
        client.timeline.delete(Instant(instant, COMMIT, INFLIGHT), INFLIGHT, REQUESTED)
        return 9

    assert client.timeline.complete(instant, time_ms, None).completed == 9


def test_every_rule_differs_somewhere():
    """An option that no variant changes is there for nothing."""
    unused = [
        field.name
        for field in fields(SHIPPED)
        if all(getattr(rules, field.name) == getattr(SHIPPED, field.name) for rules in VARIANTS.values())
    ]
    assert unused == [  # the rows of the recomputed tables
        "instants_from_locked_clock", "salted_instants", "salted_file_names", "locks_file_groups",
    ]  # fmt: skip
