"""Commits of several tables: what the default search makes of broken rules, and what drawn races meet."""

from typing import Any

import pytest

from sim.generation.causes import cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.built_in.several import ANY_ANSWER, BOTH, OTHERS, Writers, together
from sim.iceberg.generate import GENERATOR
from sim.iceberg.several import ReadEach
from sim.search.explore import default_plan
from tests.mutants.iceberg_several import BY_NAME
from tests.search.iceberg.test_drawn_managing import REST

READ: Writers = {"w1": [BOTH], "r1": [ReadEach()]}
ALONE: Writers = {"w1": [BOTH]}
BESIDE: Writers = {"w1": [BOTH], "w2": [OTHERS]}
KILLS: dict[str, tuple[str, Writers, dict[str, Any]]] = {
    "several-committed-when-checked": (
        "no-aborted-reads", BESIDE, {"server": "one by one"},
    ),
    "several-sent-one-by-one": ("strong-session-causal", READ, {}),
    "several-cleans-after-refusal": ("readable", ALONE, {"faults": ANY_ANSWER}),
}  # fmt: skip
"""By mutant: the property that breaks, and in which race."""


@pytest.mark.parametrize("name", KILLS)
def test_mutant_is_killed_on_its_property(name):
    """The broken rule shows on the named property, which the shipped rules keep in the same search."""
    broken, writers, table = KILLS[name]
    scenario = together(name, "", writers, properties=(broken,), **table)
    with BY_NAME[name].alive():
        assert {key.split("/")[0] for key in default_plan(scenario).failures} == {broken}
    assert default_plan(scenario).failures == {}


FOUND = {
    "iceberg/together-one-by-one-append": 178,
    "iceberg/together-one-by-one-faults": 339,
    "iceberg/together-reply-faults": 290,
}


@pytest.mark.parametrize(("finding", "seed"), FOUND.items(), ids=list(FOUND))
def test_a_drawn_race_on_several_tables_meets_what_is_known(finding, seed):
    """Nobody typed it."""
    scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[REST])
    causes = [cause_of(run) for run in sweep(scenario, Plan(first=16, most=48)).failures.values()]
    assert finding in {GENERATOR.known_as(cause, "shipped", scenario.parameters) for cause in causes}
