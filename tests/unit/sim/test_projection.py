"""A run at the steps of its live counterpart: the same failure or none, and its own count of deviations."""

from dataclasses import replace

import pytest

from sim.search.explore import by_deviations
from sim.search.projection import projection, projection_on, shown
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.world.live import Live
from sim.world.program import program
from sim.world.scenario import Scenario
from tests.unit.sim.test_shrink import lost_update


def live(*operations):
    """A counterpart whose gates are at these operations."""
    return Live("some system", None, (operations,))


def half_read(**options):
    """r1 sees half of what w1 writes, which is called a stray read; or all of it, which is called a read too early."""

    def writer(simulation):
        store, op = simulation.world("w1").store, simulation.record.invoke("w1", "write")
        for path in ("one", "two"):
            store.list("")
            store.put(path, 1)
        simulation.record.ok(op, start=0, commit=1, writes=[("one", "1"), ("two", "1")])

    def reader(simulation):
        store, op = simulation.world("r1").store, simulation.record.invoke("r1", "read")
        store.list("")
        one, two = store.exists("one"), store.exists("two")
        stray = "stray" if one and not two else "1" if one else None
        simulation.record.ok(op, start=0, reads=[("one", stray, None)])

    def start(simulation):
        simulation.record.setup([("one", None), ("two", None)])
        simulation.actor("w1", lambda: writer(simulation))
        simulation.actor("r1", lambda: reader(simulation))

    return Scenario(
        "test/half", program(start), ("no-aborted-reads", "snapshot-isolation"), expect="violated", **options
    )


def test_a_run_that_fails_otherwise_at_the_live_steps_is_no_projection():
    """At the listings alone, r1 sees all or nothing: another failure, which nobody asked about."""
    scenario = half_read(broken="no-aborted-reads", live=live("put"))
    found = by_deviations(scenario, 2).weakest
    assert found is not None
    assert found.failure == "no-aborted-reads/thin-air-read"
    assert projection_on(found, ("put",)) is None
    as_it_is = shown(shrink(Runner(scenario), found).run)
    assert as_it_is.run.failure == found.failure
    assert as_it_is.live == "some system, but this run has no schedule at the steps of its gates"


def test_a_projection_has_its_own_count_and_the_proof_of_the_run_that_it_comes_from():
    """One deviation at every port call; at loads and commits alone, the same order is another run."""
    scenario = lost_update(2, live=live("load", "commit"))
    failing = by_deviations(scenario, 2).weakest
    assert failing is not None
    shrunk = shrink(Runner(scenario), failing)
    best = shown(shrunk.run, shrunk)
    assert (len(shrunk.deviations), shrunk.proven) == (1, True)
    assert best.run is not shrunk.run
    assert (best.run.failure, best.run.yield_points) == (failing.failure, ("load", "commit"))
    assert best.shrunk is shrunk
    coarse = replace(scenario, yield_points=("load", "commit"))
    fewest = by_deviations(coarse, 2).weakest
    assert fewest is not None
    assert (best.projected, len(shrink(Runner(coarse), fewest).deviations)) == (2, 1), "w2 would begin by default"


@pytest.mark.parametrize("counterpart", [None, live("load", "commit", "put")])
def test_a_run_that_is_shown_as_it_is_keeps_its_proof(counterpart):
    """There is no counterpart, or the run has its steps already: no count but that of the proof."""
    scenario = lost_update(2, live=counterpart, yield_points=("load", "commit"))
    failing = by_deviations(scenario, 2).weakest
    assert failing is not None
    shrunk = shrink(Runner(scenario), failing)
    best = shown(shrunk.run, shrunk)
    assert best.run is shrunk.run
    assert (best.projected, best.shrunk) == (None, shrunk)


def test_the_projection_of_a_projection_is_itself():
    """What a live system plays is the run that was shown."""
    scenario = lost_update(2, live=live("load", "commit"))
    failing = by_deviations(scenario, 2).weakest
    assert failing is not None
    once = projection(failing)
    assert once is not None
    assert projection(once.run) == once
