"""A study that takes no time."""

from sim.search.study import Study
from tests.unit.reports.studies import ACROSS, LINES

told: list[int] = []


def _run(progress):
    for _ in range(2):
        if progress is not None:
            progress(1)
            told.append(1)
    return LINES


STUDY = Study("hudi-early-detection", "What a cache costs.", 2, _run, (ACROSS,))
