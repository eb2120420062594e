"""Generated scenarios: draws, names, sweeps, causes, and the smallest failure."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lakeproof.protocols import PROTOCOLS, generator_of, named
from sim.generation.causes import Cause, Known, cause_of
from sim.generation.draws import Draws, PinError, replayed, seeded
from sim.generation.residual import none_of, residual
from sim.generation.shrink import shrink_all
from sim.generation.sweep import Plan, sweep
from sim.search.explore import exhaustive

WITH_GENERATOR = [protocol.name for protocol in PROTOCOLS if protocol.generator]
SHORT = Plan(first=6, most=12)


def _generator(protocol):
    found = generator_of(protocol)
    assert found is not None
    return found


@given(st.lists(st.tuples(st.integers(1, 36), st.integers(0, 35)), max_size=20))
def test_what_was_drawn_is_drawn_again(wanted):
    """The text of draws makes the same draws."""
    answers = iter([chosen % options for options, chosen in wanted if options > 1])
    first = Draws(lambda _, options: next(answers))
    drawn = [first.below("x", options) for options, _ in wanted]
    again = Draws(replayed(first.text))
    assert [again.below("x", options) for options, _ in wanted] == drawn


def test_a_list_loses_an_element_with_its_draws():
    """The tape without a part makes the list without that element."""
    draws = Draws(replayed("1312150"))
    assert draws.list_of("x", 1, 4, lambda _: draws.below("y", 9)) == [3, 2, 5]
    start, end = draws.parts[1]
    again = Draws(replayed(draws.text[:start] + draws.text[end:]))
    assert again.list_of("x", 1, 4, lambda _: again.below("y", 9)) == [3, 5]


def test_a_pinned_draw_is_recorded_as_drawn():
    """Its text makes the same scenario without the pin."""
    pinned = Draws(replayed(""), {"mode": "b"})
    assert pinned.one_of("mode", ("a", "b")) == "b"
    assert Draws(replayed(pinned.text)).one_of("mode", ("a", "b")) == "b"


def test_a_pinned_value_that_cannot_be_is_refused():
    """The error names the draw and what it can be."""
    with pytest.raises(PinError, match="mode: expected a or b, got 'c'"):
        Draws(replayed(""), {"mode": "c"}).one_of("mode", ("a", "b"))


def test_a_tape_of_nothing_is_the_simplest_scenario():
    """Every draw is its first option."""
    draws = Draws(replayed(""))
    assert (draws.number("writers", 2, 4), draws.flag("in SQL"), draws.some("kinds", "abc")) == (2, False, ("a",))


@pytest.mark.parametrize("protocol", WITH_GENERATOR)
@pytest.mark.parametrize("seed", range(8))
def test_a_generated_scenario_is_made_again_from_its_name(protocol, seed):
    """Its first runs are the same, in every byte."""
    generator = _generator(protocol)
    made = generator.make(seeded(seed))
    again = named(made.name)
    assert again is not None
    assert again.name == made.name
    assert sweep(again, SHORT).digest == sweep(made, SHORT).digest


@pytest.mark.parametrize("protocol", WITH_GENERATOR)
def test_options_and_rules_that_do_not_exist_are_refused(protocol):
    """Each by its name."""
    generator = _generator(protocol)
    with pytest.raises(PinError, match="expected an option"):
        generator.make(seeded(0), {"no.such.key": "1"})
    with pytest.raises(PinError, match="rules: expected"):
        generator.make(seeded(0), rules="no-such-rules")
    with pytest.raises(PinError, match=generator.options[0].key):
        generator.make(seeded(0), {generator.options[0].key: "no such value"})


@pytest.mark.parametrize("protocol", WITH_GENERATOR)
def test_every_configuration_can_be_generated(protocol):
    """With its settings as they stand."""
    generator = _generator(protocol)
    for settings in generator.configurations.values():
        for seed in range(5):
            generator.make(seeded(seed), settings)


@pytest.mark.parametrize("name", ["iceberg/generated/no-rules/1", "iceberg/generated/shipped/$", "none/generated/a/1"])
def test_names_that_nothing_generated_are_no_scenarios(name):
    """Nothing is made of them."""
    assert named(name) is None


def test_a_failure_is_made_small_with_its_draws():
    """Two statements of one row are left of whatever the draws had."""
    generator = _generator("iceberg")
    settings = generator.configurations["merge-on-read, snapshot"]
    failing = next(
        run
        for seed in range(60, 400)
        for run in sweep(generator.make(seeded(seed), settings)).failures.values()
        if run.failure == "acknowledged-writes-survive/resurrected-row" and not run.injected
    )
    smallest = shrink_all(generator, failing)
    wanted = Cause("acknowledged-writes-survive", "resurrected-row", ("delete", "update"))
    assert cause_of(smallest.shrunk.run) == wanted
    assert len(smallest.scenario.name) <= len(failing.scenario.name)
    assert sum(event.type == "invoke" for event in smallest.shrunk.run.events if event.process in ("w1", "w2")) == 2


def test_a_failure_stays_as_it_is_where_no_run_may_be_made():
    """It is not called settled, or proven."""
    generator = _generator("iceberg")
    settings = generator.configurations["no retries"]
    runs = (run for seed in range(400) for run in sweep(generator.make(seeded(seed), settings)).failures.values())
    failing = next(runs)
    smallest = shrink_all(generator, failing, stop=lambda: True)
    assert (smallest.scenario, smallest.executions) == (failing.scenario, 1)
    assert (smallest.settled, smallest.shrunk.proven) == (False, False)
    assert smallest.shrunk.run.failure == failing.failure


@pytest.mark.parametrize(
    ("cause", "known"),
    [
        (Cause("readable", "gone", ("update",), ("503-after",)), True),
        (Cause("readable", "gone", ("update", "insert"), ("503-after-retry",)), True),
        (Cause("readable", "gone", ("update",)), False),
        (Cause("readable", "gone", ("delete",), ("503-after",)), False),
        (Cause("readable", "other", ("update",), ("503-after",)), False),
        (Cause("readable", "gone", ("update",), ("crash",)), False),
    ],
)
def test_a_known_finding_is_told_from_a_new_one(cause, known):
    """By what breaks, how, what was done, and what failed."""
    finding = Known("iceberg/x", "readable", "gone", ("update", "insert"), ("503-after",))
    assert finding.explains(cause) is known


@pytest.mark.parametrize(
    ("faults", "known"),
    [
        (("late",), True),
        (("crash", "late"), True),
        (("drop-before", "late"), True),
        (("crash",), False),
        (("late", "stale"), False),
        ((), False),
    ],
)
def test_what_may_fail_beside_a_finding_is_no_finding_alone(faults, known):
    """It needs one of its own faults, and others only make room for it."""
    finding = Known("hudi/x", "readable", "gone", ("upsert",), ("late",), beside=("crash", "drop"))
    assert finding.explains(Cause("readable", "gone", ("upsert",), faults)) is known


def test_a_pin_leaves_the_other_draws_as_they_are():
    """The source answers for what is pinned, too, and nobody listens."""
    free, pinned = Draws(seeded(5)), Draws(seeded(5), {"a": "2"})
    drawn = [[draws.number(name, 0, 9) for name in "abc"] for draws in (free, pinned)]
    assert drawn[1] == [2, *drawn[0][1:]]


def test_a_failure_of_a_configuration_is_made_small_in_that_configuration():
    """The settings that it was found under are those of the smallest one."""
    generator = _generator("iceberg")
    settings = dict(generator.configurations["merge-on-read, snapshot"]) | {"commit.retry.num-retries": "2"}
    failing = next(
        run
        for seed in range(60, 400)
        for run in sweep(generator.make(seeded(seed), settings)).failures.values()
        if run.failure == "acknowledged-writes-survive/resurrected-row" and not run.injected
    )
    smallest = shrink_all(generator, failing, settings=settings)
    assert smallest.scenario.name == generator.make(replayed(smallest.scenario.name.split("/")[-1]), settings).name


def test_every_schedule_of_a_small_scenario_is_run_and_found_as_by_the_exhaustive_search():
    """The same failures, and no schedule more."""
    generator = _generator("iceberg")
    scenario = generator.make(replayed(""), generator.configurations["default"])
    swept, every = sweep(scenario), exhaustive(scenario)
    assert swept.complete
    assert every.complete
    assert swept.schedules == every.schedules + 1  # and the default order
    assert set(swept.failures) == set(every.failures)


@pytest.mark.parametrize("strategies", [("random",), ("priorities",), ("deviations",), (), ("random", "deviations")])
def test_a_sweep_is_no_whole_one_without_the_exhaustive_strategy(strategies):
    """It begins with the default order, and each plan has other schedules."""
    generator = _generator("iceberg")
    scenario = generator.make(replayed(""), generator.configurations["default"])
    swept = sweep(scenario, Plan(6, 12, strategies))
    assert not swept.complete
    assert 1 <= swept.schedules <= 12
    assert (swept.schedules == 1) is (not strategies)


def test_a_scenario_of_slow_code_is_swept_for_fewer_schedules():
    """A weight divides the most of its walks, down to the first ones: a slice takes seconds, not minutes."""
    generator = _generator("iceberg")
    scenario = next(
        made
        for seed in range(100)
        if (made := generator.make(seeded(seed), generator.configurations["default"]))
        and sweep(made, Plan(6, 48, ("random",))).schedules > 12
    )
    heavy = sweep(replace(scenario, weight=4), Plan(6, 48, ("random",)))
    assert heavy.schedules == 12
    assert sweep(replace(scenario, weight=100), Plan(6, 48, ("random",))).schedules == 6


@pytest.mark.parametrize("protocol", WITH_GENERATOR)
def test_only_the_faults_that_are_asked_for_may_strike(protocol):
    """None, or some of one kind and no other."""
    generator = _generator(protocol)
    settings = generator.configurations["default"]
    one = next(filter(None, (generator.make(seeded(seed), settings).faults.names for seed in range(20))))
    for seed in range(3):
        for kinds in ((), one):
            scenario = generator.with_faults(seeded(seed), settings, "shipped", kinds)
            assert scenario is not None
            assert set(scenario.faults.names) <= set(kinds)
            assert bool(scenario.faults.names) is bool(kinds)


@pytest.mark.parametrize(("counts", "samples", "estimate"), [([1, 1, 5], 10, 0.2), ([3, 4], 10, 0.0), ([], 0, 1.0)])
def test_what_is_left_is_told_by_what_was_met_once(counts, samples, estimate):
    """Never more than its bound, and the bound never below what nothing in so many samples can say."""
    left = residual(counts, samples)
    assert left.estimate == estimate
    assert left.estimate <= left.bound <= 1
    assert left.bound >= none_of(samples)


def test_what_was_never_met_is_bounded_by_the_rule_of_three():
    """About 3 / n."""
    assert none_of(300) == pytest.approx(0.00994, abs=1e-4)
