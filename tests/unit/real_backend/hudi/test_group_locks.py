"""The lock of a file group is no step of a live run: it is asked for at once when the inflight file is there."""

import pytest

from sim.hudi.scenarios import HUDI
from sim.kernel.schedule import steps_of
from sim.search.projection import can_play
from sim.search.run import Runner

SCENARIO = next(each for each in HUDI if each.name == "hudi/early-transactional-shipped")
BEGUN = "w1:create w1.create w1:create w1.create"
"""w1 has its requested and its inflight file."""


@pytest.mark.parametrize(
    ("then", "follows"),
    [("w1:end", True), ("w2:create w2.create w1:end", False)],
    ids=["at once", "after another one"],
)
def test_nobody_acts_between_the_inflight_file_and_the_lock(then, follows):
    """In the simulation somebody could: his marker would be seen live at the commit, and not by the check."""
    live = SCENARIO.live
    assert live is not None
    run = Runner(SCENARIO, yield_points=live.yield_points[0]).play(steps_of(f"{BEGUN} {then} w2:end"))
    assert can_play(live, run) is follows
