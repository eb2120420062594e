"""How many schedules two Hudi writers have, and that pruning by state loses none of their outcomes.

At the yield points of `create` a writer makes four steps: requested, inflight, marker, data; a winner's fifth is
completed. Locks and the reading before a step happen between two steps, so what is counted is orders of files
appearing.
"""

from dataclasses import replace

import pytest

from lakeproof.scenarios import built_in
from sim.search.explore import exhaustive
from sim.search.run import Run

pytestmark = pytest.mark.search
PAIRS = {
    "older-instant-refused": ("create",),
    "early-direct-safe": ("create",),
    "file-lock-owned": ("create", "sleep"),
    "zombie": ("create", "sleep", "write", "try_lock"),
}

COUNTS = {
    "older-instant-refused": (164, 47),
    "early-direct-safe": (95, 42),
    "file-lock-owned": (2_018, 376),
    "zombie": (340, 294),
}
"""Schedules, unpruned and pruned."""


def ends(name: str, *, prune: bool) -> tuple[set[object], int]:
    """The ways in which the history can end, without the times of events; and the number of runs."""
    seen: set[object] = set()

    def note(run: Run) -> None:
        seen.add(tuple(event[2:] for event in run.events))

    scenario = replace(built_in()[f"hudi/{name}"], yield_points=PAIRS[name])
    return seen, exhaustive(scenario, prune=prune, each=note).schedules


@pytest.mark.parametrize("name", PAIRS)
def test_pruning_loses_no_outcome(name: str) -> None:
    """Every ending of the unpruned search is an ending of the pruned one, in fewer runs."""
    (all_ends, all_runs), (pruned_ends, pruned_runs) = ends(name, prune=False), ends(name, prune=True)
    assert pruned_ends == all_ends
    assert (all_runs, pruned_runs) == COUNTS[name]
