"""How many schedules and states two Iceberg writers have, at two yield points, and why.

At the yield points of `load` and `commit` a writer makes load, commit, load; a lost commit adds commit and load once
more. So two appends have C(6,3) = 20 orders of their plain steps, and where both load before either commits the loser's
two extra steps can fall in more places: 28 in all. A refused writer ends after its second load: 22 and 16. The real
Java loop was counted at the same yield points and gives the same three numbers
(`tests/live/iceberg/test_exhaustive_agreement.py`).

At the yield points of every port call the reads and writes of files come in between. Almost all of their orders lead to
the same states, which is why pruning by state runs a hundred times fewer schedules and still sees every outcome.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.workload import Append, Overwrite, Statement
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.world.scenario import Scenario

APPEND_3, APPEND_4 = Append(((3, "x"),)), Append(((4, "y"),))
OVERWRITE_A = Overwrite(((1, "A"), (2, "a2")), validate=True, by="file")
OVERWRITE_B = Overwrite(((1, "B"), (2, "b2")), validate=True, by="file")
PAIRS: dict[str, tuple[Statement, Statement]] = {
    "append/append": (APPEND_3, APPEND_4),
    "append/overwrite": (APPEND_3, OVERWRITE_B),
    "overwrite/overwrite": (OVERWRITE_A, OVERWRITE_B),
}


def pair(name: str) -> Scenario:
    """The scenario of two Java API writers."""
    first, second = PAIRS[name]
    writers: dict[str, Sequence[Statement]] = {"w1": [first], "w2": [second]}
    return race(name.replace("/", "-"), "", writers, catalog="java-api")


@pytest.mark.parametrize(
    ("name", "count"), [("append/append", 28), ("append/overwrite", 22), ("overwrite/overwrite", 16)]
)
def test_interleavings_at_the_yield_points_of_load_and_commit(name: str, count: int) -> None:
    """All of them, unpruned, and every one keeps every property."""
    result = exhaustive(replace(pair(name), yield_points=CATALOG_STEPS), prune=False)
    assert (result.verdict, result.schedules) == ("holds", count)


@pytest.mark.parametrize(
    ("name", "schedules", "states"),
    [("append/append", 73, 72), ("append/overwrite", 119, 118), ("overwrite/overwrite", 185, 184)],
)
def test_states_at_the_yield_points_of_every_port_call(name: str, schedules: int, states: int) -> None:
    """Each run but the first branches off at a new state, so there is one run more than states with a choice."""
    result = exhaustive(pair(name))
    assert (result.verdict, result.schedules, result.states) == ("holds", schedules, states)


def test_pruning_loses_no_outcome() -> None:
    """Two appends at every port call: 8,892 schedules unpruned end in the outcomes that 73 runs end in."""

    def ends(prune: bool) -> tuple[set[object], int]:
        seen: set[object] = set()

        def note(run: Run) -> None:
            seen.add(tuple(event[2:] for event in run.events))

        return seen, exhaustive(pair("append/append"), prune=prune, each=note).schedules

    (all_ends, all_runs), (pruned_ends, pruned_runs) = ends(False), ends(True)
    assert pruned_ends == all_ends
    assert (all_runs, pruned_runs) == (8_892, 73)
