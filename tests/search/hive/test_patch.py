"""The bugs of the unmerged patch, one by one: the race that shows each, on the patch and on the reference with it."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from model.hive import FIXED
from model.hive.rules import PATCH_51
from sim.search.explore import default_plan
from tests.mutants.hive import BY_NAME
from tests.mutants.hive_races import KILLS

pytestmark = pytest.mark.search
RACES = {kill.mutant: kill for kill in KILLS}


class Bug(NamedTuple):
    """A bug by its number in hive/3.4: the rules that have it, and the mutant whose race shows it."""

    number: int
    fields: dict[str, Any]
    race: str


BUGS = (
    Bug(1, {"tags": "patched"}, "P51-1"),
    Bug(3, {"looks_up": "first"}, "M23"),
    Bug(4, {"unfinished": "one-flag"}, "M24"),
    Bug(5, {"tags": "patched", "unfinished": "one-flag"}, "M16"),
    Bug(6, {"entries_by": "name"}, "M25"),
    Bug(6, {"checks_table_id": False}, "M6"),
    Bug(7, {"prewarm": "as-designed"}, "M13"),
    Bug(8, {}, "M20"),
)
"""The second, whose flags decide nothing, is a vector of tests/unit/hive/test_patch.py."""


@pytest.mark.parametrize("rules", ["the reference with it", "the patch"])
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.number}-{bug.race}")
def test_a_bug_of_the_patch_breaks_a_property(bug: Bug, rules: str) -> None:
    """The eighth is a client's: its change allocates no write id."""
    kill = RACES[bug.race]
    kill = replace(kill, steps=(*(kill.steps or ()), "apply"))
    variant = PATCH_51 if rules == "the patch" else replace(FIXED, **bug.fields)
    with nullcontext() if bug.fields else BY_NAME[bug.race].alive():
        result = default_plan(kill.scenario(variant))
    assert [key.split("/")[0] for key in result.failures] == [kill.broken]
