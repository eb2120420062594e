"""What Hudi's own multi-writer tests say, on the real Hudi: whole writes by schedule, and its parts called directly.

Each row is one upstream test: given, concurrent action, expected. The upstream tests wait on barriers; here the storage
gate makes the order. Abbreviations: SC TestSimpleConcurrentFileWritesConflictResolutionStrategy, MW
TestHoodieClientMultiWriter, FL TestFileSystemBasedLockProvider, TM TestTransactionManager, HB
TestHoodieHeartbeatClient, CR TestClientRollback.
"""

import threading
from contextlib import closing

import pytest

from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import FIXED
from real_backend.hudi.table import LiveTable
from sim.hudi.build import DIRECT, FILE_LOCK, OPTIMISTIC, TWO_GROUPS
from sim.hudi.statements import Clean, Insert, Upsert
from sim.hudi.workload import HudiWorkload

pytestmark = pytest.mark.live
LATE, EARLY = "HoodieWriteConflictException", "HoodieEarlyConflictDetectionException"
FIVE = tuple((f"fg{n}", ((n, "a"),)) for n in range(1, 6))
ONE = (("fg1", ((1, "a"),)),)


def writers(*rows, kind=Upsert):
    """One writer for each (key, value): w1, w2, ..."""
    return tuple((f"w{n}", (kind((row,)),)) for n, row in enumerate(rows, 1))


# number and upstream test; groups, options, writers, schedule; outcomes, rows
SCHEDULES = [
    ("1 SC testNoConcurrentWrites", ONE, OPTIMISTIC, writers((1, "A")), "", "ok", "1A"),
    ("2 SC testConcurrentWrites: inflight ones never count", TWO_GROUPS, OPTIMISTIC,
     writers((1, "A"), (2, "B"), (1, "C")), "w1:create(data) w2:create(data) w3:end w2:end", f"{LATE} ok ok", "1C 2B"),
    ("3 SC testConcurrentWritesWithInterleavingSuccessfulCommit", ONE, OPTIMISTIC,
     writers((1, "A"), (1, "B")), "w1:create(data) w2:end", f"{LATE} ok", "1B"),
    ("28 MW testHoodieClientBasicMultiWriterWithEarlyConflictDetectionDirect", ONE, DIRECT,
     (*writers((1, "A"), (1, "B")), ("w3", (Clean(120_001), Upsert(((1, "C"),))))),
     "w1:create(data) w2:end w1:end w3:end", f"ok {EARLY} ok", "1C"),
    ("31 MW testHoodieClientBasicMultiWriterCOW_InProcessLP_SimpleCRS", ONE, OPTIMISTIC,
     writers((1, "A"), (1, "B")), "w1:try_lock w1.try_lock w1:try_lock w2:create(inflight) w1:end", f"ok {LATE}", "1A"),
    ("31 MW testHoodieClientBasicMultiWriterCOW_FSBasedLP_SimpleCRS", ONE, FILE_LOCK,
     writers((1, "A"), (1, "B")), "w1:create(data) w2:create(inflight) w1:end", f"ok {LATE}", "1A"),
    ("32 MW testMultiWriterWithInsertsToDistinctPartitions", FIVE, OPTIMISTIC,
     writers(*[(n, f"V{n}") for n in range(1, 6)]), "w5:create(data) w4:create(data) w3:create(data) w2:create(data)",
     "ok ok ok ok ok", "1V1 2V2 3V3 4V4 5V5"),
    ("36 MW testHoodieClientMultiWriterAutoCommitForConflict", ONE, OPTIMISTIC,
     writers((1, "A"), (1, "B")), "w1:create(marker) w2:create(marker) w1:create(data) w2:end", f"{LATE} ok", "1B"),
    ("37 MW testHoodieClientMultiWriterAutoCommitNonConflict", ONE, OPTIMISTIC,
     writers((2, "A"), (3, "B"), kind=Insert), "w1:create(data) w2:end", "ok ok", "1a 2A 3B"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("groups", "options", "actors", "schedule", "outcomes", "rows"), [row[1:] for row in SCHEDULES],
    ids=[row[0].split(":")[0].replace(" ", "-") for row in SCHEDULES],
)  # fmt: skip
def test_writes_end_as_upstream_says(hudi, groups, options, actors, schedule, outcomes, rows):
    """Outcome of each writer, and the table afterwards."""
    run = hudi.run(HudiWorkload(actors, groups, options), schedule)
    assert [run.error(actor) for actor in run.workload.actors] == outcomes.split()
    assert [f"{key}{value}" for key, value in run.rows] == rows.split()
    assert run.missing == ()


@pytest.fixture
def java(spark):
    """The package `org.apache.hudi`."""
    return spark[0].jvm.java.org.apache.hudi


@pytest.fixture
def storage(spark, java, tmp_path):
    """Hudi's storage of a fresh folder."""
    configuration = java.storage.hadoop.HadoopStorageConfiguration(spark[0].context._jsc.hadoopConfiguration())
    return java.storage.hadoop.HoodieHadoopStorage(java.storage.StoragePath(str(tmp_path)), configuration)


@pytest.fixture
def file_locks(spark, java, storage, tmp_path):
    """Two file-system lock providers on one file, and the file."""
    properties = spark[0].jvm.java.java.util.Properties()
    properties.setProperty("hoodie.write.lock.filesystem.path", str(tmp_path))
    properties.setProperty("hoodie.write.lock.filesystem.expire", "0")
    configuration = java.common.config.LockConfiguration(properties)
    made = [java.client.transaction.lock.FileSystemBasedLockProvider(configuration, storage.getConf()) for _ in "ab"]
    return *made, tmp_path / "lock"


@pytest.fixture
def second(spark):
    """`java.util.concurrent.TimeUnit.SECONDS`."""
    return spark[0].jvm.java.java.util.concurrent.TimeUnit.SECONDS


def test_49_fl_lock_is_refused_while_it_is_held(file_locks, second):
    """A holds: B gets false; A unlocks: B gets true."""
    a, b, _ = file_locks
    assert [a.tryLock(1, second), b.tryLock(1, second)] == [True, False]
    a.unlock()
    assert b.tryLock(1, second)
    b.close()


def test_51_fl_unlock_without_lock_does_nothing_and_a_lock_is_not_taken_twice(file_locks, second):
    """The same provider twice: false."""
    a, _, file = file_locks
    a.unlock()
    assert not file.exists()
    assert [a.tryLock(1, second), a.tryLock(1, second)] == [True, False]
    a.close()


def test_f1_close_of_who_never_had_the_lock_deletes_it(file_locks, second):
    """Not upstream's: the fact below the two lost updates."""
    a, b, file = file_locks
    assert [a.tryLock(1, second), b.tryLock(1, second)] == [True, False]
    b.close()
    assert not file.exists()


@pytest.fixture
def transactions(spark, java, storage, tmp_path):
    """A transaction manager with the in-process lock, new for each call."""
    options = {
        "hoodie.write.concurrency.mode": "OPTIMISTIC_CONCURRENCY_CONTROL",
        "hoodie.clean.failed.writes.policy": "LAZY",
        "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
        "hoodie.write.lock.wait_time_ms": "50",
        "hoodie.write.lock.client.num_retries": "0",
        "hoodie.write.lock.client.wait_time_ms_between_retry": "1",
    }
    builder = java.config.HoodieWriteConfig.newBuilder().withPath(str(tmp_path)).forTable("t")
    config = builder.withProps(spark[0].jvm.java_map(options)).build()
    made = []

    def new():
        made.append(java.client.transaction.TransactionManager(config, storage))
        return made[-1]

    yield new
    for each in made:
        each.close()


def instant(java, time):
    """An inflight commit, as an option."""
    generator = java.common.table.timeline.versioning.v2.InstantGeneratorV2()
    state = java.common.table.timeline.HoodieInstant.State.INFLIGHT
    return java.common.util.Option.of(generator.createNewInstant(state, "commit", time))


def test_45_46_tm_nothing_nests_and_another_owner_ends_nothing(java, transactions):
    """The second begin throws and the owner stays; an end with another owner keeps state and lock."""
    first, empty = transactions(), java.common.util.Option.empty()
    owner, other = instant(java, "001"), instant(java, "002")
    first.beginStateChange(owner, empty)
    with pytest.raises(Exception, match="HoodieLockException"):
        first.beginStateChange(other, empty)
    assert first.getCurrentTransactionOwner().equals(owner)
    first.endStateChange(other)
    assert first.getCurrentTransactionOwner().equals(owner)
    first.endStateChange(owner)
    assert not first.getCurrentTransactionOwner().isPresent()


def test_47_tm_second_writer_waits_for_the_first(java, transactions):
    """While one holds the other's begin fails in its time; after the end it proceeds."""
    first, second_one, empty = transactions(), transactions(), java.common.util.Option.empty()
    owner, other = instant(java, "001"), instant(java, "002")
    first.beginStateChange(owner, empty)
    failures = []

    def begin():
        try:
            second_one.beginStateChange(other, empty)
        except Exception as error:
            failures.append(str(error))

    thread = threading.Thread(target=begin, daemon=True)
    thread.start()
    thread.join()
    assert len(failures) == 1
    assert "HoodieLockException" in failures[0]
    first.endStateChange(owner)
    second_one.beginStateChange(other, empty)
    assert second_one.getCurrentTransactionOwner().equals(other)
    second_one.endStateChange(other)


def test_56_hb_heartbeat_is_alive_until_it_is_stopped(java, storage, tmp_path):
    """Started: the file exists; timers stopped: not expired yet; stopped: expired and the file is gone."""
    client = java.client.heartbeat.HoodieHeartbeatClient(storage, str(tmp_path), 3_600_000, 2)
    folder = tmp_path / ".hoodie" / ".heartbeat"
    with closing(client):
        client.start("001")
        client.start("002")
        assert sorted(file.name for file in folder.iterdir()) == ["001", "002"]
        client.stop("001")
        client.stopHeartbeatTimers()
        assert [client.isHeartbeatExpired(instant) for instant in ("001", "002")] == [True, False]
        assert [file.name for file in folder.iterdir()] == ["002"]


def test_59_cr_rollback_of_an_instant_that_is_gone_says_no(spark):
    """No such instant, no pending rollback: false, and nothing is written."""
    session, _ = spark
    table = LiveTable(session, session.location("hudi") / "vector-59")
    table.create()
    with closing(SplitClient(session, str(table.path), dict(FIXED))) as client:
        assert client._client.rollback("20200101000000000") is False
    assert table.left().pending == ()
