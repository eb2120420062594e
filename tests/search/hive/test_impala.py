"""Impala's catalog daemon: what each of its scenarios needs to be quiet, and which generated race shows each defect."""

from dataclasses import replace
from typing import NamedTuple

import pytest

from model.hive.impala_rules import IMPALA_REPAIRED
from model.hive.rules import Rules
from sim.generation.sweep import Plan, sweep
from sim.hive.impala import DAEMONS, FIXES, daemon
from sim.hive.impala_mended import MENDED
from sim.hive.race import HiveRace
from sim.search.explore import default_plan
from tests.search.guarantees import PLAN, Cache, scenario_of

pytestmark = pytest.mark.search
BY_NAME = {scenario.name: scenario for scenario in DAEMONS}
DRAWN = Cache("drawn", "", "impala-repaired")


class Defect(NamedTuple):
    """A defect, what repairs it, and the generated race of a seed that breaks a property with the one alone."""

    name: str
    rules: Rules
    repaired: Rules
    kind: str
    seed: int
    broken: str


def _with(**options: object) -> Rules:
    return daemon(IMPALA_REPAIRED, **options)


SHELL = {"own_changes": "loaded", "older_events": "applied"}
LISTS = replace(_with(), read_rule="lexicographic")
DEFECTS = (
    Defect("table-first", _with(loads="table-first"), _with(), "managed", 44, "freshness"),
    Defect("IMPALA-10926", _with(**SHELL), _with(own_changes="synced"), "external", 44, "convergence"),
    Defect(
        "IMPALA-12543",
        _with(own_changes="loaded", in_flight="after"),
        _with(own_changes="loaded"),
        "external",
        63,
        "convergence",
    ),
    Defect("no table id", replace(LISTS, checks_table_id=False), LISTS, "managed", 34, "right-incarnation"),
    Defect("lists compared by their order", LISTS, _with(), "managed", 89, "freshness"),
    Defect("what is kept", _with(answers="kept"), _with(), "managed", 49, "read-your-writes"),
)


@pytest.mark.parametrize("name", FIXES)
def test_a_scenario_is_quiet_with_its_repair(name):
    """The same clients, the same steps; what it breaks without is in the built-in scenarios' own tests."""
    scenario = BY_NAME[name]
    assert isinstance(scenario.program, HiveRace)
    repaired = replace(scenario, program=replace(scenario.program, rules=FIXES[name]))
    swept = sweep(repaired, Plan(first=100, most=150))
    assert (list(swept.failures), swept.endless) == ([], 0)


@pytest.mark.parametrize("scenario", MENDED, ids=lambda scenario: scenario.name)
def test_what_mends_a_scenario_is_needed_at_the_steps_at_which_it_is_searched_whole(scenario):
    """Without it these steps, which may be fewer than its pair's, are enough to break what breaks there."""
    broken = BY_NAME[scenario.pair]
    found = default_plan(replace(broken, yield_points=scenario.yield_points))
    assert [key.partition("/")[0] for key in found.failures] == [broken.broken]
    whole = default_plan(scenario)
    assert (whole.complete, whole.failures) == (True, {})


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_generated_race_shows_the_defect_and_not_its_repair(defect):
    """Everything is asked that is asked of the kind of tables."""
    drawn = scenario_of(DRAWN, defect.kind, defect.seed)
    assert drawn is not None
    assert isinstance(drawn.program, HiveRace)
    scenario = replace(drawn, properties=(defect.broken,))
    for rules, broken in ((defect.rules, [defect.broken]), (defect.repaired, [])):
        swept = sweep(replace(scenario, program=replace(drawn.program, rules=rules)), PLAN)
        assert [key.partition("/")[0] for key in swept.failures] == broken
