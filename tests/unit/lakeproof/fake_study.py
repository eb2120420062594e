"""A study that takes no time, and its live twin."""

from real_backend.errors import BackendError
from sim.studies import Study
from tests.unit.reports.studies import ACROSS, BARS, LINES

told: list[int] = []


def _run(progress):
    for _ in range(2):
        if progress is not None:
            progress(1)
            told.append(1)
    return LINES


STUDY = Study("hudi-early-detection", "What a cache costs.", 2, _run, (ACROSS,))


def LIVE(progress):
    """Another table, not marked as live."""
    return BARS


def gone(progress):
    """A live system that is not there."""
    raise BackendError("metastore: expected it to start, got an end; see its log")
