"""What of a simulated and a live run of Hudi is compared."""

from collections.abc import Iterable

from model.hudi.rules import SHIPPED
from real_backend.hudi.conformance import simulated
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.live import YIELD_POINTS
from sim.hudi.statements import Read, Statement, Upsert
from sim.kernel.schedule import steps_of
from sim.search.run import Runner

WRITERS: dict[str, Iterable[Statement]] = {name: [Upsert(((1, name.upper()),)), Read()] for name in ("w1", "w2")}


def outcomes(steps):
    """What two writers of one row that read it then were told."""
    scenario = race("x", "", WRITERS, rules=SHIPPED, properties=("readable",), options=OPTIMISTIC)
    return simulated(Runner(scenario, yield_points=YIELD_POINTS).play(steps_of(steps))).outcomes


def test_whose_answer_came_first_is_not_compared():
    """A reader that nobody stands in the way of ends between two steps of others: live at another one."""
    assert outcomes("w1:end w2:end") == outcomes("w1:delete w2:end w1:end")


def test_the_order_of_one_actors_answers_is_compared():
    """Who is refused with a write, and not with the read after it, is told so in that order."""
    told = outcomes("w2:list w2.list w1:end w2:end")
    assert [kind for actor, kind in told if actor == "w2"] == ["WriteConflict", "ok"]
