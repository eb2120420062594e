"""Speed of the Hudi model: `make bench`. Nothing here asserts a time; the assertions say that the work was done."""

from collections.abc import Callable

import pytest

from model.hudi import SHIPPED
from sim.escape import guarded
from sim.explore import exhaustive
from sim.run import Runner
from sim.scenario import Scenario
from sim.scenarios import catalog
from sim.scenarios.hudi_build import DIRECT
from sim.strategies import RandomWalk
from sim.studies.hudi_early_detection import scenario
from tests.benchmarks.conftest import Bench

SCHEDULES: dict[str, tuple[Callable[[], Scenario], float | None]] = {
    "Hudi upsert/upsert, every port call a step": (lambda: catalog()["hudi/older-instant-refused"], 3_000),
    "Hudi upsert/upsert with early detection": (lambda: catalog()["hudi/early-direct-safe"], None),
    "Hudi upsert/upsert, file-system lock": (lambda: catalog()["hudi/file-lock-owned"], None),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_two_writer_schedules(bench: Bench, name: str) -> None:
    """Whole runs: world, writers, full trace, tape, history, and the checks of every property of the scenario."""
    make, target = SCHEDULES[name]
    runner = Runner(make())
    seeds = range(1000 if bench.full else 5)

    @guarded()
    def work() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in seeds)
        return float(len(seeds))

    bench(name, "schedules/CPU-s", work, target=target)


def test_exhaustive_schedules(bench: Bench) -> None:
    """Every schedule of two upserts up to states met before, with its bookkeeping."""
    asked = catalog()["hudi/older-instant-refused"]

    def work() -> float:
        result = exhaustive(asked, limit=1_000_000 if bench.full else 50)
        assert result.complete or not bench.full
        return float(result.schedules)

    bench("Hudi upsert/upsert, exhaustive", "schedules/CPU-s", work)


def test_study_in_simulated_time(bench: Bench) -> None:
    """One setting of the early detection study: fifty files a writer, retries and heartbeats."""
    runner = Runner(scenario(2_000, 50, DIRECT, SHIPPED), max_steps=200_000)
    seeds = range(3 if bench.full else 1)

    def work() -> float:
        return sum(runner.run(RandomWalk(seed)).time_ms for seed in seeds) / 1000

    bench("Hudi early detection study", "simulated s/CPU-s", work)
