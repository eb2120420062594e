"""What a scenario is made of is looked at when it is made: the field is named, and what was expected."""

import math
from typing import Any

import pytest

from lakeproof import FaultSpace, Scenario, program
from sim.search.run import Runner
from sim.search.strategies import FirstCome


def start(simulation):
    """One actor that does nothing."""
    simulation.actor("a", lambda: None)


GOOD: dict[str, Any] = {"name": "test/fields", "program": program(start), "properties": ("no-lost-update",)}


class Half:
    """A program without an end."""

    prepare = start = staticmethod(lambda simulation: None)


class Narrow(Half):
    """A program whose end takes nothing."""

    finish = staticmethod(lambda: None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("name", value) for value in (7, None, "", "a b", "../x", "a//b", "x" * 251, "a\0b", b"a")],
        *[("program", value) for value in (None, 3, start, Half(), Narrow())],
        *[("properties", value) for value in (None, "no-lost-update", ["no-lost-update"], (1,), ("",))],
        *[("expect", value) for value in ("maybe", None, True, "HOLDS")],
        *[("broken", value) for value in (7, "nope", "no-lost-update")],
        *[("counters", value) for value in ("abc", 5, (1,), None)],
        *[(name, value) for name in ("summary", "bounds", "protocol") for value in (7, None, b"x")],
        *[("faults", value) for value in (None, 3, {"commit": ("crash",)})],
        *[("yield_points", value) for value in ((), "load", (1,), ["load"], 5)],
        *[("live", value) for value in (True, "iceberg-sql")],
        *[("parameters", value) for value in (5, {"a": "b"}, ("ab",), (("a", 1),), (("a",),))],
        *[("pair", value) for value in (7, ("x",))],
        *[("lease_ms", value) for value in ("x", -1, 1.5, None, True)],
        *[("idempotent", value) for value in ("no", None, 1)],
        *[("latency", value) for value in (5, (1, 2))],
    ],
)
def test_field_that_cannot_be_is_refused_by_name(field, value):
    """`broken` that is no property of the scenario, or beside "holds", as well."""
    about = "expect" if field == "broken" and isinstance(value, str) else field
    with pytest.raises(ValueError, match=f"^scenario: {about}: expected .*, got "):
        Scenario(**GOOD | {field: value})


def test_broken_has_to_be_a_property_of_the_scenario():
    """Else nobody asks whether it breaks."""
    with pytest.raises(ValueError, match="scenario: broken: expected one of its properties, got 'serializable'"):
        Scenario(**GOOD, expect="violated", broken="serializable")
    assert Scenario(**GOOD, expect="violated", broken="no-lost-update").broken == "no-lost-update"


@pytest.mark.parametrize("function", [None, 5, lambda: None, lambda one, two: None])
@pytest.mark.parametrize("role", ["start", "prepare", "finish"])
def test_program_is_made_of_functions_of_a_simulation(role, function):
    """A missing `return` in a factory gives None."""
    functions = {"start": start} | {role: function}
    with pytest.raises(ValueError, match=f"program: {role}: expected a function of one argument, the simulation"):
        program(**functions)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kinds": None}, "faults: kinds: expected kinds by operation"),
        ({"kinds": ("commit",)}, "faults: kinds: expected kinds by operation"),
        ({"kinds": {1: ("crash",)}}, "faults: expected names of operations, got 1"),
        ({"kinds": {"commit": None}}, "faults: commit: expected a tuple of kinds, got None"),
        ({"kinds": {"commit": (1,)}}, "faults: commit: expected a kind such as"),
        ({"limit": True}, "faults: limit: expected a number from 0, got True"),
        ({"pause_ms": math.inf}, "faults: pause_ms: expected a number from 0, got inf"),
        ({"actors": "w1"}, r"faults: actors: expected a tuple of names, as in \('w1',\), got 'w1'"),
        ({"words": 3}, "faults: words: expected a text, got 3"),
    ],
)
def test_space_of_faults_that_cannot_be_is_refused_by_name(fields, said):
    """The actors' names alone would be taken letter by letter."""
    with pytest.raises(ValueError, match=said):
        FaultSpace(**fields)


def play(act):
    """Play `act(simulation)` as the start of a run."""
    Runner(Scenario(**GOOD | {"program": program(act)})).run(FirstCome())


@pytest.mark.parametrize("name", ["", "<b>w1</b>", "w 1", "1w", "w1.x", "w1:x", "é", "x" * 65, 3, None, ("a",)])
def test_actor_that_no_schedule_can_spell_is_refused(name):
    """It would be found out when the schedule is written, after the search."""
    with pytest.raises(ValueError, match="actor: expected a name that a schedule can spell"):
        play(lambda simulation: simulation.actor(name, lambda: None))


def test_helper_task_that_no_schedule_can_spell_is_refused():
    """Its steps are named after it."""

    def body(world):
        world.tasks.spawn("heart beat", lambda: None)

    with pytest.raises(ValueError, match="got 'heart beat'"):
        play(lambda simulation: simulation.actor("a", lambda: body(simulation.world("a"))))


@pytest.mark.parametrize("body", [None, "x", lambda simulation: None])
def test_actor_does_something_that_needs_no_argument(body):
    """Most of all the function that makes the body, in its place."""
    with pytest.raises(ValueError, match="actor a: expected a function without arguments"):
        play(lambda simulation: simulation.actor("a", body))
    with pytest.raises(ValueError, match="actor a: expected a function without arguments"):
        play(lambda simulation: simulation.actor("a", lambda: None, restart=body or 5))


def test_actor_may_be_any_callable():
    """A bound method, a default argument that keeps a loop's value."""
    done = []
    play(lambda simulation: simulation.actor("a", lambda value=1: done.append(value)))
    play(lambda simulation: simulation.actor("a", done.clear))
    assert done == []


@pytest.mark.parametrize("duration_ms", [-5, math.nan, math.inf, 1.5, "5", None, True])
def test_sleep_is_a_whole_number_of_milliseconds(duration_ms):
    """NaN made the clock NaN, and a negative one let time go back."""
    with pytest.raises(ValueError, match="sleep_ms: expected whole milliseconds from 0"):
        play(lambda simulation: simulation.actor("a", lambda: simulation.world("a").clock.sleep_ms(duration_ms)))


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}, bytearray(b"a")])
def test_services_keep_only_what_cannot_change(value):
    """Who changes a list that he has put changes it for all runs."""
    for write in (
        lambda services: services.register.commit("n", 0, value),
        lambda services: services.store.put("a/b", value),
        lambda services: services.store.put_if_absent("a/b", value),
    ):
        with pytest.raises(ValueError, match="expected a value that cannot change"):
            play(lambda simulation, write=write: write(simulation.services))
