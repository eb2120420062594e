"""`run --max-steps`: how long a run may be, said on the command line; a schedule says it to who replays it."""

import pytest

from tests.unit.lakeproof.scenario_files import counter_file

TALKATIVE = 'CHATS = 30\n\ndef chat(world):\n    for _ in range(CHATS):\n        world.register.load("n")\n'


@pytest.fixture
def long(tmp_path):
    """The counter that loses an update, and its client a makes sixty steps before that: more than the scenario says."""
    path = counter_file(tmp_path, checked=False, extra="max_steps=50,", head=TALKATIVE)
    body = "        seen = None\n        chat(simulation.world(name))\n        chat(simulation.world(name))\n"
    path.write_text(path.read_text().replace("        op = simul", body + "        op = simul", 1))
    return path


def test_more_steps_than_the_scenario_says(call, long, tmp_path):
    """What does not end within 50 steps does within 500; the report names the bound, and the schedule replays."""
    cut = call("run", long)
    assert cut.exit_code == 2
    assert "within 50 steps" in cut.stdout
    found = call("run", long, "--max-steps", "500")
    assert found.exit_code == 1
    schedule = tmp_path / "runs" / "test" / "counter" / "latest" / "schedule.txt"
    assert "# max-steps: 500" in schedule.read_text().splitlines()
    assert call("replay", schedule, "--scenario", long).exit_code == 1
    assert '"max_steps": "500"' in (schedule.parent / "run.json").read_text()


def test_fewer_steps_than_a_run_needs_leave_it_unknown(call):
    """A built-in scenario, with the bound in its reason; five runs that do not end are enough."""
    result = call("run", "iceberg/append-append", "--max-steps", "5", "--no-check-determinism")
    assert result.exit_code == 2
    assert "livelock: 5 runs did not end within 5 steps" in result.stdout


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "many", ""])
def test_no_number_of_steps_is_usage(call, value):
    """One line, with what is allowed."""
    result = call("run", "iceberg/append-append", "--max-steps", value)
    assert result.exit_code == 64
    assert "--max-steps" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("value", ["0", "many"])
def test_a_schedule_whose_bound_is_no_number_is_bad_input(call, long, tmp_path, value):
    """With the file and the line's name."""
    call("run", long, "--max-steps", "500")
    schedule = tmp_path / "edited.txt"
    text = (tmp_path / "runs" / "test" / "counter" / "latest" / "schedule.txt").read_text()
    schedule.write_text(text.replace("# max-steps: 500", f"# max-steps: {value}"))
    result = call("replay", schedule, "--scenario", long)
    assert result.exit_code == 65
    assert f"# max-steps: expected a number of steps from 1, got '{value}'" in result.stderr
