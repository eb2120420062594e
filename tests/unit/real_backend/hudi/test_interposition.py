"""Which storage operations of Hudi are steps, what they are called, and how a schedule becomes live steps. No JVM."""

import pytest

from model.hudi.keys import BUCKET_CONFLICTS, CONFLICTS, LOCK_PROVIDER, TABLE_VERSION, ZOOKEEPER
from model.hudi.options import parse_options
from real_backend.errors import BackendError, BackendUnavailable
from real_backend.hudi import gate_classes
from real_backend.hudi.error_names import error_of
from real_backend.hudi.interposition import Namer, step_of
from real_backend.hudi.live import live_config
from real_backend.hudi.live_steps import live_schedule, steps_of_run
from real_backend.hudi.options import write_options
from real_backend.hudi.storage import can_fault
from real_backend.hudi.yield_points import CLIENT_CALLS, live_steps, yield_points_of
from real_backend.jvm import java_classes
from sim.hudi.build import DIRECT_AND_COMMITS, FILE_LOCK, OPTIMISTIC, SHORT_BEATS, TRANSACTIONAL
from sim.hudi.live import YIELD_POINTS, ungated_of
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Clean, Upsert
from sim.hudi.workload import HudiWorkload
from sim.kernel.schedule import Schedule, ScheduleError, parse_step, steps_of
from sim.search.explore import default_plan
from sim.search.projection import can_play, projection
from sim.search.run import Runner
from tests.search.hudi.at_live_steps import found_live

INSTANT = "20250101000000001"
TEMP = f"/.hoodie/.temp/{INSTANT}"
BASE_FILE = f"p1/0f8f-0_0-12-10_{INSTANT}.parquet"


@pytest.mark.parametrize(
    ("operation", "path", "step"),
    [
        ("create", f"/.hoodie/timeline/{INSTANT}.commit.requested", "create requested"),
        ("create", f"/.hoodie/timeline/{INSTANT}.inflight.3f0c-11", None),
        ("rename", f"/.hoodie/timeline/{INSTANT}.inflight", "create inflight"),
        ("rename", f"/.hoodie/timeline/{INSTANT}_20250101000000009.commit", "create completed"),
        ("delete", f"/.hoodie/timeline/{INSTANT}.inflight", "delete inflight"),
        ("rename", f"/.hoodie/{INSTANT}.commit.requested", "create requested"),
        ("rename", f"/.hoodie/{INSTANT}.commit", "create completed"),
        ("write", f"/.hoodie/.heartbeat/{INSTANT}", "write heartbeat"),
        ("create", f"{TEMP}/{BASE_FILE}.marker.MERGE", "create marker"),
        ("delete", f"{TEMP}/p1", None),
        ("delete", TEMP, "delete markers"),
        ("create", f"/{BASE_FILE}", "create data"),
        ("create", "/.hoodie/lock", "create lock"),
        ("try_lock", "/.hoodie/lock", "try_lock table"),
        ("unlock", "/.hoodie/lock", "unlock table"),
        ("list", "/.hoodie/timeline", None),
        ("read", f"/{BASE_FILE}", None),
        ("create", "/.hoodie/hoodie.properties", None),
    ],
)
def test_steps_are_the_changes_under_the_simulators_names(operation, path, step):
    """Temporary files and single folders of markers are parts of a step; reads are none."""
    found = step_of(operation, path)
    assert (None if found is None else " ".join(found)) == step


def test_claim_of_a_rollback_is_a_resource_of_its_own():
    """Its heartbeat is told from a writer's by the instant, its lock by the caller."""
    namer = Namer()
    heartbeat = f"/.hoodie/.heartbeat/{INSTANT}"
    assert namer.step("write", heartbeat) == ("write", "heartbeat")
    namer.step("create", f"/.hoodie/timeline/{INSTANT}.rollback.requested")
    assert namer.step("write", heartbeat) == ("write", "claim")
    assert namer.step("try_lock", "/.hoodie/lock/claim") == ("try_lock", "claim")


def test_simulated_steps_get_live_names_and_reads_go():
    """Paths become roles; what was written by hand stays."""
    steps = live_steps(
        "w1.write(.hoodie/.heartbeat/000001) w1.list(.hoodie/timeline) w1.list(.hoodie/.temp) w1.exists(.hoodie/lock) "
        "w2:rename(.hoodie/timeline/000002.inflight) w2:create(marker) w1.start w1:end"
    )
    assert " ".join(map(str, steps)) == (
        "w1.write(heartbeat) w1.list(timeline) w2:create(inflight) w2:create(marker) w1.start w1:end"
    )


def test_gate_has_the_operations_of_the_schedules_own_yield_points():
    """A client's call is a step only where it is named."""
    steps = steps_of("w1:create(marker) w1.commit")
    schedule = Schedule("s", steps, ("create", "delete", "read"))
    assert yield_points_of(schedule, steps) == ("create", "delete", "commit")
    assert "list" in yield_points_of("w1:end", ())


def test_fault_that_no_live_step_carries_is_refused():
    """One line with the step."""
    with pytest.raises(ScheduleError, match=r"step w1\.read\(p1/x\)!crash: expected a fault at one of create, "):
        live_steps([parse_step("w1.read(p1/x)!crash")])


@pytest.mark.parametrize(
    "step", ["w1.commit!crash", "w1.list(timeline)!drop-after", "w1.sleep!crash", "w1.close!crash"]
)
def test_fault_where_java_cannot_commit_it_is_refused(step):
    """What our own side holds is no operation that can fail."""
    with pytest.raises(
        ScheduleError, match=r"expected a fault at one of create, write, delete, overwrite, close, try_lock, unlock on "
    ):
        live_steps(step)


def test_faults_are_those_that_java_commits_where_it_reports_the_operation():
    """At files, and crashes at locks; at none of the steps that only our side holds, nor at locks without a gate."""
    operations = dict.fromkeys((*YIELD_POINTS, *CLIENT_CALLS))
    faulty = [operation for operation in operations if can_fault(operation, "crash")]
    assert faulty == ["create", "write", "delete", "try_lock", "unlock"]
    assert [operation for operation in operations if can_fault(operation, "drop-after")] == [
        *faulty[:3], "overwrite", "close",
    ]  # fmt: skip
    assert can_fault("rename", "drop-after")
    assert not any(can_fault(operation, "pause") for operation in operations)
    assert not can_fault("try_lock", "crash", ungated_of(HudiWorkload((), options=TRANSACTIONAL)))


def test_projection_of_a_found_run_names_the_same_switches():
    """A schedule at every port call and the one at the live steps end in the same failure."""
    scenario = next(each for each in HUDI if each.name == "hudi/older-instant")
    (run,) = default_plan(scenario).failures.values()
    played, again = projection(run), found_live(scenario)
    assert played is not None
    assert again is not None
    schedule = live_schedule(played.run)
    assert played.run.failure == run.failure
    assert " ".join(map(str, schedule.steps)) == "w1:list(timeline) w2:end w1:end"
    assert live_schedule(again).steps == schedule.steps
    assert [str(step) for step in steps_of_run(played.run)][:5] == [
        "w1.try_lock(table)", "w1.write(heartbeat)", "w1.create(requested)", "w1.unlock(table)", "w2.try_lock(table)",
    ]  # fmt: skip


def test_beats_cannot_be_played_but_for_one_that_fails():
    """When a beat would arrive is not ours to say; one that fails is blocked at the gate until its turn."""
    zombie = next(each for each in HUDI if each.name == "hudi/zombie")
    run = found_live(zombie)
    assert run is not None
    assert [row[6] for row in run.trace if row[1].endswith("-heartbeat")] == ["drop-before"]
    assert "w1-heartbeat.write(heartbeat)!drop-before" in map(str, live_schedule(run).steps)
    beating = next(each for each in HUDI if each.name == "hudi/beating")
    assert beating.live is not None
    beats = Runner(beating, yield_points=beating.live.yield_points[0]).play(steps_of("w1:create cleaner.sleep"))
    assert [row[0] for row in beats.trace if row[1] == "w1-heartbeat"] == [1000, 2000, 3000]
    assert not can_play(beating.live, beats)


def test_options_are_hudis_own_keys_behind_our_lock(tmp_path):
    """What the workload says goes to Hudi as it is; waits that nobody needs are cut."""
    options = write_options(parse_options(dict(DIRECT_AND_COMMITS)), tmp_path)
    assert options["hoodie.write.lock.provider"] == "lakeproof.GatedLock"
    assert options["lakeproof.lock.provider"].endswith("InProcessLockProvider")
    assert options["hoodie.write.concurrency.early.conflict.check.commit.conflict"] == "true"
    assert (options[TABLE_VERSION], options["hoodie.write.auto.upgrade"]) == ("9", "false")
    assert write_options(parse_options({TABLE_VERSION: "6"}), tmp_path)[TABLE_VERSION] == "6"
    assert write_options(parse_options(dict(FILE_LOCK)), tmp_path, gated=False)[
        "hoodie.write.lock.provider"
    ].endswith("FileSystemBasedLockProvider")  # fmt: skip
    assert "hoodie.write.lock.provider" not in write_options(parse_options({}), tmp_path)
    single = write_options(parse_options({LOCK_PROVIDER: "InProcessLockProvider"}), tmp_path)  # takes times under it
    assert single["lakeproof.lock.provider"].endswith("InProcessLockProvider")
    groups = write_options(parse_options(dict(TRANSACTIONAL)), tmp_path)  # Hudi takes no wrapped provider for these
    assert groups["hoodie.write.lock.provider"].endswith(".ZookeeperBasedLockProvider")


def test_live_schedule_that_goes_around_locks_names_every_step():
    """An actor that is run further, past a lock that is no step, would wait for one who comes later."""
    run = found_live(next(each for each in HUDI if each.name == "hudi/early-transactional-shipped"))
    assert run is not None
    steps, exact = live_schedule(run).steps, tuple(steps_of_run(run))
    assert tuple(step for step in steps if step.exact) == exact
    assert [str(step) for step in steps if not step.exact] == [str(step).replace(".", ":", 1) for step in exact]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"one_process": False}, "expected two processes with a lock of their own, got 1"),
        (
            {
                "one_process": False,
                "options": (
                    ("hoodie.write.concurrency.mode", "OPTIMISTIC_CONCURRENCY_CONTROL"),
                    (LOCK_PROVIDER, ZOOKEEPER),
                ),
            },
            "expected actors of one process",
        ),
        ({"storage": "check-then-put"}, "expected atomic storage"),
        ({"options": (*FILE_LOCK, ("hoodie.write.lock.filesystem.expire", "1"))}, "expected a lock without expiry"),
        ({"options": (*FILE_LOCK[:2], ("hoodie.write.lock.client.num_retries", "3"))}, "expected a lock file that is"),
        ({"options": (*OPTIMISTIC, (CONFLICTS, BUCKET_CONFLICTS))}, "expected a conflict strategy for names"),
        ({"writers": (("w1", (Upsert(((1, "A"),), attempts=2),)),)}, "expected one attempt"),
        ({"writers": (("w1", (Upsert(((1, "A"),), tries=2),)),)}, "expected writes that are tried once"),
        ({"writers": (("w1", (Upsert(((1, "A"),), tasks=2),)),)}, "expected one task at a time"),
    ],
)
def test_workload_that_cannot_be_live_is_one_line(change, message):
    """What one JVM on a local file system cannot be."""
    given = {"writers": (("w1", (Upsert(((1, "A"),)),)),), "options": DIRECT_AND_COMMITS, **change}
    with pytest.raises(BackendError, match=message):
        live_config(HudiWorkload(**given))


def test_only_runs_that_wait_for_expiry_beat_every_second():
    """Other runs are shorter than any interval; a schedule that names a timer has it beat as the workload says."""
    writers = (("w1", (Upsert(((1, "A"),)),)), ("cleaner", (Clean(2000),)))
    assert live_config(HudiWorkload(writers, options=DIRECT_AND_COMMITS)).heartbeat_interval_ms == 1000
    assert live_config(HudiWorkload(writers[:1], options=DIRECT_AND_COMMITS)).heartbeat_interval_ms == 60_000
    short = HudiWorkload(writers[:1], options=(*DIRECT_AND_COMMITS, *SHORT_BEATS))
    assert live_config(short).heartbeat_interval_ms == 60_000
    assert live_config(short, steps_of("w1-heartbeat.write!drop-before")).heartbeat_interval_ms == 1000


@pytest.mark.parametrize(
    ("outcome", "name"),
    [
        ("HoodieWriteConflictException: x", "WriteConflict: x"),
        (
            "HoodieException: Heartbeat for instant 1 has expired",
            "HeartbeatExpired: Heartbeat for instant 1 has expired",
        ),
        ("HoodieHeartbeatException: Unable to generate", "StorageFailed: Unable to generate"),
        ("IllegalStateException: y", "IllegalStateException: y"),
        ("FileAlreadyExistsException: 1.clustering.inflight", "InstantExists: 1.clustering.inflight"),
    ],
)
def test_errors_get_the_models_names(outcome, name):
    """What Hudi has no name for is a failure of the storage; what is not Hudi's keeps its own."""
    assert error_of(outcome) == name


def test_no_jdk_is_one_line(monkeypatch, tmp_path):
    """The line says what still works."""
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(BackendUnavailable, match=r"JDK: expected javac on the PATH .* found none; install") as raised:
        gate_classes.classes_folder()
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith("(simulation, and live Spark SQL on Iceberg, need none)")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BackendUnavailable, match="expected javac on JAVA_HOME/bin"):
        gate_classes.classes_folder()


def test_javac_that_refuses_is_one_line(monkeypatch, tmp_path):
    """What it said first; nothing stays in the cache."""
    javac = tmp_path / "javac"
    javac.write_text('#!/bin/sh\necho "StorageGate.java:1: error: no" >&2\necho more >&2\nexit 1\n')
    javac.chmod(0o755)
    monkeypatch.setattr(java_classes, "javac_command", lambda purpose: str(javac))
    monkeypatch.setattr(java_classes, "jar_path", lambda name: tmp_path / "hudi.jar")
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path / "cache"))
    with pytest.raises(BackendUnavailable, match=r"got: StorageGate\.java:1: error: no$"):
        gate_classes.classes_folder()
    assert list((tmp_path / "cache" / "classes").iterdir()) == []


def test_compiled_classes_are_taken_from_the_cache(monkeypatch, tmp_path):
    """The second time nothing is compiled; other sources have another folder."""
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path))
    compiled = []
    monkeypatch.setattr(
        java_classes, "_compile", lambda _, __, folder, ___: (compiled.append(folder), folder.mkdir(parents=True))
    )
    assert gate_classes.classes_folder() == gate_classes.classes_folder() == compiled[0]
    monkeypatch.setattr(gate_classes, "SOURCES", tmp_path)
    assert gate_classes.classes_folder() == compiled[1] != compiled[0]
