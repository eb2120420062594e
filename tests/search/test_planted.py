"""What was planted is found by the generators; every mutant and every known finding has a row, and the page says so."""

import pkgutil
from dataclasses import replace
from importlib import import_module

import pytest

import tests.mutants
from lakeproof.protocols import known_properties
from model.iceberg.validations import Window
from sim.iceberg.defects import DEFECTS
from tests.mutants.mutant import Mutant
from tests.search import planted_page
from tests.search.planted import Found, find
from tests.search.planted_agreement import ANSWERS, CALLS, is_compared
from tests.search.planted_page import (
    PAGE,
    PROTOCOLS,
    TRIES,
    kept,
    kept_far,
    look_for,
    look_for_all,
    page,
    row,
    rows_of,
)

MOST = 5_000
HARMLESS = Mutant("harmless", "nothing", ((Window, "no_new_delete_files", Window.no_new_delete_files),))
WRONG = Mutant("wrong", "nothing", ((Window, "no_new_delete_files", lambda: None),))
"""A patch that changes nothing, and one that takes other arguments than what it stands for."""
QUICK = {
    "iceberg": ("location-not-compared", "no-missing-paths-check", "keeps-unused-manifests", "no-retry"),
    "hudi": ("conflicts-by-partition", "data-without-marker", "markers-left-behind", "hudi/older-instant"),
    "hive": ("M7", "M16", "M23", "document-unless"),
}
"""Rows that are found soon."""
ROWS = {protocol: {one.name: one for one in rows_of(protocol)} for protocol in PROTOCOLS}


def _all_mutants():
    """Every mutant that stands in a module of mutants, alone or in a tuple."""
    found = set()
    for module in pkgutil.iter_modules(tests.mutants.__path__):
        for value in vars(import_module(f"tests.mutants.{module.name}")).values():
            each = value if isinstance(value, tuple) else (value,)
            found |= {one.name for one in each if isinstance(one, Mutant)}
    return found


@pytest.mark.search
@pytest.mark.parametrize(("protocol", "name"), [(protocol, name) for protocol in QUICK for name in QUICK[protocol]])
def test_what_was_planted_is_found_without_a_scenario_of_its_own(protocol, name):
    """A configuration and a property are pinned, and nothing else."""
    known_properties()
    assert find(ROWS[protocol][name], 0, MOST) is not None


def test_every_mutant_has_a_row():
    """And none has two."""
    named = [name for protocol in PROTOCOLS for name in ROWS[protocol]]
    assert _all_mutants() - set(named) == set()
    assert sorted(set(named)) == sorted(named)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_known_finding_has_a_row(protocol):
    """Those that campaigns know, and those of the pages of defects."""
    known = {one.scenario for one in import_module(f"sim.{protocol}.generate").GENERATOR.known}
    assert known - set(ROWS[protocol]) == set()


@pytest.mark.search
def test_a_mutant_that_is_written_wrongly_finds_nothing():
    """One whose patch takes other arguments than what it stands for: a mistake, and not a failure of the protocol."""
    known_properties()
    with pytest.raises(TypeError):
        find(replace(ROWS["iceberg"]["no-new-delete-files-check"], mutant=WRONG), 0, MOST)


@pytest.mark.search
def test_what_fails_without_a_mutant_is_not_the_mutants():
    """A mutant that changes nothing is not found where the shipped rules lose rows."""
    known_properties()
    one = ROWS["iceberg"]["no-new-delete-files-check"]
    finding = ROWS["iceberg"]["iceberg/delete-update-snapshot"]
    assert finding.configurations == one.configurations
    assert find(finding, 0, MOST) is not None
    assert find(replace(one, mutant=HARMLESS), 0, 1_000) is None


@pytest.mark.parametrize("name", ["impala-commit-unheard", "impala-allocation-unheard"])
def test_a_mutant_that_breaks_no_promise_goes_otherwise_than_the_model(name):
    """It is found by comparison, in one scenario of a few."""
    found = look_for(ROWS["hive"][name], 0, 500)
    assert found is not None
    assert found.failure in {ANSWERS, CALLS}


def test_a_mutant_that_changes_nothing_is_not_found_by_comparison():
    """The same walks go the same way, with faults, too."""
    one = replace(ROWS["iceberg"]["no-new-delete-files-check"], mutant=HARMLESS, broken="", missing="a difference")
    assert is_compared(one)
    assert look_for(one, 0, 300) is None


def test_a_mutant_written_wrongly_is_no_difference():
    """Its mistake is raised."""
    one = replace(ROWS["iceberg"]["no-new-delete-files-check"], mutant=WRONG, broken="", missing="a difference")
    with pytest.raises(TypeError):
        look_for(one, 0, MOST)


def test_a_search_that_was_interrupted_goes_on_with_what_is_not_kept(tmp_path, monkeypatch):
    """First every row once, then every row again."""
    asked = []

    def remembered(one, number, *_):
        asked.append((one.name, number))
        return Found("p/a", 1, 7, 0.5) if number else None

    one = ROWS["hive"]["M7"]
    monkeypatch.setattr(planted_page, "PROTOCOLS", {"hive": "Hive"})
    rows = [one, replace(one, name="other"), replace(one, name="never", missing="a comet", mutant=None)]
    monkeypatch.setattr(planted_page, "rows_of", lambda _: rows)
    monkeypatch.setattr(planted_page, "look_for", remembered)
    path = tmp_path / "runs" / "kept.jsonl"
    look_for_all(path)
    assert asked == [(name, number) for number in range(TRIES) for name in ("M7", "other")]
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    asked.clear()
    look_for_all(path)
    assert asked == [("other", TRIES - 1)]
    assert kept(path) == {("hive", name): [None, *[Found("p/a", 1, 7, 0.5)] * (TRIES - 1)] for name in ("M7", "other")}


def test_what_no_try_found_is_looked_for_beyond_the_limits(tmp_path, monkeypatch):
    """Once, with more schedules and more time; the page says what came of it."""
    limits = []

    def found_late(one, number, *more):
        limits.append((one.name, *more))
        return Found("p/a", 9, 50_000, 71.2) if one.name == ("late" if more else "M7") else None

    one = ROWS["hive"]["M7"]
    rows = [one, replace(one, name="late"), replace(one, name="never")]
    monkeypatch.setattr(planted_page, "PROTOCOLS", {"hive": "Hive"})
    monkeypatch.setattr(planted_page, "rows_of", lambda _: rows)
    monkeypatch.setattr(planted_page, "look_for", found_late)
    path = tmp_path / "kept.jsonl"
    for _ in range(2):
        look_for_all(path)
    assert [one for one in limits if len(one) > 1] == [("late", 100_000, 120.0), ("never", 100_000, 120.0)]
    text = page(kept(path), kept_far(path))
    assert "| late | default | not found; beyond the limits within 50,000 schedules, 71 CPU-s, as p/a | 0" in text
    assert "| never | default | not found; nor beyond the limits | 0 of 3 |" in text


def test_a_row_says_what_was_found_and_what_was_not():
    """A try that did not find counts as infinite; what is not looked for says why."""
    one = ROWS["hive"]["M7"]
    hits = [Found("p/a", 1, number, number / 10) for number in (10, 20, 30)]
    assert row(one, hits) == "| M7 | default | p/a | 3 of 3 | 20 / 29 | 2.00 / 2.90 |\n"
    assert row(one, [hits[0], None, hits[2]]) == "| M7 | default | p/a | 2 of 3 | 30 / - | 3.00 / - |\n"
    assert row(one, [None]) == "| M7 | default | not found | 0 of 1 | - / - | - / - |\n"
    unmade = replace(one, missing="a comet")
    assert row(replace(unmade, mutant=None), ()).endswith("| not looked for; it would take a comet | | | |\n")
    assert "| p/a; for a promise to tell, it would take a comet | 1 of 1 |" in row(unmade, hits[:1])


def test_the_page_is_of_the_rows_that_there_are():
    """Whoever adds a mutant makes the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    lines = [line.split(" | ")[:2] for line in text.splitlines() if line.startswith("| ")]
    expected = [line.split(" | ")[:2] for line in page({}, {}).splitlines() if line.startswith("| ")]
    assert lines == expected


@pytest.mark.search
def test_what_fails_under_repaired_rules_is_not_the_known_finding():
    """Another one has its anomaly, and would be taken for it."""
    known_properties()
    one = ROWS["hudi"]["hudi/late-requested"]
    unrepaired = replace(one, repaired=one.rules)
    assert one.repaired
    assert find(replace(one, repaired=None), 1, MOST) is not None
    assert find(unrepaired, 1, 1_000) is None


def test_every_page_of_icebergs_defects_has_a_row():
    """What it is about is looked for, or it is said why not."""
    assert {defect.scenario for defect in DEFECTS} <= {one.name for one in rows_of("iceberg")}
