"""The live counterpart of `fake_study`: another table, not marked as live, and a chart of its own."""

from real_backend.errors import BackendError
from sim.search.study import Study
from tests.unit.reports.studies import BARS, BESIDE

told: list[int] = []


def _run(progress):
    for _ in range(3):
        progress(1)
        told.append(1)
    return BARS


def _gone(progress):
    raise BackendError("metastore: expected it to start, got an end; see its log")


STUDY = Study("hudi-early-detection", "What a cache costs in truth.", 3, _run, (BESIDE,))
GONE = Study("hudi-early-detection", "A live system that is not there.", 1, _gone, (BESIDE,))
