"""Faults of Iceberg's scenarios: none is typed in, and what a process that died had asked for is in the history."""

from sim.iceberg.pyiceberg import PYICEBERG
from sim.iceberg.scenarios import ICEBERG, race
from sim.iceberg.workload import Append, Insert, Transaction, Update
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.fault_spaces import REGISTER, wide

UPDATE, INSERT = [Update(1, "A")], [Insert(((3, "x"),))]


def played(steps, **writers):
    """The first writer's last event, and the failure."""
    run = Runner(race("x", "", writers, faults=wide(REGISTER))).play(steps_of(steps))
    return [event for event in run.events if event.process == "w1"][-1], run.failure


def test_every_space_of_faults_is_wide():
    """Every kind at every step of some ports, on any process."""
    spaces = [scenario.faults for scenario in (*ICEBERG, *PYICEBERG) if scenario.faults.limit]
    assert len(spaces) == 12
    assert all(str(space).startswith("at most 1 fault of every kind at every step on ") for space in spaces)
    assert not any(space.actors for space in spaces)


def test_what_a_process_that_died_after_its_commit_wrote_is_its_own():
    """The final read sees the row; without its writer that would be a value out of thin air."""
    last, failure = played("w1:commit w1.commit!crash-after", w1=INSERT)
    assert (last.type, last.error, last.commit) == ("info", "w1: its process died", 1)
    assert [(write.key, write.value) for write in last.writes] == [("row:3", "x")]
    assert failure is None


def test_a_process_that_died_before_its_commit_made_no_version():
    """What it had read and was about to write is there, and no version."""
    last, failure = played("w1:commit w1.commit!crash", w1=UPDATE)
    assert (last.type, last.start, last.commit) == ("info", 0, None)
    assert [(read.key, read.value) for read in last.reads] == [("row:1", "a")]
    assert failure is None


def test_a_process_that_died_while_it_planned_asked_for_nothing():
    """There is nothing to record but its death."""
    last, failure = played("w1.load!crash", w1=UPDATE)
    assert (last.type, last.start, last.writes) == ("info", None, ())
    assert failure is None


def test_a_transaction_that_is_applied_twice_begins_below_its_own_snapshots():
    """Its first commit has landed, and it is told that it has lost the race: what it finds then is its own."""
    added = Transaction((Append(((3, "x"),)), Append(((4, "y"),))))
    last, failure = played("w1:commit w1.commit!409-after", w1=[added])
    assert (last.type, last.start, last.commit, last.parent) == ("ok", 0, 2, "101")
    assert failure == "table-invariants/history"
