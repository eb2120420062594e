"""A search that runs out of time says so, and keeps what it has found. The clock is the tests' own."""

import re

import pytest

from lakeproof import attempt, investigate
from lakeproof.scenarios import built_in
from sim.search.explore import by_deviations, exhaustive, portfolio
from tests.unit.lakeproof.scenario_files import SERIALIZABLE, SNAPSHOT, counter_file


@pytest.fixture
def clock(monkeypatch):
    """A clock on which every look takes a second; the list holds what it showed."""
    looks: list[int] = []

    def look():
        looks.append(len(looks))
        return float(len(looks))

    monkeypatch.setattr(investigate, "monotonic", look)
    return looks


def test_a_search_that_runs_out_of_time_is_unknown_and_says_after_how_many_schedules(call, clock):
    """Exit 2, like everything that cannot be said."""
    result = call("run", SERIALIZABLE, "--timeout", "12")
    assert result.exit_code == 2
    assert f"{SERIALIZABLE}: UNKNOWN" in result.stdout
    assert "time ran out after 12 schedules" in result.stdout
    assert "not exhaustive: 12 runs with at most 2 deviations" in result.stdout
    assert re.search(r"^lakeproof replay runs/\S+/schedule.txt$", result.stdout, re.MULTILINE)


def test_enough_time_changes_nothing(call, clock):
    """But for the line that says how much there was."""
    slow, fast = call("run", SERIALIZABLE, "--timeout", "100000"), call("run", SERIALIZABLE)
    assert slow.exit_code == fast.exit_code == 0
    assert slow.stdout.splitlines()[:2] == fast.stdout.splitlines()[:2]


@pytest.mark.parametrize("mode", ["plan", "exhaustive", "random"])
def test_a_violation_that_was_found_in_time_is_one(call, clock, tmp_path, mode):
    """Though the search would have gone on, in mode exhaustive."""
    path = counter_file(tmp_path, checked=False)
    result = call("run", path, "--mode", mode, "--timeout", "30")
    assert result.exit_code == 1
    assert "test/counter: VIOLATED" in result.stdout


@pytest.mark.parametrize(
    ("search", "options"),
    [
        (by_deviations, {"at_most": 2}),
        (exhaustive, {}),
        (exhaustive, {"prune": False}),
        (portfolio, {"seeds": range(99)}),
    ],
)
@pytest.mark.parametrize("runs", [1, 7])
def test_every_kind_of_search_ends_when_time_is_over(search, options, runs):
    """After the run that it was told at, which counts."""
    made = []
    result = search(built_in()[SERIALIZABLE], progress=lambda count: made.append(count) or len(made) == runs, **options)
    assert result.schedules == len(made) == runs
    assert result.out_of_time
    assert result.verdict == "unknown"
    assert result.reasons[0] == f"time ran out after {runs} schedule{'s' if runs > 1 else ''}"
    assert "99 seeds" not in result.bounds


def test_a_search_that_is_complete_with_its_last_second_is_complete():
    """Nothing was left out."""
    result = exhaustive(built_in()[SERIALIZABLE])
    told = iter([False] * (result.schedules - 1) + [True])
    late = exhaustive(built_in()[SERIALIZABLE], progress=lambda _: next(told))
    assert late.complete
    assert late.verdict == "holds"


@pytest.mark.parametrize("jobs", [1, 2])
def test_scenarios_that_have_not_begun_when_all_time_is_over_are_unknown(call, tmp_path, monkeypatch, jobs):
    """Each has its row."""
    times = iter([0.0])
    monkeypatch.setattr(attempt, "monotonic", lambda: next(times, 1e9) if jobs == 1 else 1e9)
    monkeypatch.setattr("lakeproof.commands.run.monotonic", lambda: 0.0)
    arguments = ("--total-timeout", "10", "--summary", "out.md", "--junit", "out.xml", "--jobs", jobs)
    result = call("run", SNAPSHOT, "pyiceberg/append-re*", *arguments)
    assert result.exit_code == 2
    assert "pyiceberg/append-resent: UNKNOWN, time ran out before it began" in result.stdout
    table = (tmp_path / "out.md").read_text()
    assert "| pyiceberg/append-resent-with-retries | holds | unknown | unknown |" in table


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "1e9", "2m", ""])
@pytest.mark.parametrize("option", ["--timeout", "--total-timeout"])
def test_what_is_no_time_is_refused(call, option, given):
    """With an example."""
    result = call("run", SNAPSHOT, option, given)
    assert result.exit_code == 64
    assert "expected seconds, more than 0, as in 600 or 0.5" in result.stderr
