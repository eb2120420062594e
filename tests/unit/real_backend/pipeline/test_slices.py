"""A slice: its text and key, its rows, and that they are the same each time."""

from dataclasses import replace

import pytest

from checkers.histories.json_lines import read_json_lines
from checkers.verdict import check
from real_backend.pipeline import slices
from real_backend.pipeline.schema import MEASURED, SIMULATOR, TABLES, schema_of, table_of
from real_backend.pipeline.slices import Slice, run_slice, slice_of
from sim.kernel.schedule import parse
from sim.search.run import Runner
from tests.unit.real_backend.pipeline.generators import BLIND, BROKEN, TILL

SLICE = Slice(TILL, "till", "blind", BLIND, "shipped", 0, 4, 12, 24)


@pytest.fixture(scope="module")
def rows():
    """What the slice gives."""
    return run_slice(SLICE)


def plain(rows):
    """All rows without what is measured."""
    return [
        {name: value for name, value in row._asdict().items() if name not in MEASURED}
        for table in TABLES
        for row in getattr(rows, table)
    ]


def test_a_slice_is_read_back_from_its_text():
    """Settings come back as tuples, so the slice and its key are equal."""
    again = slice_of(SLICE.text)
    assert again == SLICE
    assert again.key == SLICE.key


@pytest.mark.parametrize("change", [{"seed_lo": 1}, {"rules": "fixed"}, {"most": 25}, {"settings": ()}])
def test_another_slice_has_another_key(change):
    """Seeds, rules, plan and settings are part of the key."""
    assert replace(SLICE, **change).key != SLICE.key


def test_the_same_slice_of_other_code_has_another_key(monkeypatch):
    """What was run with other code must be run again."""
    monkeypatch.setattr(slices, "code_hash", lambda: "other")
    assert replace(SLICE).key != SLICE.key


def test_a_slice_gives_the_same_rows_each_time(rows):
    """Nothing but what is measured differs."""
    assert plain(run_slice(SLICE)) == plain(rows)


def test_another_seed_gives_another_digest(rows):
    """The digest tells slices apart that run different scenarios."""
    assert run_slice(replace(SLICE, seed_lo=4, seed_hi=8)).summary.digest != rows.summary.digest


def test_the_slice_row_sums_up_its_runs(rows):
    """Scenarios, schedules and steps are those of the runs."""
    row, runs = rows.summary, rows.runs
    assert (row.scenarios, row.schedules) == (len(runs), sum(run.schedules for run in runs))
    assert row.scenarios == 4
    assert 4 * 12 <= row.schedules <= 4 * 24
    assert row.failed == sum(bool(run.failures) for run in runs) > 0
    assert {cause.property for cause in row.causes} == {failure.property for failure in rows.failures}


def test_a_failure_is_replayed_by_its_schedule(rows):
    """The text of the schedule, played on the scenario of that name, fails in the same way."""
    failure = rows.failures[0]
    schedule = parse(failure.schedule)
    run = Runner(SLICE.made_by.again(failure.scenario)).play(schedule.steps)
    assert run.failure == f"{failure.property}/{failure.anomaly}"


def test_a_failure_is_judged_again_by_its_history(rows, tmp_path):
    """The history is a file that `check` reads, and that breaks the same property."""
    failure = rows.failures[0]
    (tmp_path / "history.jsonl").write_text(failure.history)
    history = read_json_lines(tmp_path / "history.jsonl")
    assert [one.anomaly for one in check(history, [failure.property]).violations] == [failure.anomaly]


def test_an_unknown_option_is_refused():
    """It is no reason to find no scenario."""
    with pytest.raises(ValueError, match="expected an option of"):
        run_slice(replace(SLICE, settings=(("nothing", "x"),)))


def test_a_scenario_that_cannot_be_run_is_a_failure_and_the_others_are_run():
    """The exception is a failure of the simulator, with the scenario's name and what was raised."""
    found = run_slice(replace(SLICE, generator=BROKEN, seed_hi=8))
    broken = [failure for failure in found.failures if failure.property == SIMULATOR]
    assert {failure.anomaly for failure in broken} == {"KeyError"}
    assert all("KeyError('missing')\nscenario " in failure.error for failure in broken)
    assert 0 < len(broken) < found.summary.scenarios == len(found.runs)
    assert found.summary.failed >= len(broken)


@pytest.mark.parametrize("table", TABLES)
def test_rows_come_back_from_their_arrow_table(rows, table):
    """The schema has the fields of the row, and loses nothing."""
    made = table_of(TABLES[table], getattr(rows, table))
    assert made.schema == schema_of(TABLES[table])
    first = made.to_pylist()[0]
    assert first.keys() == dict.fromkeys(TABLES[table]._fields).keys()
    assert first["slice"] == SLICE.key
