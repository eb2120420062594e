"""Random runs that live gates can follow: with faults that can be injected there, at the steps that there are."""

from dataclasses import replace

import pytest

from model.hive.rules import SHIPPED
from sim.generation.draws import seeded
from sim.hive.build import EVENTUAL, E, T, U, metastore
from sim.hive.live import STEPS
from sim.hive.workload import Begin, Commit, Create, Drop, Get, HiveTable, PutPartition, Rename, Write
from sim.hudi.generate import GENERATOR as HUDI
from sim.iceberg.generate import GENERATOR as ICEBERG
from sim.iceberg.options import TIMEOUT
from sim.kernel.schedule import steps_of
from sim.search.at_gates import injectable, runs_at_gates
from sim.search.projection import can_play
from sim.search.run import Runner
from sim.world.live import Live
from sim.world.scenario import FaultSpace

JAVA_API = ICEBERG.configurations["Java API"]


def made(count, generator=ICEBERG, settings=JAVA_API):
    """The first scenarios of a configuration that may have faults and have a live counterpart."""
    found = (generator.make(seeded(seed), settings) for seed in range(10_000))
    good = (each for each in found if each.live is not None and each.faults.limit)
    return [next(good) for _ in range(count)]


@pytest.fixture(scope="module")
def scenarios():
    """Five of Iceberg's, three of Hudi's."""
    return made(5) + made(3, HUDI, HUDI.configurations["default"])


@pytest.mark.parametrize("number", range(8))
def test_every_run_is_one_that_the_gates_can_follow(scenarios, number):
    """It comes to its end, its steps are those of the gates, and so are its faults."""
    scenario = scenarios[number]
    runs = [played.run for played in runs_at_gates(scenario, 7, 8)]
    assert runs
    for run in runs:
        assert run.complete
        assert run.yield_points in scenario.live.yield_points
        assert can_play(scenario.live, run)


def test_faults_that_can_be_injected_are():
    """So a scenario with faults is replayed with them."""
    faults = {
        fault for scenario in made(60) for played in runs_at_gates(scenario, 1) for fault, *_ in played.run.injected
    }
    assert len(faults) > 3


def test_faults_that_cannot_be_injected_are_left_out():
    """By operation; a live system of which nobody has said what it can do is thought to do everything."""
    space = FaultSpace({"load": ("500-before",), "commit": ("409-after", "late")}, 1)
    live = Live("some", None, (("commit",),), faults={"commit": ("409-after", "500-after")})
    assert injectable(space, live) == {"commit": ("409-after",)}
    assert injectable(space, replace(live, faults=None)) == space.kinds


@pytest.mark.parametrize(("then", "follows"), [("w1:end w2:end", False), ("w2.rename_table w1:end w2:end", True)])
def test_nobody_acts_within_what_is_one_step_live(then, follows):
    """A rename is one call; the simulated one moves the write ids first, for others to see (R8)."""
    sessions = {
        "w1": ("h1", (Begin((T,)), Write(T), Commit(), Begin((T,)), Get(T), Commit())),
        "w2": ("h2", (Begin(), Rename(T, U), Commit())),
    }
    scenario = metastore("rename", "", sessions, rules=SHIPPED, properties=EVENTUAL)
    text = f"w1.get_open_txns w1.allocate_write_id w1.commit_txn w2.get_open_txns w2.allocate_write_id {then}"
    run = Runner(scenario, yield_points=STEPS).play(steps_of(text))
    assert scenario.live is not None
    assert can_play(scenario.live, run) is follows


@pytest.mark.parametrize(("text", "follows"), [("w1:end h2:end", False), ("w1.drop_table h2:end w1:end", True)])
def test_a_run_on_a_path_that_is_not_simulated_is_not_followed(text, follows):
    """A real cache hangs on the drop of a table that has been made anew with partitions (R5)."""
    sessions = {"w1": ("h1", (Drop(E), Create(E, "n0", managed=False), PutPartition(E, "d=1", "p0")))}
    tables = (HiveTable(E, "e0", managed=False),)
    scenario = metastore("drop", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    run = Runner(scenario, yield_points=STEPS).play(steps_of(text))
    assert scenario.live is not None
    assert can_play(scenario.live, run) is follows


def test_the_same_seed_makes_the_same_runs():
    """And another one others."""
    scenario = made(1, HUDI, HUDI.configurations["default"])[0]
    first, again, other = ([one.run.digest() for one in runs_at_gates(scenario, seed)] for seed in (3, 3, 4))
    assert first == again != other


def test_a_scenario_that_depends_on_real_time_says_so():
    """Retries that end after a millisecond have ended when a live client is released."""
    live = [ICEBERG.make(seeded(0), {**JAVA_API, TIMEOUT.key: value}).live for value in TIMEOUT.values]
    assert [bool(each and each.timed) for each in live] == [False, True]


def test_a_scenario_without_a_live_counterpart_has_no_such_run():
    """PyIceberg runs on the simulator's ports."""
    scenario = ICEBERG.make(seeded(0), ICEBERG.configurations["PyIceberg"])
    assert list(runs_at_gates(scenario, 0)) == []
    assert scenario.not_live.startswith("expected clients on a live catalog")
