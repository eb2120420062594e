"""The table of early detection's promises: its rows computed again, and held against scenarios that show the same."""

import pytest

from sim.hudi.bounds import name_of
from sim.hudi.detection import LOST, ROWS, Found, Row, look, scenario, search
from sim.hudi.detection_programs import COMPARED
from sim.hudi.race import HudiRace
from sim.hudi.scenarios import HUDI
from sim.hudi.study_detection import HEADS, NOTES, SHOWN, told
from tests.search.formal import line, page
from tests.search.hudi.detection_page import HEAD, PAGE

pytestmark = pytest.mark.search
TEXT = PAGE.read_text(encoding="utf-8")
LINES = [each for each in TEXT.splitlines() if each.startswith("| ")]
TOLD = LINES[2:]
SCENARIOS = {each.name: each for each in HUDI}


def _id(row: Row) -> str:
    checked = "-commits" if row.commits else ""
    return f"{row.strategy.name}-{row.rules}{checked}".replace(" ", "-")


def cells(row: Row) -> dict[str, str]:
    """What the page says of a row, by head."""
    return dict(zip(HEADS, [cell.strip() for cell in TOLD[ROWS.index(row)].split("|")[1:-1]], strict=True))


@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_a_row_comes_to_what_the_page_says(row: Row) -> None:
    """Every schedule of every program."""
    assert line(told(row, look(row))) == TOLD[ROWS.index(row)]


def test_the_page_has_every_row_and_says_how_it_was_made() -> None:
    """In their order; its head and its notes are the study's."""
    assert TEXT.startswith(HEAD)
    assert TEXT.endswith(page(HEAD, HEADS, [], NOTES)[len(HEAD) :].partition("\n\n")[2])
    assert LINES[0] == line(HEADS)
    names = [(row.strategy.name, row.rules, "yes" if row.commits else "no") for row in ROWS]
    assert [tuple(cell.strip() for cell in each.split("|")[1:4]) for each in TOLD] == names


@pytest.mark.parametrize("head", ["loses no conflict", "changes no verdict", "somebody finishes"])
def test_no_strategy_breaks_what_detection_must_not_touch(head: str) -> None:
    """Whatever it finds late, or for nothing: it is a matter of time."""
    assert {cells(row)[head] for row in ROWS} == {"holds"}


def test_a_scenario_shows_each_kind_of_violation() -> None:
    """Every one that the page names is built in, and is expected to break a property that is asked in that cell."""
    for row in ROWS:
        for head, properties in (("sound", ("sound-early-aborts",)), ("prompt", row.prompt)):
            for kind in cells(row)[head].split("violated: ")[-1].split(", ") if "violated" in cells(row)[head] else ():
                shown = SCENARIOS[kind.partition("`")[2].rstrip("`)")]
                assert kind.split(" ")[0] in SHOWN
                assert shown.broken in (*properties, "marker-checks-exclusive"), kind


def test_what_a_built_in_scenario_breaks_is_broken_in_the_row_of_its_strategy_and_rules() -> None:
    """The programs are no weaker than what is known."""
    held = 0
    for each in HUDI:
        race = each.program
        if each.expect != "violated" or not isinstance(race, HudiRace) or not race.config.early_detection:
            continue
        for row in ROWS:
            same = dict(row.options).items() <= dict(race.workload.options).items() and row.rules == name_of(race.rules)
            if same and row.commits == race.config.check_commit_conflict:
                for head, properties in (("sound", ("sound-early-aborts",)), ("prompt", row.prompt)):
                    held += each.broken in properties
                    assert each.broken not in properties or "violated" in cells(row)[head], each.name
    assert held >= 10


def test_a_lost_conflict_would_be_seen() -> None:
    """A new key of two writers breaks all of them, with the same properties and no detection."""
    row = next(row for row in ROWS if row.rules == "shipped" and row.strategy.name == "simple direct")
    found = Found()
    search(found, scenario(row, COMPARED[-1], preferring=False, detects=False), "off")
    assert {kind.partition("/")[0] for kind in found.of(*LOST)} == set(LOST)
