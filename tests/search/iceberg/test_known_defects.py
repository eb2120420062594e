"""Known defects of Iceberg and PyIceberg are found without a scenario of their own, and the page says what it took."""

from dataclasses import replace

import pytest

from lakeproof.protocols import known_properties
from lakeproof.scenarios import built_in
from sim.iceberg.manifest_merging import COUNT
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Compact, DeleteWhere, Statement
from sim.search.explore import default_plan, exhaustive
from tests.mutants.edited import edited
from tests.mutants.iceberg import BY_NAME
from tests.mutants.iceberg_history import HISTORY
from tests.mutants.pyiceberg import PYICEBERG
from tests.search.iceberg.known_defects import JAVA_ROWS, NOT_EXPRESSED, PYTHON_ROWS, planted_of, rows
from tests.search.iceberg.known_defects_page import BOOK
from tests.search.iceberg.known_repairs import KNOWN_REPAIRS
from tests.search.iceberg.pyiceberg_repairs import REPAIRS
from tests.search.known_defects import CODE

HAVE = BOOK.tries()
SAMPLE = ("no-heartbeat", "iceberg/delete-update-snapshot", "J45c-filtered-once")
"""Rows that are found soon."""
LEAST = {"Java": (JAVA_ROWS, 25), "PyIceberg": (PYTHON_ROWS, 12)}


@pytest.mark.search
@pytest.mark.parametrize("name", SAMPLE)
def test_a_known_defect_is_found_as_the_page_says_and_its_fix_holds(name: str) -> None:
    """The same failure after as many schedules; the scenario holds under the rule that mends it."""
    known_properties()
    row = next(each for each in rows() if each.planted == name)
    again, told = BOOK.tried(row), HAVE[name]
    assert again.found is not None
    assert told.found is not None
    assert (again.found.failure, again.found.schedules) == (told.found.failure, told.found.schedules)
    assert again.fixed == told.fixed
    assert again.fixed


@pytest.mark.parametrize("of", LEAST)
def test_enough_of_them_are_found(of: str) -> None:
    """And no fix breaks the scenario that shows the defect in the same way."""
    some, least = LEAST[of]
    found = [row for row in some if HAVE[row.planted].found]
    assert len(found) >= least
    mended = [row for row in found if row.fix == CODE or row.planted in {**REPAIRS, **KNOWN_REPAIRS}]
    assert [row.planted for row in mended if not HAVE[row.planted].fixed] == []


def test_a_row_names_the_patch_that_mends_it() -> None:
    """As it is called."""
    repairs = {**REPAIRS, **KNOWN_REPAIRS}
    named = {row.planted: row.fix for row in rows() if row.planted in repairs}
    assert named == {planted: repair.name for planted, repair in repairs.items()}
    assert all(row.fix for row in rows())


@pytest.mark.search
@pytest.mark.parametrize("name", KNOWN_REPAIRS)
def test_a_patch_mends_the_scenario_of_its_finding(name: str) -> None:
    """Within the schedules that are looked at, the property that is broken there holds."""
    scenario = built_in()[name]
    broken = (scenario.broken or "").partition("/")[0]
    asked, budget = replace(scenario, properties=(broken,), counters=()), 200 if name.startswith("pyiceberg") else 800
    assert default_plan(asked, budget=budget).failures
    with KNOWN_REPAIRS[name].alive():
        assert default_plan(asked, budget=budget).failures == {}


def test_the_page_is_made_of_what_is_kept() -> None:
    """Whoever adds a row looks for it."""
    assert {row.planted for row in rows()} == set(HAVE)
    assert BOOK.page.read_text(encoding="utf-8") == BOOK.text(HAVE)


def test_each_row_is_of_something_planted_and_none_is_there_twice() -> None:
    """Each mutant that puts an issue's bug back has a row."""
    named = [row.planted for row in rows()]
    assert len(set(named)) == len(named)
    assert all(planted_of(row).name == row.planted for row in rows())
    assert {mutant.name for mutant in (*HISTORY, *PYICEBERG)} <= set(named)
    assert all(NOT_EXPRESSED.values())


@pytest.mark.search
def test_a_pinned_number_that_is_lost_brings_rows_back() -> None:
    """The generators do not find it in time: a compaction at its starting number beside an equality delete does."""
    writers: dict[str, list[Statement]] = {"w1": [Compact("starting")], "w2": [DeleteWhere(1)]}
    scenario = race(
        "pinned", "", writers, catalog="java-api", properties=("acknowledged-writes-survive",),
        table_properties=((COUNT, "2"),),
    )  # fmt: skip
    with BY_NAME["J15-pinned-number-lost"].alive():
        assert list(exhaustive(scenario).failures) == ["acknowledged-writes-survive/resurrected-row"]
    assert exhaustive(scenario).failures == {}


def test_a_mutant_of_a_library_needs_the_text_that_it_changes() -> None:
    """Another version of the library is no mutant of this one."""

    class Library:
        def double(self, number: int) -> int:
            return number * 2

    with pytest.raises(AssertionError, match=r"expected 'number \* 3' once, got 0"):
        edited("other", "it triples", (Library, "double", ("number * 3", "number")))
    with edited("half", "it does not double", (Library, "double", ("number * 2", "number"))).alive():
        assert Library().double(4) == 4
    assert Library().double(4) == 8
