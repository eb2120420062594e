"""Speed of the simulator: `make bench`. Nothing here asserts a time; the assertions say that the work was done."""

import runpy
import statistics
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lakeproof.scenarios import built_in
from model.ports import CasLost
from sim.iceberg.scenarios import CATALOG_STEPS
from sim.kernel.choices import Choices
from sim.kernel.escape import guarded
from sim.kernel.kernel import Kernel
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.search.strategies import Deviations, FirstCome, PriorityWalk, RandomWalk
from sim.services.store import ObjectStore
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation
from tests.benchmarks.conftest import Bench
from tests.search.planted_races import cache_poller, check_then_set, lease_expires, orphan_cleaner, stale_file_list

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOUR_MS = 3_600_000
TASKS = 8


def bank() -> Scenario:
    """The smallest scenario with two writers."""
    found: Scenario = runpy.run_path(str(EXAMPLES / "bank_transfer.py"))["scenario"]
    return found


def test_port_calls(bench: Bench) -> None:
    """Eight tasks that do nothing but call, picked at random, every row of the trace kept."""
    each = 5_000 if bench.full else 100

    def work() -> float:
        kernel = Kernel(Choices(RandomWalk(1)), max_steps=TASKS * each + 1)
        store = ObjectStore(kernel)
        store.objects["a"] = 1

        def body() -> None:
            for _ in range(each):
                store.get("a")

        for i in range(TASKS):
            kernel.start(f"t{i}", body)
        kernel.drive()
        assert len(kernel.trace) == TASKS * each
        return float(len(kernel.trace))

    bench("port calls, 8 tasks, random picks", "calls/CPU-s", work, target=400_000)


SCHEDULES: dict[str, tuple[Callable[[], Scenario], int, float | None]] = {
    "bank transfer, two writers": (bank, 4000, 6000),
    "Iceberg append/append, steps load and commit": (
        lambda: replace(built_in()["iceberg/append-append"], yield_points=CATALOG_STEPS), 1000, None),
    "Iceberg append/append, every port call a step": (lambda: built_in()["iceberg/append-append"], 1000, None),
    "Iceberg delete/update, every port call a step": (lambda: built_in()["iceberg/delete-update-snapshot"], 1000, None),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEDULES)
def test_two_writer_schedules(bench: Bench, name: str) -> None:
    """Whole runs: world, writers, full trace, tape, history, and the checks of every property of the scenario."""
    make, count, target = SCHEDULES[name]
    runner = Runner(make())
    seeds = range(count if bench.full else 5)

    @guarded()
    def work() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in seeds)
        return float(len(seeds))

    bench(name, "schedules/CPU-s", work, target=target)


def test_what_a_run_costs_without_its_steps(bench: Bench) -> None:
    """A world that nobody enters: kernel, services, recorder, checks of nothing."""
    runner = Runner(Scenario("bench/empty", program(lambda simulation: None), ()))
    seeds = range(10_000 if bench.full else 5)

    @guarded()
    def work() -> float:
        assert all(runner.run(FirstCome()).complete for _ in seeds)
        return float(len(seeds))

    bench("empty runs", "runs/CPU-s", work)


def latency(choices: Choices, operation: str) -> tuple[int, int]:
    """20 to 100 ms for a call: half of it there, half of it back."""
    return 10 + choices.choose("latency", 41), 10 + choices.choose("latency", 41)


def day(hours: int) -> Scenario:
    """8 writers that commit about once a minute to one register, 4 pollers that look every ten seconds."""

    def writer(simulation: Simulation, name: str) -> None:
        world = simulation.world(name)
        while world.clock.now_ms() < hours * HOUR_MS:
            world.clock.sleep_ms(30_000 + 1000 * world.chance.below("pause", 61))
            file = world.chance.fresh("file")
            for part in ("data", "manifest"):
                world.store.put(f"{part}/{file}", 1)
            while True:
                seen = world.register.load("t")
                world.store.put(f"list/{file}", seen.version)
                try:
                    world.register.commit("t", seen.version, file)
                    break
                except CasLost:
                    world.coverage.hit("race lost")

    def poller(simulation: Simulation, name: str) -> None:
        world, known = simulation.world(name), 0
        while True:
            known = max(known, world.register.load("t").version)
            world.clock.sleep_ms(10_000)

    def start(simulation: Simulation) -> None:
        for i in range(8):
            simulation.actor(f"w{i}", lambda name=f"w{i}": writer(simulation, name))  # type: ignore[misc]
        for i in range(4):
            simulation.kernel.start(f"p{i}", lambda name=f"p{i}": poller(simulation, name), daemon=True)  # type: ignore[misc]

    def prepare(simulation: Simulation) -> None:
        simulation.services.register.commit("t", 0, 0)

    return Scenario("bench/day", program(start, prepare=prepare), (), latency=latency)


def test_simulated_time(bench: Bench) -> None:
    """A day of a busy table, in timed mode: latencies decide who is first."""
    hours = 24 if bench.full else 1
    runner = Runner(day(hours), max_steps=10**9)

    @guarded()
    def work() -> float:
        run = runner.run(RandomWalk(1))
        assert run.time_ms >= hours * HOUR_MS
        assert sum(1 for row in run.trace if row[2] == "commit") > 300 * hours
        return run.time_ms / 1000

    bench("simulated : CPU time, 8 writers and 4 pollers, 24 h", ": 1", work, rounds=3)


EXHAUSTIVE: dict[str, Callable[[], Scenario]] = {
    "exhaustive, Iceberg append/append": lambda: built_in()["iceberg/append-append"],
    "exhaustive, three writers, check and set": lambda: check_then_set(3, repaired=True),
}


@pytest.mark.parametrize("name", EXHAUSTIVE)
def test_exhaustive_search(bench: Bench, name: str) -> None:
    """Distinct states with a choice; every new one costs a run from the start."""
    scenario = EXHAUSTIVE[name]()

    def work() -> float:
        result = exhaustive(scenario, limit=100_000 if bench.full else 20)
        assert result.complete or not bench.full
        return float(result.states)

    bench(name, "states/CPU-s", work, rounds=3)


def test_shrinking(bench: Bench) -> None:
    """Random failing runs of the five planted races: what is left, and how many executions that takes."""
    executions: list[int] = []
    left: list[int] = []

    def work() -> float:
        before = sum(executions)
        for scenario in (check_then_set(4), cache_poller(), stale_file_list(), lease_expires(), orphan_cleaner()):
            runner = Runner(scenario)
            steps = runner.run(Deviations()).steps
            walks = (walk for seed in range(500) for walk in (RandomWalk(seed), PriorityWalk(seed, 2, steps)))
            failing = [run for run in map(runner.run, walks) if run.failure][: 20 if bench.full else 1]
            for run in failing:
                small = shrink(runner, run)
                executions.append(small.executions)
                left.append(len(small.deviations))
        return float(sum(executions) - before)

    bench("shrinking, five planted races", "executions/CPU-s", work, rounds=2)
    bench.note("shrinking, executions until proven smallest, median", statistics.median(executions), "")
    bench.note("shrinking, executions until proven smallest, most", max(executions), "")
    bench.note("shrinking, deviations left, most", max(left), "")
    assert max(left) <= 2
