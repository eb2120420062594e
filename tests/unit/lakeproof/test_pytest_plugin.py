"""The fixture `lakeproof`, in sessions of its own."""

import os
import shlex
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from tests.unit.lakeproof.scenario_files import counter_file

TEST = """
from counter import scenario
from lakeproof import Result


def test_counter(lakeproof):
    assert isinstance(lakeproof.check(scenario), Result)
"""


@pytest.fixture
def session(tmp_path):
    """Run pytest in a folder with a scenario and a test of it."""
    (tmp_path / "test_counter.py").write_text(TEST)

    def run(*arguments):
        # Other plugins are kept out: they take longer to load than the test takes to run.
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-p",
            "lakeproof.pytest_plugin",
            *arguments,
        ]
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)

    return run


@pytest.fixture
def checking(session, tmp_path):
    """Run one test that checks with these arguments; what the session printed, and its code."""

    def run(arguments, **file):
        counter_file(tmp_path, **file)
        (tmp_path / "test_counter.py").write_text(TEST.replace("check(scenario)", f"check({arguments})"))
        done = session()
        return done.stdout, done.returncode

    return run


def failure_of(text):
    """The text of the one failure, without pytest's frame."""
    return text.split("_ test_counter _", 1)[1].split("\n", 1)[1].split("\n=", 1)[0].rstrip()


def test_the_plugin_is_found_by_pytest_itself():
    """Whoever installs the package has the fixture."""
    assert [point.value for point in entry_points(group="pytest11", name="lakeproof")] == ["lakeproof.pytest_plugin"]


def test_a_scenario_that_holds_passes_and_leaves_nothing(session, tmp_path):
    """No run folder for a green test."""
    counter_file(tmp_path)
    done = session()
    assert done.returncode == 0, done.stdout
    assert not (tmp_path / "runs").exists()


def test_a_violation_fails_with_the_story_and_a_last_line_that_replays_it(session, tmp_path):
    """The command of the last line fails again; after an edit of the schedule it passes."""
    counter_file(tmp_path, checked=False)
    done = session()
    assert done.returncode == 1
    failure = failure_of(done.stdout)
    assert "test/counter: VIOLATED, NOT as expected" in failure
    assert "a contradiction!" in failure
    program, *arguments = shlex.split(failure.splitlines()[-1])
    assert program == "pytest"
    again = session(*arguments)
    assert again.returncode == 1
    assert "no-lost-update: lost-update" in again.stdout
    schedule = next((tmp_path / "runs").rglob("schedule.txt"))
    schedule.write_text("# lakeproof schedule 1\n# scenario: test/counter\na:end\nb:end\n")
    edited = session(*arguments)
    assert "isinstance(Run(" in edited.stdout  # the check passed, and gave the run instead of a search's result


def test_an_unknown_verdict_fails(session, tmp_path):
    """A counter that stayed zero proves nothing."""
    counter_file(tmp_path, extra='counters=("comet",)')
    done = session()
    assert done.returncode == 1
    assert "test/counter: UNKNOWN" in done.stdout


def test_a_schedule_of_another_scenario_is_refused(session, tmp_path):
    """It would say nothing about this one."""
    counter_file(tmp_path)
    (tmp_path / "other.txt").write_text("# lakeproof schedule 1\n# scenario: else\na:end\n")
    done = session("--lakeproof-replay", "other.txt")
    assert done.returncode == 1
    assert "schedule other.txt: expected one of test/counter, got else" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("'iceberg/nope'", "scenario 'iceberg/nope': expected a built-in name or a path that ends in .py; "
                           "`lakeproof list` names them all"),
        ("scenario, mode='randm'", "mode: expected one of plan, exhaustive, random, got 'randm'"),
        ("scenario, seeds=range(9)", "seeds: expected mode='random' beside them, got mode='plan'"),
        ("scenario, yield_points='load'", "yield_points: expected several names, as in ('load', 'commit'), got 'load'"),
        ("scenario, budget=0", "budget: expected a number of runs from 1, got 0"),
    ],
    ids=["name", "mode", "seeds", "yield points", "budget"],
)  # fmt: skip
def test_what_cannot_be_checked_is_one_message(checking, arguments, said):
    """Without the exception that it was, and once."""
    printed, code = checking(arguments)
    assert code == 1
    assert failure_of(printed).strip() == said
    assert "During handling" not in printed


def test_yield_points_are_those_of_the_check(checking):
    """At the commits alone there is less to search; an operation that does not exist is refused."""
    printed, code = checking("scenario, yield_points=['load', 'comit']")
    assert code == 1
    assert "did you mean commit?" in failure_of(printed)
    assert checking("scenario, yield_points=['commit']")[1] == 0


def test_strict_fails_a_violation_that_is_expected(checking):
    """For who asks whether a configuration is safe."""
    broken = {"checked": False, "expect": "violated", "extra": 'broken="no-lost-update"'}
    assert checking("scenario", **broken)[1] == 0
    printed, code = checking("scenario, strict=True", **broken)
    assert code == 1
    assert "test/counter: VIOLATED, failed under --strict" in failure_of(printed)


def test_seeds_are_those_of_the_check(checking):
    """A lost update needs few of them."""
    printed, code = checking("scenario, mode='random', seeds=range(50)", checked=False)
    assert code == 1
    assert "test/counter: VIOLATED" in failure_of(printed)
