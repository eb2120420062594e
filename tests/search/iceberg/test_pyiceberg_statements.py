"""PyIceberg's writers with several statements: what matches nothing, and who goes on after what."""

from sim.generation.sweep import Plan, sweep
from sim.iceberg.pyiceberg import race
from sim.iceberg.workload import Append, Delete
from sim.search.run import Runner
from sim.search.strategies import Deviations
from sim.world.scenario import FaultSpace


def completions(run, writer):
    """The types of a writer's completed operations."""
    return [event.type for event in run.events if event.process == writer and event.type != "invoke"]


def test_a_delete_that_matches_nothing_is_acknowledged_and_makes_no_version():
    """It is neither a commit nor a write."""
    run = Runner(race("x", "", {"w1": [Delete(9), Append(((3, "x"),))]})).run(Deviations())
    assert completions(run, "w1") == ["ok", "ok"]
    assert run.failure is None
    assert [event.commit for event in run.events if event.type == "version"] == [0, 1]


def test_a_writer_that_was_told_nothing_does_not_go_on():
    """Its statement stays of unknown outcome, and its next one is never sent."""
    lost = FaultSpace({"commit": ("drop-after",)}, 1)
    runner = Runner(race("x", "", {"w1": [Append(((3, "x"),)), Append(((4, "y"),))]}, faults=lost))
    run = runner.run(_Hit())
    assert completions(run, "w1") == ["info"]
    assert sum(event.type == "invoke" and event.process == "w1" for event in run.events) == 1


class _Hit:
    """The first call that can be hit is."""

    def pick(self, ready, so_far):
        return 0

    def choose(self, name, options):
        return 1 if name.startswith("fault:") else 0


def test_a_delete_that_finds_nothing_is_not_taken_for_somebody_elses_commit():
    """It makes no version, and claims none."""
    writers = {"w1": [Delete(4)], "w2": [Delete(2)]}
    found = sweep(race("x", "", writers, properties=("acknowledged-writes-survive",)), Plan(first=8, most=12))
    assert not found.failures
