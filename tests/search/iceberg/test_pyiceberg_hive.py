"""PyIceberg's own Hive catalog, unmodified: its lock, its waits, and what it makes of a metastore that fails."""

import pytest

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import HIVE
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.explore import same_twice
from sim.search.run import Runner
from sim.world.scenario import FaultSpace

ONE, TWO = {"w1": [Append(((3, "x"),))]}, {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}
CALLS = ("lock", "check_lock", "get_table", "alter_table", "unlock")


def played(steps, writers=ONE, kinds=(), retries=4, **extent):
    """A run of these steps."""
    faults = FaultSpace({kind.split("!")[0]: (kind.split("!")[1],) for kind in kinds}, **extent)
    return Runner(race("x", "", writers, catalog=HIVE, faults=faults, retries=retries)).play(steps_of(steps))


def told(run, process="w1"):
    """The type of a process's last event, and the class of its error."""
    last = [event for event in run.events if event.process == process][-1]
    return last.type, (last.error or "").partition(":")[0]


def calls(run, process="w1"):
    """Its calls to the metastore."""
    return [row[2] for row in run.trace if row[1] == process and row[2] in CALLS]


def test_bytes_of_a_run_repeat():
    """Waits for the lock included."""
    assert len({same_twice(race("x", "", TWO, catalog=HIVE), seed) for seed in range(3)}) > 1


def test_a_commit_locks_reads_alters_and_unlocks():
    """The first read is the table's load; nothing keeps the lock alive."""
    assert calls(played("w1:end")) == ["get_table", "lock", "get_table", "alter_table", "unlock"]


def test_who_waits_asks_four_times_in_fourteen_seconds_and_gives_its_lock_back():
    """tenacity's waits are 2, 4 and 8 seconds."""
    run = played("w1:unlock w2:end w1:end", TWO, retries=0)
    assert calls(run, "w2") == ["get_table", "lock", *["check_lock"] * 4, "unlock"]
    at = [row[0] for row in run.trace if row[1] == "w2" and row[2] == "check_lock"]
    assert at == [0, 2_000, 6_000, 14_000]
    assert told(run, "w2") == ("fail", "CommitFailedException")
    assert told(run) == ("ok", "")


@pytest.mark.parametrize(
    ("call", "fault", "made"),
    [
        ("lock", "drop-after", ["lock"]),
        ("get_table", "drop-before", ["lock"]),
        ("alter_table", "drop-before", ["lock", "get_table"]),
        ("alter_table", "drop-after", ["lock", "get_table", "alter_table"]),
        ("unlock", "drop-after", ["lock", "get_table", "alter_table", "unlock"]),
    ],
)
def test_a_lost_connection_is_told_as_such_and_the_lock_stays(call, fault, made):
    """Its unlock goes the way of the connection, so another one waits in vain until the lease ends."""
    begin = "w1.get_table w1:get_table " if call == "get_table" else f"w1:{call} "
    run = played(f"{begin}w1.{call}!{fault} w1:end", kinds=(f"{call}!{fault}",))
    assert told(run) == ("info", "TTransportException")
    applied = [row[2] for row in run.trace if row[2] in CALLS and row[6] != "drop-before"]
    assert applied == ["get_table", *made]
    assert run.failure is None
    assert not [row for row in run.trace if row[2] == "delete"]


def test_an_alter_whose_lease_has_ended_overwrites_another_ones_commit():
    """Whoever stands still for twice a lease alters what has been altered since, and nobody compares."""
    steps = "w1:alter_table w1.alter_table!pause w2:end w1:end"
    run = played(steps, TWO, kinds=("alter_table!pause",), retries=12, pause_ms=600_000)
    assert told(run, "w2") == ("ok", "")
    assert told(run) == ("ok", "")
    assert run.failure is not None
    assert run.failure.startswith("acknowledged-writes-survive")
