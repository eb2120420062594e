"""The list of operations is what services name their steps; what only a scenario has is found in its runs."""

import ast
from pathlib import Path

import pytest

import sim.services
from lakeproof.scenarios import built_in
from sim.search.operations import OPERATIONS, seen_operations, steps_at_all
from tests.unit.sim.worlds import scenario

CALLS = ("call", "_call", "_when_free", "Call")


def named_in(text):
    """The operations that the code of a service names, literally, where it makes a step."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            literals = [one.value for one in node.args[:1] if isinstance(one, ast.Constant)]
            if name in CALLS and literals and isinstance(literals[0], str):
                yield literals[0]


def test_the_list_has_the_operations_of_every_service_and_sleep():
    """None is missing, none is gone."""
    files = Path(sim.services.__file__).parent.glob("*.py")
    assert {name for file in files for name in named_in(file.read_text())} | {"sleep"} == OPERATIONS


@pytest.mark.parametrize("subject", built_in().values(), ids=list(built_in()))
def test_the_yield_points_of_every_built_in_scenario_makes_steps(subject):
    """Otherwise its verdict would say nothing."""
    assert steps_at_all(subject)


def test_a_name_that_only_a_few_runs_make_is_found():
    """The first run ends before it; a seeded one does not."""

    def second(simulation):
        world = simulation.world("w2")
        if world.store.exists("a"):
            simulation.kernel.call("rarely", "x", "w", lambda: None)

    def first(simulation):
        store = simulation.world("w1").store
        store.put("a", 1)
        store.delete("a")

    subject = scenario({"w1": first, "w2": second})
    assert "rarely" not in seen_operations(subject, ("put",))
    assert "rarely" in seen_operations(subject, ("rarely",))
    assert "never" not in seen_operations(subject, ("never",))
