"""Hosts of their own may draw one instant; the threads of one JVM, which play them live, never do."""

from sim.hudi.scenarios import HUDI
from sim.kernel.schedule import steps_of
from sim.search.projection import can_play
from sim.search.run import Runner

SCENARIO = next(each for each in HUDI if each.name == "hudi/file-lock-failed-client")


def is_playable(steps):
    """Whether the gates can make a run of three clients with a lock file."""
    assert SCENARIO.live is not None
    return can_play(SCENARIO.live, Runner(SCENARIO, yield_points=SCENARIO.live.yield_points[0]).play(steps_of(steps)))


def test_a_run_in_which_two_hosts_draw_one_instant_has_no_live_schedule():
    """w3 deletes w1's lock, and w2 draws the instant that w1 has drawn: whoever announces it last is refused."""
    assert not is_playable("w1:create w1.create w3:end w2:end w1:end")
    assert is_playable("w1:create w1.create w3:create w1:write w3:end w2:end w1:end")
