"""PyIceberg on a storage that fails: what its `FileIO` is told, and what it leaves."""

import pytest

from sim.iceberg.pyiceberg import race
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.scenario import FaultSpace

ONE, TWO = {"w1": [Append(((3, "x"),))]}, {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}
STEPS = ("load", "commit", "get", "put", "delete")


def played(steps, call, fault, writers=ONE):
    """A run of these steps, in which a call to the storage may fail so."""
    return Runner(race("x", "", writers, faults=FaultSpace({call: (fault,)}), steps=STEPS)).play(steps_of(steps))


def told(run, process):
    """The type and the error of a process's last event."""
    last = [event for event in run.events if event.process == process][-1]
    return last.type, last.error or ""


@pytest.mark.parametrize(("call", "fault"), [("get", "drop-before"), ("put", "drop-before"), ("put", "drop-after")])
def test_a_file_that_is_not_read_or_written_ends_the_statement_with_the_error(call, fault):
    """Nothing is committed, whether the file is there or not, and nothing is cleaned up."""
    run = played(f"w1:{call} w1.{call}!{fault} w1:end", call, fault)
    kind, error = told(run, "w1")
    assert kind == "info"
    assert error.startswith("OSError: storage: ")
    assert run.failure is None
    assert [row[2] for row in run.trace if row[2] in ("commit", "delete")] == []


@pytest.mark.parametrize("fault", ["drop-before", "drop-after"])
def test_a_clean_up_that_fails_is_kept_quiet(fault):
    """The loser has committed; its old manifests may stay."""
    run = played(f"w1:commit w2:end w1:delete w1.delete!{fault} w1:end", "delete", fault, TWO)
    assert [told(run, process) for process in ("w1", "w2")] == [("ok", ""), ("ok", "")]
    assert run.failure is None
    assert len([row for row in run.trace if row[2] == "delete" and row[1] == "w1"]) == 2
