"""Run a small campaign in a process of its own, as there can be one Spark session in each.

    python -m tests.live.pipeline.campaigns FOLDER MASTER GENERATOR [WAVES]

MASTER "process" is no Spark; after WAVES waves the process ends as if the system had killed it.
"""

import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

from real_backend.pipeline.campaign import CampaignPlan, Configuration, search
from real_backend.pipeline.spark import on_spark
from real_backend.pipeline.waves import InProcess
from tests.unit.real_backend.pipeline.generators import BLIND, LOOKING


def plan(generator):
    """Eight slices, of which some fail."""
    first, second = (
        Configuration(generator, "till", name, settings, "shipped")
        for name, settings in (("looking", LOOKING), ("blind", BLIND))
    )
    return CampaignPlan((first, second), seeds=8, seeds_each=2, first=4, most=8)


if __name__ == "__main__":
    path, master, generator, *rest = sys.argv[1:]
    last = int(rest[0]) if rest else None

    def tell(progress):
        """End like a killed process when the waves are done."""
        if progress.waves == last and not progress.planned:
            os.kill(os.getpid(), signal.SIGKILL)

    with nullcontext(InProcess()) if master == "process" else on_spark(master) as engine:
        search(Path(path), plan(generator), engine, resume=True, tell=tell, wave_s=1e-9 if last else 60)
