"""A study that takes no time."""

from sim.search.study import Study
from tests.unit.reports.studies import ACROSS, LINES

told: list[int] = []
asked: list[int] = []


def _run(progress, seeds=20):
    asked.append(seeds)
    for _ in range(2):
        if progress is not None:
            progress(1)
            told.append(1)
    return LINES


STUDY = Study("hudi-early-detection", "What a cache costs.", 2, _run, (ACROSS,), over_seeds=_run)
WHOLE = Study("hudi-early-detection", "A search of all schedules.", 2, _run, (ACROSS,))
