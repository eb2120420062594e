"""Schedules decide: edited by hand, another outcome."""

import pytest

from lakeproof import live
from real_backend.errors import BackendUnavailable
from tests.unit.lakeproof.stories import SNAPSHOT

LOST = "w1:commit\nw2:end\nw1:end\n"
SERIAL = "w1:end\nw2:end\n"


@pytest.fixture
def schedule(tmp_path):
    """Write a schedule of the snapshot scenario at the grain of the catalog."""

    def write(steps):
        path = tmp_path / "schedule.txt"
        path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# grain: load commit\n{steps}")
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


def test_without_the_live_system_the_simulation_runs_and_the_code_is_2(call, schedule, monkeypatch):
    """One line says what is missing."""

    def missing(*_):
        raise BackendUnavailable("Java: expected java on the PATH, found none; install Java 17")

    monkeypatch.setattr(live.LiveSystems, "replay", missing)
    result = call("replay", schedule(SERIAL), "--live")
    assert result.exit_code == 2
    assert "every property holds in this run (simulated)" in result.stdout
    assert result.stderr.splitlines() == [
        "lakeproof: Java: expected java on the PATH, found none; install Java 17"
    ]  # fmt: skip
