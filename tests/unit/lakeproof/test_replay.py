"""Schedules decide: edited by hand, another outcome."""

import pytest

from lakeproof import live
from real_backend.errors import BackendUnavailable
from tests.unit.lakeproof.scenario_files import SNAPSHOT

LOST = "w1:commit\nw2:end\nw1:end\n"
SERIAL = "w1:end\nw2:end\n"


@pytest.fixture
def schedule(tmp_path):
    """Write a schedule of the snapshot scenario at the yield points of the catalog."""

    def write(steps):
        path = tmp_path / "schedule.txt"
        path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# yield-points: load commit\n{steps}")
        return path

    return write


def test_an_edited_schedule_changes_the_outcome(call, schedule, last):
    """The race as found, then the same statements one after the other."""
    broken = call("replay", schedule(LOST))
    assert broken.exit_code == 1
    assert "resurrected-row" in broken.stdout
    assert last(broken).startswith("lakeproof replay ")
    serial = call("replay", schedule(SERIAL))
    assert serial.exit_code == 0
    assert "every property holds in this run" in serial.stdout


def test_a_step_that_is_not_on_offer_is_bad_input(call, schedule):
    """What was wanted, and what was ready."""
    result = call("replay", schedule("w1.load\nw1.commit\n"))
    assert result.exit_code == 65
    assert "step 2 of 2: wanted w1.commit, ready:" in result.stderr


def test_faults_are_steps_too(call, schedule):
    """Written into the schedule by hand: a commit that is applied and answered 503."""
    result = call("replay", schedule("w2:commit\nw2.commit!503-after\nw2:end\nw1:end\n"))
    assert result.exit_code == 0
    assert "it is applied, but the answer is 503" in result.stdout


@pytest.fixture
def no_java(monkeypatch):
    """The live system cannot be had."""

    def missing(*_):
        raise BackendUnavailable("Java: expected java on the PATH, found none; install Java 17")

    monkeypatch.setattr(live.LiveSystems, "replay", missing)


def test_without_the_live_system_the_simulation_runs_and_the_code_is_2(call, schedule, no_java):
    """One line says what is missing."""
    result = call("replay", schedule(SERIAL), "--live")
    assert result.exit_code == 2
    assert "every property holds in this run (simulated)" in result.stdout
    assert result.stderr.splitlines() == [
        "lakeproof: Java: expected java on the PATH, found none; install Java 17"
    ]  # fmt: skip


def test_a_violation_outranks_a_live_system_that_is_missing(call, schedule, no_java, last):
    """As `run --live` does: exit 1, and the last line replays it."""
    path = schedule(LOST)
    result = call("replay", path, "--live")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == ["lakeproof: Java: expected java on the PATH, found none; install Java 17"]
    assert last(result) == f"lakeproof replay {path} --live"


def test_a_scenario_without_a_live_counterpart_is_told_before_anything_is_played(call, tmp_path):
    """The command line asked for what is not there."""
    path = tmp_path / "schedule.txt"
    path.write_text("# lakeproof schedule 1\n# scenario: iceberg/hive-lock\nw1:end\n")
    result = call("replay", path, "--live")
    assert (result.exit_code, result.stdout) == (64, "")
    assert "expected a scenario with a live counterpart" in result.stderr


def test_a_schedule_that_no_longer_breaks_what_it_was_made_to_break_says_so(call, schedule):
    """It is not passed over in silence; every property holds, so the code is 0."""
    made = "# property: no-lost-update\n"
    again = call("replay", schedule(made + LOST))
    assert "was made to break" not in again.stdout
    edited = call("replay", schedule(made + SERIAL))
    assert edited.exit_code == 0
    assert "was made to break no-lost-update (its line `# property:`); as it stands, it does not." in edited.stdout


def test_a_property_that_only_the_schedule_names_is_judged_too(call, schedule):
    """A claim may be about a property that its scenario is not asked for."""
    asked = call("replay", schedule("# property: strong-serializable\n" + LOST))
    assert asked.exit_code == 1
    assert "\nstrong-serializable: " in asked.stdout


def test_a_property_that_does_not_exist_is_bad_input(call, schedule):
    """With the nearest name."""
    result = call("replay", schedule("# property: no-lost-updates\n" + LOST))
    assert result.exit_code == 65
    assert "expected the name of a property, got 'no-lost-updates'; did you mean no-lost-update?" in result.stderr
