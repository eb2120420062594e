"""The storage gate on the real Hudi: what it refuses, what it leaves behind, and Hudi without it."""

import pytest
from py4j.protocol import Py4JJavaError

from real_backend.errors import BackendTimeout, BackendUnavailable
from real_backend.hudi.live import HudiLive
from sim.hudi.build import DIRECT, OPTIMISTIC, TWO_GROUPS
from sim.hudi.statements import Clean, Insert, Read, Upsert
from sim.hudi.workload import HudiWorkload
from sim.kernel.schedule import Divergence

pytestmark = pytest.mark.live
TWO = HudiWorkload((("w1", (Upsert(((1, "A"),)),)), ("w2", (Upsert(((2, "B"),)),))), TWO_GROUPS, OPTIMISTIC)


def test_step_that_is_not_on_offer_diverges_and_the_next_run_is_not_disturbed(hudi):
    """Who stands where is in the message; clients that were given up end without touching anything."""
    with pytest.raises(Divergence, match=r"wanted w1\.create\(data\): w1 stands at w1\.create\(marker\)"):
        hudi.run(TWO, "w1:create(marker) w1.create(data)")
    assert hudi.run(TWO).rows == (("1", "A"), ("2", "B"))


def test_lock_that_is_held_is_not_on_offer(hudi):
    """w2 waits for the lock that w1 holds."""
    with pytest.raises(Divergence, match=r"w2\.try_lock\(table\) waits for another actor"):
        hudi.run(TWO, "w1:create(requested) w2:create(marker)")


def test_client_calls_are_steps_for_schedules_by_hand(hudi):
    """`commit` is where a client has written and not asked yet."""
    run = hudi.run(TWO, "w1:commit w2:end w1:end")
    assert run.makers == (None, "w2", "w1")
    assert [step for step in run.steps if step.endswith(".commit")] == ["w2.commit", "w1.commit"]


def test_step_that_takes_too_long_is_an_error_with_the_place(hudi):
    """The wait for each step has an end."""
    with pytest.raises(BackendTimeout, match=r"expected a step or its end within 0\.01 s"):
        hudi.run(TWO, "w1:create(completed)", timeout_s=0.01)


def test_reader_and_cleaner_are_actors_too(hudi):
    """A reader reads what is committed when it is let go; a cleaner rolls back what a dead writer left."""
    workload = HudiWorkload(
        (("w1", (Insert(((3, "C"),)),)), ("c1", (Clean(), Read(), Clean(180_000)))), TWO_GROUPS, OPTIMISTIC
    )
    run = hudi.run(workload, "w1:create(data) w1.create(data)!crash c1:end")
    commands = {(command.actor, type(command.statement)): command for command in run.commands}
    assert commands["c1", Read].rows == (("1", "a"), ("2", "b"))
    assert commands["w1", Insert].outcome == "crashed"
    assert run.rolled_back == (commands["w1", Insert].instant,)
    assert (run.left.markers, run.left.heartbeats, run.left.pending) == ((), (), ())


def timers(spark):
    """The names of the JVM's timer threads."""
    names = [str(thread.getName()) for thread in spark[0].jvm.java.java.lang.Thread.getAllStackTraces().keySet()]
    return {name for name in names if name.startswith("Timer-")}


def test_nothing_of_a_run_is_left(hudi, spark):
    """No folder, no timer, no beat: also of a client whose process died and of one that was refused."""
    workload = HudiWorkload((*TWO.writers[:1], ("w2", (Upsert(((1, "B"),)),))), TWO_GROUPS, DIRECT)
    before = timers(spark)  # of others: the session is shared with Iceberg and with clients of metastores
    hudi.run(workload, "w1:create(data) w2:end w1.create(data)!crash w1:end")
    assert list(spark[0].location("hudi").glob("*/run-*")) == []
    assert timers(spark) <= before


def test_what_outlives_a_run_writes_nothing_where_it_was(spark):
    """If a write of the metadata table fails, Hudi leaves the timer of its client alone: the next beat, up to a minute
    later, would make the folder of the run again."""
    tables = spark[0].location("hudi")
    before = set(tables.glob("*"))
    live = HudiLive(spark[0])
    (folder,) = set(tables.glob("*")) - before
    try:
        live.run(TWO)
        beat = spark[0].jvm.java.org.apache.hadoop.fs.Path(f"{folder}/run-1/.hoodie/metadata/.hoodie/.heartbeat/1")
        with pytest.raises(Py4JJavaError, match="the run is over"):
            beat.getFileSystem(spark[0].context._jsc.hadoopConfiguration()).create(beat)
        assert not (folder / "run-1").exists()
    finally:
        live.close()


def test_no_timer_is_left_of_a_run_that_diverges_at_a_close(hudi, spark):
    """Clients that were given up are closed, although `close` is a step that nobody releases any more."""
    workload = HudiWorkload((*TWO.writers[:1], ("w2", (Upsert(((1, "B"),)),))), TWO_GROUPS, DIRECT)
    before = timers(spark)
    with pytest.raises(Divergence, match=r"wanted w1\.create\(data\): w1 stands at w1\.close"):
        hudi.run(workload, "w2:create(data) w1:close w1.create(data)")
    assert timers(spark) <= before


def test_without_a_gate_writers_run_one_after_the_other(spark):
    """No JDK: what needs no gate runs all the same, and a schedule is refused in one line."""
    live = HudiLive(spark[0], gated=False)
    try:
        run = live.run(TWO)
        assert run.rows == (("1", "A"), ("2", "B"))
        assert run.makers == (None, "w1", "w2")
        assert run.trace == ()
        with pytest.raises(BackendUnavailable, match="Hudi's storage gate: expected it in the session"):
            live.run(TWO, "w1:create(data)")
    finally:
        live.close()


def test_iceberg_and_hudi_live_in_one_session(spark):
    """A table of each, joined."""
    session = spark[0]
    session.add_catalog("ice", {"type": "hadoop", "warehouse": str(session.location("ice"))})
    try:
        session.sql("CREATE TABLE ice.db.t (id STRING, i STRING) USING iceberg")
        session.sql("INSERT INTO ice.db.t VALUES ('1', 'iceberg')")
        where = session.location("hudi_sql")
        session.sql(
            f"CREATE TABLE h (id STRING, h STRING) USING hudi TBLPROPERTIES (primaryKey='id') LOCATION '{where}'"
        )
        session.sql("INSERT INTO h VALUES ('1', 'hudi')")
        rows = session.sql("SELECT i, h FROM ice.db.t JOIN h ON ice.db.t.id = h.id")
        assert [(row.i, row.h) for row in rows] == [("iceberg", "hudi")]
    finally:
        session.sql("DROP TABLE IF EXISTS ice.db.t")
        session.sql("DROP TABLE IF EXISTS h")
