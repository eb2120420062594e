"""What a campaign costs: two cores against one process, a million schedules, and the report against its size.

    python -m tests.benchmarks.fan_out [SECONDS [SCHEDULES]]

* schedules per second of one campaign on `local[2]`, against twice those in one process, each for so many seconds (60
  unless told); waves, their files and their counting are part of it, the start of Spark is not;
* so many schedules (a million unless told) of the smallest scenario, on two cores;
* making causes small and the report of campaigns of 1, 2 and 4 times as many scenarios, in one process.
"""

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from lakeproof.campaigns.carry_out import made_small, report_on
from real_backend.pipeline.campaign import CampaignPlan, Configuration, search
from real_backend.pipeline.folder import opened
from real_backend.pipeline.spark import on_spark
from real_backend.pipeline.waves import InProcess
from sim.generation.draws import Draws, replayed
from sim.generation.sweep import RANDOM
from sim.iceberg.generate import GENERATOR

DEFAULT = Configuration("sim.iceberg.generate:GENERATOR", "iceberg", "default", (("client", "spark-sql"),), "shipped")
SMALLEST = replace(GENERATOR, draw=lambda draws, rules: GENERATOR.draw(Draws(replayed("")), rules))
SMALL = Configuration("tests.benchmarks.fan_out:SMALLEST", "iceberg", "smallest", (), "shipped")
CORES, EACH, SEEDS_EACH = 2, 500, 20
SCENARIOS = 48


def rate(engine, seconds):
    """Returns: schedules per second of a new campaign on this engine."""
    with tempfile.TemporaryDirectory() as folder:
        return search(Path(folder) / "campaign", CampaignPlan((DEFAULT,)), engine, seconds=seconds).per_s


def many(engine, schedules):
    """Run so many schedules of the smallest scenario. Returns: how many they were, and the seconds that they took."""
    seeds = -(-schedules // EACH)
    plan = CampaignPlan((SMALL,), seeds=seeds, seeds_each=SEEDS_EACH, first=EACH, most=EACH, strategies=(RANDOM,))
    with tempfile.TemporaryDirectory() as folder:
        done = search(Path(folder) / "campaign", plan, engine)
    return done.schedules, done.wall_s


def report_costs(times):
    """Returns: one row of text: what making small and telling cost in a campaign of so many times the scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign"
        done = search(path, CampaignPlan((DEFAULT,), seeds=SCENARIOS * times), InProcess())
        stored = sum(file.stat().st_size for file in path.rglob("*.parquet")) / 1e6
        before = time.process_time()
        causes = made_small(opened(path), InProcess())
        small = time.process_time()
        report_on(opened(path))
        told = time.process_time()
    return (
        f"report of {done.scenarios:,} scenarios, {done.schedules:,} schedules, {stored:.1f} MB, {len(causes)} causes: "
        f"making them small {small - before:.1f} CPU-s, the report {told - small:.1f}\n"
    )


def main(seconds, schedules):
    """Print all of them."""
    one = rate(InProcess(), seconds)
    with on_spark(f"local[{CORES}]") as engine:
        all_cores = rate(engine, seconds)
        run, wall_s = many(engine, schedules)
    sys.stdout.write(
        f"one process: {one:,.0f} schedules/s; local[{CORES}]: {all_cores:,.0f}; over {seconds:g} s each\n"
        f"local[{CORES}] against {CORES} times one process: {all_cores / (CORES * one):.2f} (aim 0.85); "
        f"load {os.getloadavg()[0]:.1f}\n"
        f"the smallest scenario: {run:,} schedules in {wall_s:.0f} s on {CORES} cores "
        f"(a million in {wall_s * 1e6 / run:.0f} s; aim 240)\n"
    )
    for times in (1, 2, 4):
        sys.stdout.write(report_costs(times))


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:]]
    main(given[0] if given else 60.0, int(given[1]) if len(given) > 1 else 1_000_000)
