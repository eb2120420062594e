"""A commit that its writer was refused for certain, and that stands in the table all the same."""

from collections.abc import Sequence

from sim.iceberg.scenarios import race
from sim.iceberg.workload import DeleteRow, Replace, Statement
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.scenario import FaultSpace

APPLIED = "w1.load w1.commit!409-after w2:end w1:end"
"""w1's commit is applied and reported as a lost race, w2 deletes from the file that it removed, w1 is refused."""


def test_a_refused_commit_that_stands_names_its_maker_and_is_seen():
    """Its client was told that nothing was committed; its version is in the lineage."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Replace(1, ())], "w2": [DeleteRow(1)]}
    scenario = race(
        "x", "", writers, rows=((1, "a"),), catalog="java-api", properties=("no-aborted-reads",),
        faults=FaultSpace({"commit": ("409-after",)}, 1), yield_points=("load", "commit"),
    )  # fmt: skip
    run = Runner(scenario).play(steps_of(APPLIED))
    refused = next(event for event in run.events if event.process == "w1" and event.type == "fail")
    assert [event.op for event in run.events if event.type == "version"][1] == refused.op
    assert run.failure == "no-aborted-reads/refused-commit-visible"
