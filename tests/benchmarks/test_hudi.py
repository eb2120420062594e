"""Speed of the Hudi model: `make bench`. Nothing here asserts a time; the assertions say that the work was done."""

import time

import pytest

from lakeproof.scenarios import built_in
from sim.hudi.study_early_settings import scenario, settings
from sim.kernel.escape import guarded
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.benchmarks.conftest import Bench, spent_since

SCHEDULES = {
    "Hudi upsert/upsert, every port call a step": "hudi/older-instant-refused",
    "Hudi upsert/upsert with early detection": "hudi/early-direct-safe",
    "Hudi upsert/upsert, file-system lock": "hudi/file-lock-owned",
}
HALF_PERCENT = 50
"""What the project aims at: half as many schedules of Hudi as of Iceberg."""


@pytest.mark.parametrize("name", SCHEDULES)
def test_two_writer_schedules(bench: Bench, name: str) -> None:
    """Whole runs: world, writers, full trace, tape, history, and the checks of every property of the scenario."""
    runner = Runner(built_in()[SCHEDULES[name]])
    seeds = range(1000 if bench.full else 5)

    @guarded()
    def work() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in seeds)
        return float(len(seeds))

    bench(name, "schedules/CPU-s", work)


def test_two_writer_schedules_beside_icebergs(bench: Bench) -> None:
    """Two upserts and two appends in turn, in one process, both at every port call."""
    runners = [Runner(built_in()[name]) for name in ("hudi/older-instant-refused", "iceberg/append-append")]
    seconds = [0.0, 0.0]

    @guarded()
    def work() -> float:
        for seed in range(500 if bench.full else 5):
            for number, runner in enumerate(runners):
                begin = time.process_time()
                assert runner.run(RandomWalk(seed)).complete
                seconds[number] += spent_since(begin)
        return 1.0

    bench("Hudi and Iceberg in turn, 500 schedules each", "/CPU-s", work, rounds=3)
    bench.note("Hudi schedules, as a percentage of Iceberg's", 100 * seconds[1] / seconds[0], "%", HALF_PERCENT)


def test_exhaustive_schedules(bench: Bench) -> None:
    """Every schedule of two upserts up to states met before, with its bookkeeping."""
    asked = built_in()["hudi/older-instant-refused"]

    def work() -> float:
        result = exhaustive(asked, limit=1_000_000 if bench.full else 50)
        assert result.complete or not bench.full
        return float(result.schedules)

    bench("Hudi upsert/upsert, exhaustive", "schedules/CPU-s", work)


def test_study_in_simulated_time(bench: Bench) -> None:
    """One setting of the early detection study: fifty files a writer, retries and heartbeats."""
    setting = next(one for one in settings() if (one.case, one.detection) == ("early, 50 % shared", "direct"))
    runner = Runner(scenario(setting, 0), max_steps=200_000)
    seeds = range(3 if bench.full else 1)

    def work() -> float:
        runs = [runner.run(RandomWalk(seed)) for seed in seeds]
        assert all(run.complete for run in runs)
        return sum(run.time_ms for run in runs) / 1000

    bench("Hudi early detection study", "simulated s/CPU-s", work)
