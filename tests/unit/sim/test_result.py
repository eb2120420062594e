"""What a verdict rests on: "holds" needs something that held, and a violation is the weakest property that broke."""

from dataclasses import replace
from functools import partial

import pytest

from model.ports import CasLost, PortError
from sim.kernel.trace import loop_of
from sim.search.explore import by_deviations, default_plan, exhaustive, portfolio
from sim.search.result import (
    ENDLESS_RUNS,
    NO_PROPERTY,
    NO_WRITE_ACKNOWLEDGED,
    NOTHING_ACKNOWLEDGED,
    NOTHING_RECORDED,
    Result,
    broken_by,
)
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.strategies import Deviations
from sim.services.mutexes import BoundMutexes, MutexTable
from sim.world.fault_spaces import OBJECT_STORE, REGISTER, wide
from sim.world.program import program
from sim.world.scenario import Scenario
from tests.unit.sim.test_explore import race
from tests.unit.sim.worlds import scenario

READS = ("no-aborted-reads",)


def told(kind, *, name="w1", writes=()):
    """An actor that makes one call and is told an answer of a kind."""

    def body(simulation):
        op = simulation.record.invoke(name, "write")
        simulation.world(name).store.put("a", 1)
        if kind == "ok":
            simulation.record.ok(op, start=0, writes=writes)
        elif kind:
            getattr(simulation.record, kind)(op, "no", writes=writes)

    return body


def looks_only(simulation):
    """A final read, which nobody waited for."""
    simulation.record.read("r-final", 0, [])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (race(properties=()), NO_PROPERTY),
        (Scenario("t/none", program(lambda simulation: None), READS), NOTHING_RECORDED),
        (Scenario("t/final", program(lambda simulation: None, finish=looks_only), READS), NOTHING_RECORDED),
        (scenario({"w1": lambda simulation: simulation.world("w1").store.put("a", 1)}, properties=READS,
                  finish=looks_only), NOTHING_RECORDED),
        (scenario({"w1": told("")}, properties=READS, finish=looks_only), NOTHING_ACKNOWLEDGED),
        (scenario({"w1": told("fail")}, properties=READS, finish=looks_only), NOTHING_ACKNOWLEDGED),
        (scenario({"w1": told("info"), "w2": told("ok", name="w2")}, properties=READS), None),
        (scenario({"w1": told("ok"), "w2": told("fail", name="w2", writes=[("k", "1")])}, properties=READS),
         NO_WRITE_ACKNOWLEDGED),
    ],
)  # fmt: skip
def test_a_search_in_which_nothing_held_is_unknown_and_says_why(given, reason):
    """Nobody acted, nobody asked, or nobody was told that anything was done."""
    result = default_plan(given)
    assert result.complete
    assert (result.verdict, result.reasons) == (("unknown", (reason,)) if reason else ("holds", ()))
    assert result.bounds.endswith(f"complete; {reason}" if reason else "complete")


def test_a_write_that_was_acknowledged_in_one_run_is_enough():
    """That in another one all were refused is what a race is."""

    def body(simulation):
        simulation.record.setup([("k", "0")])
        op = simulation.record.invoke("w1", "write")
        try:
            simulation.world("w1").register.commit("t", 0, "one")
            simulation.record.ok(op, start=0, commit=1, writes=[("k", "1")])
        except CasLost as error:
            simulation.record.fail(op, str(error), writes=[("k", "1")])

    def other(simulation):
        simulation.world("w2").register.commit("t", simulation.world("w2").register.load("t").version, "other")

    one = scenario({"w1": body}, properties=READS)
    assert exhaustive(one).verdict == "holds"
    before = replace(one, program=program(one.program.start, prepare=lambda s: s.services.register.commit("t", 0, "")))
    assert exhaustive(before).reasons == (NOTHING_ACKNOWLEDGED,)


def test_what_an_earlier_phase_saw_acknowledged_counts_for_a_later_one():
    """And what it tried."""
    later = Result(race(), "later")
    assert later.reasons[1:] == (NOTHING_RECORDED,)
    later.include(by_deviations(race(), 0))
    assert later.reasons == ("not exhaustive: at most 0 deviations, later",)


def test_unknown_can_be_what_is_expected_but_for_that_reason_only():
    """A counter at zero beside it is not what the scenario says."""
    silent = scenario({"w1": told("fail")}, properties=READS, expect="unknown")
    assert default_plan(silent).as_expected
    assert not default_plan(replace(silent, counters=("never",))).as_expected
    assert not default_plan(replace(silent, expect="holds")).as_expected
    assert not default_plan(race(expect="unknown")).as_expected


def two_flaws(**options):
    """A read in between sees half of a write, which breaks a strong property; with a fault, a weak one breaks."""

    def writer(simulation):
        store, op = simulation.world("w1").store, simulation.record.invoke("w1", "write")
        store.put("one", 1)
        store.put("two", 1)
        simulation.record.ok(op, start=0, commit=1, writes=[("one", "1"), ("two", "1")])

    def reader(simulation):
        store, op = simulation.world("r1").store, simulation.record.invoke("r1", "read")
        try:
            one, two = store.exists("one"), store.exists("two")
        except PortError:
            simulation.record.ok(op, start=0, reads=[("one", "stray", None)])
            return
        reads = [("one", "1" if one else None, None), ("two", "1" if two else None, None)]
        simulation.record.ok(op, start=int(one), reads=reads)

    def start(simulation):
        simulation.record.setup([("one", None), ("two", None)])
        simulation.actor("w1", lambda: writer(simulation))
        simulation.actor("r1", lambda: reader(simulation))

    faults = wide(OBJECT_STORE, actors=("r1",), without={"stale": "no"})
    asked = {"properties": ("no-aborted-reads", "snapshot-isolation", "no-leaks")} | options
    return Scenario("test/flaws", program(start), faults=faults, **asked)


def weakest(result):
    """The property that is reported."""
    assert result.weakest is not None
    return broken_by(result.weakest)


def test_the_weakest_property_that_broke_is_the_one_that_is_reported():
    """A search for it goes on when a stronger one breaks first."""
    any_failure = by_deviations(two_flaws(), 2)
    assert [key.split("/")[0] for key in any_failure.failures] == ["snapshot-isolation"]
    found = by_deviations(two_flaws(expect="violated", broken="no-aborted-reads"), 2)
    assert [key.split("/")[0] for key in found.failures] == ["snapshot-isolation", "no-aborted-reads"]
    assert weakest(found) == "no-aborted-reads"
    assert found.found_within == found.schedules > any_failure.schedules == any_failure.found_within
    assert (found.as_expected, any_failure.as_expected) == (True, False)


def test_a_property_that_was_expected_to_break_and_did_not_is_no_expected_violation():
    """The phase is searched to its end, and what did break is reported."""
    found = default_plan(two_flaws(expect="violated", broken="no-leaks"))
    assert (found.verdict, found.as_expected, found.method) == ("violated", False, "at most 2 deviations")
    assert weakest(found) == "no-aborted-reads"
    assert found.found_within < found.schedules


def test_a_weaker_property_that_breaks_on_the_way_is_no_expected_violation():
    """What is worse than expected is said."""
    found = by_deviations(two_flaws(expect="violated", broken="no-leaks"), 1)
    assert (found.verdict, found.as_expected, weakest(found)) == ("violated", False, "no-aborted-reads")


def test_a_failure_of_the_default_schedule_needs_no_search():
    """It is said; one that was found by a search is none, though the default schedule may fail otherwise."""
    fails = scenario(
        {"w1": told("ok")}, properties=("readable",), finish=lambda s: s.record.read("r-final", 0, [], "!")
    )
    result = default_plan(fails)
    assert (result.no_search_needed, result.found_words) == (True, "1 schedule, the default one: no search needed")
    searched = by_deviations(two_flaws(), 2)
    assert (searched.no_search_needed, searched.found_words) == (False, f"{searched.found_within} schedules")
    assert portfolio(fails, seeds=range(5)).no_search_needed
    assert not exhaustive(fails).no_search_needed, "depth first begins with another schedule"


def spin(simulation):
    """Polls for what never comes."""
    world = simulation.world("w1")
    op = simulation.record.invoke("w1", "poll")
    while not world.store.exists("flag"):
        world.clock.sleep_ms(10)
    simulation.record.ok(op)


@pytest.mark.parametrize("search", [default_plan, exhaustive, lambda one: portfolio(one, seeds=range(1_000))])
def test_a_loop_that_never_ends_is_a_livelock_after_a_few_runs(search):
    """The reason names the loop; the search does not go on for hours."""
    result = search(scenario({"w1": spin, "w2": told("ok", name="w2")}, properties=READS, max_steps=500))
    assert (result.verdict, result.complete, result.cut_short) == ("unknown", False, ENDLESS_RUNS)
    assert result.schedules <= 2 * ENDLESS_RUNS
    said = f"livelock: {ENDLESS_RUNS} runs did not end within 500 steps, going on with w1."
    assert result.reasons[0] in {f"{said}exists, w1.sleep", f"{said}sleep, w1.exists"}
    assert result.endless.steps == 501


def test_actors_that_wait_for_each_other_are_a_deadlock_and_the_search_goes_on():
    """A run in which nobody can go on costs little, and others may break something."""

    def start(simulation):
        table = simulation.attach("locks", MutexTable)
        for name, first, second in (("w1", "a", "b"), ("w2", "b", "a")):
            locks = BoundMutexes(table, "", name)
            simulation.actor(name, partial(take, simulation, locks, name, first, second))

    def take(simulation, locks, name, first, second):
        op = simulation.record.invoke(name, "work")
        for lock in (first, second):
            locks.try_lock(lock, 0)
        for lock in (second, first):
            locks.unlock(lock)
        simulation.record.ok(op)

    result = default_plan(Scenario("t/dead", program(start), READS))
    assert (result.verdict, result.complete, result.cut_short) == ("unknown", True, 0)
    assert result.reasons == (f"deadlock: {result.stuck} runs ended with w1, w2 waiting for ever",)
    assert 0 < result.stuck < result.schedules
    assert result.endless is not None
    assert [event.error for event in result.endless.events[-2:]] == ["w1: it waits for ever", "w2: it waits for ever"]
    assert Runner(result.scenario).play(schedule_of(result.endless).steps).stuck


def test_the_loop_at_the_end_of_a_trace_is_found_and_clipped():
    """None in a trace that repeats nothing."""
    rows = [(0, "w1", word, "t", (), None, "") for word in "abcdefgh"]
    assert loop_of(rows) == ""
    assert loop_of([*rows, *rows[:2] * 3]) == "w1.a, w1.b"
    assert loop_of(rows * 4) == "w1.a, w1.b, w1.c, w1.d, w1.e, w1.f, ..."


def test_seeds_that_find_nothing_can_say_so():
    """Unless they found something, or what they rest on is missing."""
    result = portfolio(race(counters=("race lost",)), seeds=range(20))
    assert (result.verdict, result.nothing_found) == ("unknown", "nothing was found in 20 seeds")
    assert portfolio(race(counters=("never",)), seeds=range(20)).nothing_found == ""
    assert portfolio(race(properties=()), seeds=range(20)).nothing_found == ""
    assert portfolio(two_flaws(), seeds=range(200)).nothing_found == ""
    assert default_plan(race()).nothing_found == ""


def test_runs_of_seeds_that_cannot_be_judged_are_counted():
    """Nothing was found in them because nobody could say."""

    def body(simulation):
        op = simulation.record.invoke("w1", "write")
        simulation.world("w1").store.put("a", 1)
        simulation.record.ok(op, start=0, writes=[("a", "1")])
        simulation.record.info(simulation.record.invoke("w1", "write"), "lost", start=0, writes=[("k", "1")])

    result = portfolio(scenario({"w1": body}, properties=READS), seeds=range(4))
    assert (result.indeterminate, result.nothing_found) == (5, "")
    assert "5 runs left indeterminate" in result.reasons


def test_a_wide_space_has_to_happen_at_steps_only():
    """A kind that no step knows cannot; a kind that a scenario names itself must."""
    wide_one = race(faults=wide(REGISTER), yield_points=("commit",))
    assert "stale" in wide_one.faults.names
    assert "fault stale" not in Runner(wide_one).run(Deviations()).coverage
    assert all("stale" not in name for name in by_deviations(wide_one, 0).uncovered)
    named = replace(wide_one.faults, words="")
    assert "fault stale" in by_deviations(replace(wide_one, faults=named), 0).uncovered
