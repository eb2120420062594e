"""Every rule of the metastore cache that is broken is noticed: the default search kills its mutant.

On the property that the mutant's row names, with an interleaving no longer than the row's; and the same race under the
reference keeps that property, exhaustively, so that what was noticed is the mutant.
"""

import pytest

from sim.search.explore import default_plan
from sim.search.run import Run, Runner
from sim.search.shrink import shrink
from tests.mutants.hive import BY_NAME, MUTANTS, ROWS
from tests.mutants.hive_races import KILLS, Kill, fixed
from tests.search.found import shown

pytestmark = pytest.mark.search


def _id(kill: Kill) -> str:
    return kill.mutant


STRUCK_IN_STEPS_OF_THEIR_OWN = ("M27", "M37")


def named_steps(run: Run) -> list[str]:
    """The run's calls as rows name them: a poll by the event that it applied, a fault behind its call."""
    names = []
    for _, _, operation, _, _, outcome, fault in run.trace:
        name = f"{operation}!{fault}" if fault else operation
        if operation == "poll" and outcome and len(outcome[0]) == 2:
            name = f"poll:{outcome[0][1]}"
        elif operation == "apply" and not fault:
            name = f"poll:{outcome[1]}"
        names.append(name)
    return names


@pytest.mark.parametrize("kill", KILLS, ids=_id)
def test_a_mutant_breaks_its_property_in_no_more_steps_than_its_row(kill: Kill) -> None:
    """The shrunk counterexample is proven minimal and has no more of the row's calls than the row."""
    scenario = kill.scenario()
    with BY_NAME[kill.mutant].alive():
        result = default_plan(scenario)
        assert [key.split("/")[0] for key in result.failures] == [kill.broken]
        small = shrink(Runner(scenario), shown(result))
    assert small.proven
    row = kill.row.split()
    assert len([name for name in named_steps(small.run) if name in row]) <= len(row)


@pytest.mark.parametrize("kill", KILLS, ids=_id)
def test_the_reference_keeps_the_property_in_the_same_race(kill: Kill) -> None:
    """Nothing is left unexplored at the scenario's steps. A crash in a step that only the mutant has never happens."""
    result = default_plan(fixed(kill))
    assert (result.complete, result.failures) == (True, {})
    assert result.uncovered == (("fault crash",) if kill.mutant in STRUCK_IN_STEPS_OF_THEIR_OWN else ())


def test_every_mutant_is_killed_once() -> None:
    """A mutant without a race proves nothing."""
    assert sorted(kill.mutant for kill in KILLS) == sorted(mutant.name for mutant in MUTANTS)
    assert (len(ROWS), len(MUTANTS)) == (32, 39)
