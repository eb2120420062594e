"""Races in which every database statement is a step: what must be one piece, and what a rename takes apart."""

from dataclasses import replace

import pytest

from model.hive import FIXED
from model.hive.errors import NoSuchTable
from model.hive.rules import UNCACHED, Rules
from sim.hive.race import HiveRace
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Create,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    Rename,
    Update,
)
from sim.search.run import Run, Runner
from sim.search.strategies import PriorityWalk, RandomWalk
from sim.world.scenario import Scenario
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.meanwhile import Meanwhile

W = "default.w"


def failing(scenario: Scenario, count: int = 150) -> list[Run]:
    """The runs of random walks, and of priority walks, that fail."""
    runner = Runner(scenario)
    runs = [runner.run(walk) for seed in range(count) for walk in (RandomWalk(seed), PriorityWalk(seed))]
    return [run for run in runs if run.failure is not None]


@pytest.mark.parametrize("rules", [FIXED, replace(UNCACHED, exclusive_writes=False)])
def test_of_two_updates_one_commits(rules: Rules) -> None:
    """A commit that looks for conflicts keeps other commits, and begins, out until it has ended."""
    todo = (Begin((T,)), Update(T), Commit())
    workload = HiveWorkload((HiveSession("w1", "h1", todo), HiveSession("w2", "h1", todo)), pollers=())
    race = HiveRace(workload, rules, statements=True)
    assert failing(Scenario("hive/a-race", race, ("first-committer-wins",))) == []


def test_the_id_and_the_list_of_a_table_are_of_one_moment() -> None:
    """A rename in between took the list away: the cache that had not heard of it seemed to have all."""
    earlier = HiveSession("e1", "h1", (Begin((T,)), Alter(T, "v1"), Commit()))
    w1 = HiveSession("w1", "h1", (Begin(()), Rename(T, W), Commit()))
    reader = HiveSession("r1", "h1", (Begin((T,), read_only=True), Get(T, "h2")))
    workload = HiveWorkload((w1, reader), pollers=(), earlier=(earlier,), lagging=("h2",))
    assert failing(Scenario("hive/a-race", HiveRace(workload, FIXED, statements=True), ("freshness",))) == []


def test_a_sessions_write_counts_under_every_name_of_its_table() -> None:
    """The table has been renamed: a cache that knows it by its old name must not answer without the write."""
    lab = Lab()
    writer, other = lab.session(), lab.session()
    writer.begin((T,))
    other.begin((T,))
    other.rename_table(T, W)
    other.commit()
    writer.alter_table(W, (("v", "own"),))
    with pytest.raises(NoSuchTable):
        writer.get_table(T, "h2")


@pytest.mark.parametrize("comes", ["made anew", "renamed"])
def test_a_tag_is_of_the_table_that_is_loaded_with_it(comes: str) -> None:
    """Between the two the name went to another table, whose write ids mean something else."""
    lab = Lab(start=False)
    lab.session().drop_table(E)  # so that default.t is loaded first
    lab.open_write_ids(3)

    def replaced() -> None:
        other = lab.session()
        other.begin()
        other.drop_table(T)
        other.create_table(T if comes == "made anew" else W, (("v", "n0"),))
        if comes == "renamed":
            other.rename_table(W, T)
        other.commit()

    h2 = lab.replica()
    h2.poller.prewarm.memory = Meanwhile(h2.poller.prewarm.memory, "prewarm_table", replaced)
    h2.start()
    writer = lab.session()
    writer.begin((T,))
    writer.alter_table(T, (("v", "n1"),))
    writer.commit()
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert dict(reader.get_table(T).table.parameters)["v"] == "n1"


def test_races_of_renames_and_prewarms_keep_reads_fresh() -> None:
    """The same as a search."""
    w1 = HiveSession("w1", "h1", (Begin(()), Rename(T, W), Create(T, "n0"), Commit(), Begin((T,)), Alter(T, "n1"),
                                  Commit(), Begin((T,), read_only=True), Get(T, "h2")))  # fmt: skip
    tables = (HiveTable(T, "v0"),)
    race = HiveRace(HiveWorkload((w1,), tables, cold=("h2",)), FIXED, drains=True)
    assert failing(Scenario("hive/a-race", race, ("freshness", "convergence")), 60) == []
