"""Schedules per second of one campaign on `local[2]`, against twice those in one process.

    python -m tests.benchmarks.fan_out [SECONDS]

Each runs for so many seconds (60 unless told); waves, their files and their counting are part of it, the start of
Spark is not.
"""

import os
import sys
import tempfile
from pathlib import Path

from real_backend.pipeline.campaign import CampaignPlan, Configuration, search
from real_backend.pipeline.spark import on_spark
from real_backend.pipeline.waves import InProcess

DEFAULT = Configuration("sim.iceberg.generate:GENERATOR", "iceberg", "default", (("client", "spark-sql"),), "shipped")
CORES = 2


def rate(engine, seconds):
    """Returns: schedules per second of a new campaign on this engine."""
    with tempfile.TemporaryDirectory() as folder:
        return search(Path(folder) / "campaign", CampaignPlan((DEFAULT,)), engine, seconds=seconds).per_s


def main(seconds):
    """Print both rates and their ratio."""
    one = rate(InProcess(), seconds)
    with on_spark(f"local[{CORES}]") as engine:
        all_cores = rate(engine, seconds)
    ratio = all_cores / (CORES * one)
    sys.stdout.write(
        f"one process: {one:,.0f} schedules/s; local[{CORES}]: {all_cores:,.0f}; over {seconds:g} s each\n"
        f"local[{CORES}] against {CORES} times one process: {ratio:.2f} (aim 0.85); load {os.getloadavg()[0]:.1f}\n"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
