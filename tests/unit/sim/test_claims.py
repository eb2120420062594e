"""Claims: confirmed, refuted, or left open, always by the property that they are about."""

from dataclasses import replace

import pytest

from model.ports import CasLost
from sim.kernel.schedule import parse
from sim.search.claims import CONFIRMED, REFUTED, UNKNOWN, Claim, Evidence, judge, judge_all
from sim.search.run import Runner
from sim.world.program import program
from sim.world.scenario import Scenario


def add_one(simulation, name, checked):
    """A client that adds one to a register; unchecked, it names the version that it loads for the write."""
    register = simulation.world(name).register

    def body():
        op = simulation.record.invoke(name, "add")
        while True:
            seen = register.load("n")
            expected = seen.version if checked else register.load("n").version
            try:
                version = register.commit("n", expected, seen.value + 1)
            except CasLost:
                simulation.world(name).coverage.hit("race lost")
                continue
            reads, writes = [("n", str(seen.value), seen.version - 1)], [("n", str(seen.value + 1))]
            simulation.record.ok(op, start=seen.version - 1, commit=version - 1, reads=reads, writes=writes)
            return

    return body


def counter(name, *, checked, **fields):
    """Two clients on one register."""

    def start(simulation):
        simulation.record.setup([("n", "0")])
        for actor in ("a", "b"):
            simulation.actor(actor, add_one(simulation, actor, checked))

    return Scenario(
        name, program(start, prepare=lambda simulation: simulation.services.register.commit("n", 0, 0)),
        properties=("no-aborted-reads", "no-lost-update"), bounds="2 clients", **fields,
    )  # fmt: skip


SAFE, UNSAFE = counter("t/safe", checked=True), counter("t/unsafe", checked=False)


def claim(*scenarios, about="no-lost-update", **fields):
    """A claim that nothing is lost."""
    return Claim("no update is lost", "the document, section 1", about, "a variant", scenarios, **fields)


@pytest.mark.parametrize(
    ("scenario", "predicts", "verdict"),
    [(SAFE, "holds", CONFIRMED), (SAFE, "violated", REFUTED),
     (UNSAFE, "holds", REFUTED), (UNSAFE, "violated", CONFIRMED)],
)  # fmt: skip
def test_a_claim_is_judged_by_what_it_predicts(scenario, predicts, verdict):
    """A document that says what goes wrong is right if it does."""
    assert judge(claim(scenario, predicts=predicts)).verdict == verdict


def test_a_counterexample_is_small_and_replays():
    """Its steps are those of a schedule file that ends in the same failure."""
    row = judge(claim(UNSAFE))
    assert row.found.startswith("no-lost-update: ")
    assert row.scenario == "t/unsafe"
    assert row.schedule == tuple(map(str, parse(row.replay).steps))
    assert row.schedule == ("a.load(n)", "a:load(n)", "b:end", "a:end")
    assert Runner(UNSAFE).play(parse(row.replay).steps).failure == row.found.replace(": ", "/")


def test_what_holds_says_how_far():
    """The bounds of the search, and no schedule."""
    row = judge(claim(SAFE))
    assert row.schedule is None
    assert row.bounds.startswith("2 clients; steps: every port call; ")
    assert row.bounds.endswith("; complete")


def test_another_property_that_breaks_is_no_answer():
    """The claim asks about one; without one it asks about all of the scenario's."""
    assert judge(claim(UNSAFE, about="no-aborted-reads")).verdict == CONFIRMED
    assert judge(claim(UNSAFE, about="")).verdict == REFUTED


def test_every_scenario_must_answer_as_predicted():
    """One that does not refutes the claim, and its schedule is shown; the bounds are those of all."""
    row = judge(claim(SAFE, UNSAFE))
    assert row.verdict == REFUTED
    assert row.scenario == "t/unsafe"
    assert row.bounds.count("2 clients") == 2


def test_a_search_that_ends_too_early_leaves_the_claim_open():
    """Also one whose counter stayed zero: nothing happened there that could have gone wrong."""
    assert judge(claim(SAFE), budget=3).verdict == UNKNOWN
    uncovered = judge(claim(replace(SAFE, counters=("never",))))
    assert uncovered.verdict == UNKNOWN
    assert "never happened: never" in uncovered.bounds


@pytest.mark.parametrize(("holds", "verdict"), [(True, CONFIRMED), (False, REFUTED), (None, UNKNOWN)])
def test_evidence_answers_where_no_schedule_can(holds, verdict):
    """With its own bounds and its own example."""
    row = judge(claim(evidence=lambda: Evidence(holds, "25 pairs", "[1:] and [1:1]")))
    assert (row.verdict, row.bounds, row.schedule) == (verdict, "25 pairs", None)
    assert row.found == ("" if holds is None else "[1:] and [1:1]")


def test_a_claim_without_anything_to_judge_it_by_is_a_mistake():
    """It names the claim."""
    with pytest.raises(ValueError, match="no update is lost"):
        judge(claim())


def test_claims_are_judged_in_their_order_and_progress_is_told():
    """Once for each."""
    told: list[int] = []
    rows = judge_all([claim(UNSAFE), claim(SAFE, live="tests/live/test_x.py::test_y")], progress=told.append)
    assert [row.verdict for row in rows] == [REFUTED, CONFIRMED]
    assert [row.live for row in rows] == ["no", "tests/live/test_x.py::test_y"]
    assert told == [1, 1]
