"""Known defects of Hudi are found without a scenario of their own, and the page says what it took."""

import pytest

from lakeproof.protocols import known_properties
from sim.hudi.scenarios import HUDI
from tests.mutants.hudi_history import HISTORY
from tests.search.hudi.known_defects import NOT_EXPRESSED, planted_of, rows
from tests.search.hudi.known_defects_page import BOOK

HAVE = BOOK.tries()
SAMPLE = ("failed-client-deletes-lock", "6186-lock-removed", "metastore-lock-not-kept")
"""Rows that are found soon."""
LEAST = 30


@pytest.mark.search
@pytest.mark.parametrize("name", SAMPLE)
def test_a_known_defect_is_found_as_the_page_says_and_its_fix_holds(name: str) -> None:
    """The same failure after as many schedules; the scenario holds under the rule that mends it."""
    known_properties()
    again, told = BOOK.tried(next(each for each in rows() if each.planted == name)), HAVE[name]
    assert again.found is not None
    assert told.found is not None
    assert (again.found.failure, again.found.schedules) == (told.found.failure, told.found.schedules)
    assert again.fixed == told.fixed
    assert again.fixed


def test_enough_of_them_are_found_and_no_fix_breaks_its_scenario_in_the_same_way() -> None:
    """Of those that the source lists; what was found here is not counted."""
    found = [row for row in rows() if HAVE[row.planted].found]
    assert len([row for row in found if row.id != "-"]) >= LEAST
    assert [row.planted for row in found if row.fix and not HAVE[row.planted].fixed] == []


def test_the_page_is_made_of_what_is_kept() -> None:
    """Whoever adds a row looks for it."""
    assert {row.planted for row in rows()} == set(HAVE)
    assert BOOK.page.read_text(encoding="utf-8") == BOOK.text(HAVE)


def test_each_row_is_of_something_planted_and_none_is_there_twice() -> None:
    """Each mutant that puts an issue's bug back has a row; scenarios that are named are there."""
    named = [row.planted for row in rows()]
    assert len(set(named)) == len(named)
    assert all(planted_of(row).name == row.planted for row in rows())
    assert {mutant.name for mutant in HISTORY} <= set(named)
    there = {scenario.name for scenario in HUDI}
    words = [word.strip("`") for why in NOT_EXPRESSED.values() for word in why.split() if word.startswith("`hudi/")]
    assert words
    assert set(words) <= there
