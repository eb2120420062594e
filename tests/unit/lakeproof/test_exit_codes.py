"""What each exit code means, and that a failure ends with the command that replays it."""

import json
import os
import shlex
import subprocess
import sys

import pytest

from checkers.properties import CHECKS
from lakeproof import attempt
from lakeproof.errors import gravest, one_line
from tests.children import child
from tests.unit.lakeproof.scenario_files import SERIALIZABLE, SNAPSHOT, counter_file


def test_a_verdict_that_the_scenario_expects_exits_0(call):
    """Holds where holds is expected."""
    result = call("run", SERIALIZABLE)
    assert result.exit_code == 0
    assert f"{SERIALIZABLE}: HOLDS, as expected" in result.stdout


def test_an_expected_violation_exits_0_says_so_and_still_ends_with_the_replay_command(call, last):
    """Loud, but not red."""
    result = call("run", SNAPSHOT)
    assert result.exit_code == 0
    assert "VIOLATED, as expected" in result.stdout
    assert last(result).startswith("lakeproof replay runs/iceberg/delete-update-snapshot/")


def test_strict_makes_an_expected_violation_exit_1(call):
    """For who asks whether a configuration is safe, and not whether it is as bad as known."""
    assert call("run", SNAPSHOT, "--strict").exit_code == 1
    assert call("run", SERIALIZABLE, "--strict").exit_code == 0


def test_one_word_says_everywhere_why_strict_failed(call, tmp_path):
    """Terminal, JUnit and summary agree; none of them calls it as expected."""
    said = call("run", SNAPSHOT, "--strict", "--junit", "out.xml", "--summary", "out.md").stdout
    xml, table = (tmp_path / "out.xml").read_text(), (tmp_path / "out.md").read_text()
    assert f"{SNAPSHOT}: VIOLATED, failed under --strict (the scenario expects violated: " in said
    assert '<failure message="failed under --strict: violated: ' in xml
    assert "| violated | **failed under --strict** |" in table
    assert "got violated: failed under --strict." in xml
    assert not [text for text in (said, xml, table) if "as expected" in text]


def test_a_violation_where_holds_was_expected_exits_1_and_its_last_line_replays_it(call, last, tmp_path):
    """The last line works as it stands."""
    result = call("run", counter_file(tmp_path, checked=False))
    assert result.exit_code == 1
    assert "NOT as expected" in result.stdout
    program, *arguments = shlex.split(last(result))
    again = call(*arguments)
    assert program == "lakeproof"
    assert again.exit_code == 1
    assert "no-lost-update (lost-update)" in again.stdout


def test_holding_where_a_violation_was_expected_exits_1(call, tmp_path):
    """A known bug that is gone is news."""
    result = call("run", counter_file(tmp_path, expect="violated", extra='broken="no-lost-update"'))
    assert result.exit_code == 1
    assert "HOLDS, NOT as expected (the scenario expects violated: no-lost-update)" in result.stdout


def test_another_violation_than_the_expected_one_exits_1(call, tmp_path):
    """Expecting the table to be unreadable does not excuse a lost update, and it is said that it never was."""
    asks = ("readable", "no-lost-update")
    path = counter_file(tmp_path, checked=False, expect="violated", extra='broken="readable"', asks=asks)
    result = call("run", path)
    assert result.exit_code == 1
    assert "violated: no-lost-update: lost-update (2 clients; found within " in result.stdout
    assert "; readable, expected to break, did not within " in result.stdout


def test_a_counter_at_zero_exits_2(call, tmp_path):
    """Everything was explored, but what should have happened never did."""
    result = call("run", counter_file(tmp_path, extra='counters=("comet",)'))
    assert result.exit_code == 2
    assert "never happened: comet" in result.stdout


def test_a_budget_that_is_too_small_exits_2(call):
    """No violation in ten runs is no proof."""
    result = call("run", SERIALIZABLE, "--mode", "exhaustive", "--budget", "10")
    assert result.exit_code == 2
    assert "not exhaustive" in result.stdout


@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_the_default_plan_that_is_cut_off_exits_2(call, strict):
    """The seeds at its end are no search by seeds alone."""
    result = call("run", SERIALIZABLE, "--budget", "100", *strict)
    assert result.exit_code == 2
    assert f"{SERIALIZABLE}: UNKNOWN" in result.stdout
    assert "nothing was found" not in result.stdout


def test_seeds_that_find_nothing_exit_0_and_are_called_so(call):
    """Seeded runs can break a property, never prove it: the verdict is unknown, and nothing was found."""
    result = call("run", SERIALIZABLE, "--mode", "random", "--seeds", "0..99")
    assert result.exit_code == 0
    assert f"{SERIALIZABLE}: UNKNOWN, nothing was found in 100 seeds (the scenario expects holds)" in result.stdout
    assert call("run", SNAPSHOT, "--mode", "random", "--seeds", "0..99").exit_code == 0


def test_seeds_that_find_nothing_prove_nothing_where_a_violation_is_expected(call, tmp_path):
    """Nor where a counter stayed zero, or where nothing was asked."""
    seeds = ("--mode", "random", "--seeds", "0..9")
    path = counter_file(tmp_path, expect="violated", extra='broken="no-lost-update"')
    assert call("run", path, *seeds).exit_code == 2
    assert call("run", counter_file(tmp_path, extra='counters=("comet",)'), *seeds).exit_code == 2
    assert call("run", counter_file(tmp_path, asks=()), *seeds).exit_code == 2


def test_a_search_that_rests_on_nothing_exits_2_and_says_why(call, tmp_path):
    """Everything was explored, and nothing was asked of it."""
    result = call("run", counter_file(tmp_path, asks=()))
    assert result.exit_code == 2
    assert "complete; no property was asked)" in result.stdout


def test_a_scenario_that_depends_on_something_unrecorded_exits_4(call, tmp_path):
    """A global counter changes what the second run does."""
    head = "import itertools\nnumbers = itertools.count()\n"
    path = counter_file(tmp_path, head=head)
    path.write_text(path.read_text().replace("seen.value + 1)\n", "seen.value + 1 + next(numbers))\n"))
    result = call("run", path)
    assert result.exit_code == 4
    assert result.stderr.splitlines()[-1].startswith("lakeproof: scenario test/counter: not deterministic")


def test_an_internal_error_exits_70_with_one_line_and_a_hint(call, monkeypatch):
    """A traceback is for who asks."""

    def broken(*_, **__):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(attempt, "carry_out", broken)
    result = call("run", SNAPSHOT)
    assert result.exit_code == 70
    assert result.stderr.splitlines() == [
        "lakeproof: internal error: RuntimeError: two lines; set LAKEPROOF_DEBUG=1 to see where, and report it with the"
        " command"
    ]
    monkeypatch.setenv("LAKEPROOF_DEBUG", "1")
    assert "Traceback" in call("run", SNAPSHOT).stderr


@pytest.mark.parametrize("arguments", [("list",), ("run", SERIALIZABLE), ("run", SERIALIZABLE, SNAPSHOT)])
def test_a_reader_that_goes_away_is_neither_a_violation_nor_our_fault(tmp_path, arguments):
    """`lakeproof list | head -1` ends quietly, with the code of SIGPIPE."""
    command = [sys.executable, "-m", "lakeproof", *arguments]
    with child(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, said = process.communicate()
    assert process.returncode == 141
    assert b"Traceback" not in said
    assert b"error" not in said


def test_every_property_is_listed_and_can_be_checked(call):
    """Those of one protocol, too."""
    listed = call("list").stdout
    assert "properties of Hudi: one-lock-holder, " in listed
    assert {
        word.strip(",") for line in listed.splitlines() if line.startswith("properties of") for word in line.split()
    } >= set(CHECKS)
    call("run", SNAPSHOT)
    judged = call("check", f"runs/{SNAPSHOT}/latest", "--property", "tries-do-not-stop-each-other")
    assert judged.exit_code == 0
    assert "valid    tries-do-not-stop-each-other" in judged.stdout
    more = call("check", f"runs/{SNAPSHOT}/latest", "--property", "all", "--property", "freshness").stdout
    assert "valid    freshness" in more
    assert "invalid  serializable" in more


@pytest.mark.parametrize(
    ("codes", "code"), [((0, 0), 0), ((0, 2), 2), ((2, 1, 0), 1), ((1, 4, 2), 4), ((4, 70), 70), ((), 0)]
)
def test_the_gravest_code_wins_and_a_failure_outranks_a_unknown(codes, code):
    """Unlike Jepsen's test-all, where unknown hides a failure."""
    assert gravest(codes) == code


def test_several_scenarios_end_with_the_replay_commands_of_those_that_broke(call, last):
    """One line each, then what to type."""
    result = call("run", SERIALIZABLE, SNAPSHOT)
    assert result.exit_code == 0
    assert last(result).startswith(f"lakeproof replay runs/{SNAPSHOT}/")


def test_one_scenario_that_fails_does_not_lose_the_others(call, tmp_path, monkeypatch):
    """The row of the broken one says why; the gravest code is returned."""
    path = counter_file(tmp_path)
    path.write_text(path.read_text().replace("seen.value + 1)", "seen.value + 1 / 0)", 1))
    result = call("run", path, SERIALIZABLE, "--summary", "out.md", "--junit", "out.xml")
    assert result.exit_code == 65
    assert f"{SERIALIZABLE}: HOLDS, as expected" in result.stdout
    table = (tmp_path / "out.md").read_text()
    assert "| test/counter | holds | error | **bad input** |" in table
    assert "ZeroDivisionError" in table
    assert 'failures="0" errors="1"' in (tmp_path / "out.xml").read_text()


def test_junit_and_summary_have_one_row_a_scenario(call, tmp_path):
    """And a failure's text ends with its replay command."""
    path = counter_file(tmp_path, checked=False)
    result = call("run", path, SERIALIZABLE, "--junit", "out.xml", "--summary", "out.md")
    assert result.exit_code == 1
    xml, table = (tmp_path / "out.xml").read_text(), (tmp_path / "out.md").read_text()
    assert 'tests="2" failures="1" errors="0"' in xml
    assert "lakeproof replay runs/test/counter/" in xml
    assert f"| {SERIALIZABLE} | holds | holds | as expected |" in table
    assert "| test/counter | holds | violated | **NOT as expected** |" in table


def test_the_installed_command_returns_the_code_and_keeps_results_apart_from_talk(tmp_path):
    """As a shell sees it, with hash randomisation on and off, and the same record both times."""
    records = []
    for seed in ("0", "1"):
        command = [sys.executable, "-m", "lakeproof", "run", SNAPSHOT, "--strict", "--out", f"runs{seed}"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 1, done.stderr
        assert "simulating" in done.stderr
        assert "simulating" not in done.stdout
        folder = next((tmp_path / f"runs{seed}" / SNAPSHOT).glob("2*"))
        record = json.loads((folder / "run.json").read_text())
        record.pop("command")
        records.append(record)
    assert records[0] == records[1]


def test_a_loop_that_never_ends_exits_2_and_is_called_a_livelock(call, tmp_path):
    """After a few runs, not after hours; its ten thousand steps are clipped on the terminal and on the pages."""
    path = tmp_path / "poll.py"
    path.write_text(POLL)
    result = call("run", path, "--out", tmp_path / "runs")
    assert result.exit_code == 2
    assert "livelock: 2 runs did not end within 10,000 steps, going on with w1." in result.stdout
    assert "One run that does not end, simulated" in result.stdout
    assert "more steps ..." in result.stdout
    assert len(result.stdout.splitlines()) < 200
    (folder,) = (tmp_path / "runs/t/poll").glob("2*")
    assert len((folder / "explain.md").read_text().splitlines()) < 400


POLL = """
from lakeproof import Scenario, program


def start(simulation):
    world = simulation.world("w1")

    def poll():
        op = simulation.record.invoke("w1", "poll")
        while not world.store.exists("flag"):
            world.clock.sleep_ms(10)
        simulation.record.ok(op)

    simulation.actor("w1", poll)


scenario = Scenario("t/poll", program(start), ("readable",))
"""


def test_an_error_that_cannot_say_its_text_is_called_by_its_kind():
    """The JVM that has it has ended."""

    class Gone(Exception):
        def __str__(self) -> str:
            raise ConnectionRefusedError("no JVM")

    assert one_line(Gone()) == "Gone"
