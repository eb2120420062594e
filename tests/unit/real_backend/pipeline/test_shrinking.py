"""Causes of a campaign: one representative each is made small, and causes that turn out to be the same are joined."""

import json
from dataclasses import replace

import pytest

from checkers.histories.json_lines import read_json_lines
from checkers.verdict import check
from real_backend.pipeline import shrinking
from real_backend.pipeline.campaign import CampaignPlan, Configuration, search
from real_backend.pipeline.folder import opened
from real_backend.pipeline.schema import SIMULATOR
from real_backend.pipeline.shrinking import shrink_causes, smallest
from real_backend.pipeline.waves import InProcess
from sim.kernel.schedule import parse
from sim.search.run import Runner
from tests.unit.lakeproof.till import GENERATOR
from tests.unit.real_backend.pipeline.generators import BLIND, BROKEN, TILL

PLAIN = Configuration(TILL, "till", "blind", BLIND, "shipped")
PLAN = CampaignPlan((PLAIN,), seeds=4, seeds_each=2, first=12, most=24)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A campaign with failures, and its causes."""
    path = tmp_path_factory.mktemp("campaigns") / "c"
    search(path, PLAN, InProcess(), wave_s=1e-9)
    shrink_causes(path, InProcess(), budget=300)
    return path


def test_each_cause_has_a_smallest_failure_that_its_schedule_and_its_history_show(path, tmp_path):
    """The schedule replays the scenario of that name to the failure, and the history breaks the property."""
    assert smallest(path)
    for number, row in enumerate(smallest(path)):
        run = Runner(GENERATOR.again(row.scenario)).play(parse(row.schedule).steps)
        assert run.failure == f"{row.property}/{row.anomaly}"
        file = tmp_path / f"{number}.jsonl"
        file.write_text(row.history)
        assert row.anomaly in [one.anomaly for one in check(read_json_lines(file), [row.property]).violations]


def test_causes_count_every_failure(path):
    """Joining causes loses none of the failures behind them."""
    failures = opened(path).read("failures").to_pylist()
    rows = smallest(path)
    assert sum(row.failures for row in rows) == len(failures)
    assert {row.configurations for row in rows} == {("blind",)}
    assert min(len(failure["scenario"]) for failure in failures) >= min(len(row.scenario) for row in rows)


def test_causes_are_written_anew(path):
    """The second time gives the same rows and leaves one file."""
    before = smallest(path)
    told = []
    assert shrink_causes(path, InProcess(), budget=300, tell=lambda done, of: told.append((done, of))) == before
    assert told[-1] == (len(told), len(told))
    assert [file.name for file in (path / "causes").iterdir()] == ["part-0.parquet"]


def test_causes_that_shrink_to_one_are_joined_and_the_shortest_stands_for_them():
    """Counts add up, first wave and least schedules are the least, and the shorter scenario is shown."""

    def group(configuration, wave, found_at, failures):
        return shrinking._Group({"scenario": "till/generated/shipped/1"}, {configuration}, failures, 1, wave, found_at)

    def made(name):
        return {
            "property": "readable", "anomaly": "unreadable-table", "operations": ["insert"], "faults": [],
            "known": "", "scenario": f"till/generated/shipped/{name}", "summary": "", "schedule": "", "history": "",
            "executions": 1, "settled": True, "error": "",
        }  # fmt: skip

    found = shrinking._rows(
        shrinking._joined([(group("rest", 2, 7, 3), made("101")), (group("hive", 1, 9, 2), made("11"))])
    )
    assert [(row.scenario[-3:], row.failures, row.rough, row.first_wave, row.found_at) for row in found] == [
        ("/11", 5, 2, 1, 7)
    ]
    assert found[0].configurations == ("hive", "rest")


def test_a_failure_of_the_simulator_is_a_cause_that_stays_as_it_is(tmp_path):
    """There is nothing to make small: the scenario and what was raised are kept."""
    search(tmp_path / "c", replace(PLAN, configurations=(replace(PLAIN, generator=BROKEN),)), InProcess())
    rows = [row for row in shrink_causes(tmp_path / "c", InProcess(), budget=50) if row.property == SIMULATOR]
    assert [row.anomaly for row in rows] == ["KeyError"]
    assert "KeyError('missing')" in rows[0].error
    assert rows[0].schedule == ""


def test_a_failure_whose_smaller_scenario_cannot_be_run_stays_as_it_was_found(tmp_path):
    """It is no less a failure; what was raised is kept with it."""
    search(tmp_path / "c", replace(PLAN, configurations=(replace(PLAIN, generator=BROKEN),)), InProcess())
    rows = [row for row in shrink_causes(tmp_path / "c", InProcess()) if row.property != SIMULATOR]
    assert {row.property for row in rows} == {"no-lost-update"}
    assert ["KeyError('missing')" in row.error for row in rows] == [not row.settled for row in rows]
    assert not all(row.settled for row in rows)


def test_a_failure_that_is_not_met_again_is_the_simulators(path, monkeypatch):
    """A sweep that is not the same each time is our defect, and is said to be one."""
    monkeypatch.setattr(shrinking, "sweep", lambda scenario, plan: type("Swept", (), {"failures": {}})())
    rows = shrinking._rough(opened(path))
    asked = {**rows[0].shortest, "generator": TILL, "budget": 1, "sweep": [12, 24, ["random"]], "faults": None}
    made = json.loads(shrinking.shrink_one(json.dumps(asked)))
    assert (made["property"], made["anomaly"]) == (SIMULATOR, "not-repeated")


def test_a_budget_below_one_is_refused(path):
    """One line."""
    with pytest.raises(ValueError, match="budget: expected runs from 1, got 0"):
        shrink_causes(path, InProcess(), budget=0)
