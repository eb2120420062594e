"""`lakeproof campaign`: from a file or names to a folder, a report and an exit code. Here without Spark."""

import json
import re
import shlex
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from lakeproof.campaigns.line import Line, words
from real_backend.errors import BackendUnavailable
from real_backend.pipeline import campaign as pipeline
from real_backend.pipeline.waves import run_wave as run_one_wave
from sim.generation.causes import Cause, Known
from tests.unit.lakeproof import till
from tests.unit.lakeproof.campaign_files import GOOD

pytestmark = pytest.mark.usefixtures("a_till")
HERE = ("--master", "process")
LOST = Known("till/blind", "no-lost-update", "lost-update", ("add",))


@pytest.fixture
def knows(monkeypatch):
    """The till's losses are known."""
    monkeypatch.setattr(till, "GENERATOR", replace(till.GENERATOR, known=(LOST,)))


def _report(tmp_path, name="till"):
    return tmp_path / "campaigns" / name / "reports" / "latest"


def test_a_campaign_that_finds_something_new_exits_1_and_ends_with_its_replay_command(call, last, tmp_path):
    """Every configuration is searched; what fails is one cause, made small; its page, JUnit and summary say so."""
    result = call("campaign", "till", "--seeds", "6", *HERE)
    assert result.exit_code == 1, result.stderr
    assert "till default: nothing found (6 scenarios, " in result.stdout
    assert "till blind: violated (6 scenarios, " in result.stdout
    assert "NEW: till: no-lost-update (lost-update): add (" in result.stdout
    _, *arguments = shlex.split(last(result))
    assert call(*arguments).exit_code == 1
    report = _report(tmp_path)
    metrics = json.loads((report / "metrics.json").read_text())
    assert [one["name"] for one in metrics["searched"]] == ["default", "blind", "red", "any"]
    assert {one["scenario"] for one in metrics["clusters"]} == {"till/generated/shipped/1"}
    suite = ElementTree.fromstring((report / "junit.xml").read_text())
    failures = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failures == ["till blind", "till any", "till: no-lost-update (lost-update): add"]
    assert "| till: no-lost-update (lost-update): add | **new** |" in (report / "summary.md").read_text()


def test_a_campaign_that_finds_only_what_is_known_exits_0(call, tmp_path, knows):
    """The cause is told all the same, by the finding's name."""
    result = call("campaign", "till", "--seeds", "6", *HERE)
    assert result.exit_code == 0, result.stderr
    assert "known: till/blind: till: no-lost-update (lost-update): add" in result.stdout
    suite = ElementTree.fromstring((_report(tmp_path) / "junit.xml").read_text())
    assert suite.get("failures") == "0"


def test_what_is_known_of_the_shipped_rules_is_new_under_others(call, tmp_path, knows):
    """Rules that were to repair it have it still, or something like it: the campaign says so."""
    (tmp_path / "ours.toml").write_text('seeds = 6\n[[search]]\nprotocol = "till"\nrules = "broken"\n')
    result = call("campaign", str(tmp_path / "ours.toml"), *HERE)
    assert result.exit_code == 1, result.stderr
    assert "1 new cause of failures" in result.stdout


def test_the_page_says_what_was_searched_what_failed_and_what_was_not_looked_at(call, tmp_path):
    """Self-contained: no script, no address."""
    call("campaign", "till", "--seeds", "6", *HERE)
    page = (_report(tmp_path) / "report.html").read_text()
    for text in ("Campaign till", "1 new cause of failures", "tills of two drawers", "these faults never struck: res",
                 "How coverage grew", "no-lost-update (lost-update): add", "# scenario: till/generated/shipped/1",
                 "lakeproof replay campaigns/till/reports/", "Good and Turing", "at most 1 in 3"):  # fmt: skip
        assert text in page, text
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=[\"']https?://", page)
    assert (_report(tmp_path) / "01-till-no-lost-update-lost-update" / "report.html").is_file()


def test_two_campaigns_of_the_same_seeds_have_the_same_figures(call, tmp_path):
    """But for what is measured."""
    found = []
    for name in ("a", "b"):
        call("campaign", "till", "--seeds", "5", *HERE, "--out", name)
        metrics = json.loads((tmp_path / name / "reports" / "latest" / "metrics.json").read_text())
        searched = [{**one, "cpu_s": 0} for one in metrics["searched"]]
        found.append((searched, metrics["grown"], [one["scenario"] for one in metrics["clusters"]]))
    assert found[0] == found[1]


def test_a_report_is_made_anew_beside_the_old_one(call, tmp_path):
    """Nothing is overwritten; the exit code is that of the campaign."""
    call("campaign", "till", "--seeds", "4", *HERE)
    first = _report(tmp_path).resolve()
    result = call("campaign", "report", "campaigns/till")
    assert result.exit_code == 1
    second = _report(tmp_path).resolve()
    assert call("report", "campaigns/till").exit_code == 1
    reports = first, second, _report(tmp_path).resolve()
    assert len(set(reports)) == 3
    figures = [json.loads((one / "metrics.json").read_text())["searched"] for one in reports]
    assert figures[0] == figures[1] == figures[2]
    assert call("report", "campaigns/till", "--out", "x.html").exit_code == 64


def test_a_campaign_goes_on_where_it_was(call, tmp_path):
    """With the slices that are missing; without --resume, and with another plan, the folder is refused."""
    (tmp_path / "c.toml").write_text(GOOD)
    assert call("campaign", "c.toml", *HERE).exit_code == 1
    before = sorted(path.name for path in (tmp_path / "campaigns" / "c" / "waves").iterdir())
    refused = call("campaign", "c.toml", *HERE)
    assert (refused.exit_code, refused.stdout) == (64, "")
    assert "expected a new or an empty one, got a campaign's; resume it" in refused.stderr
    assert call("campaign", "c.toml", *HERE, "--resume").exit_code == 1
    assert sorted(path.name for path in (tmp_path / "campaigns" / "c" / "waves").iterdir()) == before
    other = call("campaign", "till", "--seeds", "4", *HERE, "--resume", "--out", "campaigns/c")
    assert other.exit_code == 64
    assert "expected a campaign of the same plan" in other.stderr


def test_an_interrupt_keeps_what_was_searched_and_says_how_to_go_on(call, tmp_path, monkeypatch):
    """Exit 130; the waves that are kept can be reported."""
    waves: list[int] = []

    def run_wave(folder, engine, slices, done):
        if waves:
            raise KeyboardInterrupt
        waves.append(1)
        return kept(folder, engine, slices[:1], done)

    kept = run_one_wave
    monkeypatch.setattr(pipeline, "run_wave", run_wave)
    result = call("campaign", "till", "--seeds", "4", *HERE)
    assert result.exit_code == 130
    assert "interrupted: what was searched is kept; --resume goes on" in result.stderr
    assert not (tmp_path / "campaigns" / "till" / "reports").exists()
    told = call("campaign", "report", "campaigns/till")
    assert told.exit_code == 0
    assert "till default: nothing found" in told.stdout
    assert "till blind" not in told.stdout
    monkeypatch.setattr(pipeline, "run_wave", kept)
    assert call("campaign", "till", "--seeds", "4", *HERE, "--resume").exit_code == 1


def test_a_scenario_that_cannot_be_run_is_a_failure_of_ours(call, monkeypatch, tmp_path):
    """Named, with its error; the others are searched."""
    monkeypatch.setattr(till, "_adding", lambda *_: lambda: 1 / 0)
    result = call("campaign", "till", "--seeds", "2", *HERE)
    assert result.exit_code == 1
    assert "simulator-error (ZeroDivisionError)" in result.stdout
    assert "ZeroDivisionError" in (_report(tmp_path) / "junit.xml").read_text()


def test_a_live_sample_replays_what_fails_first_and_then_what_does_not(call, tmp_path, knows):
    """On the live system of each scenario; the page has both."""
    result = call("campaign", "till", "--seeds", "3", *HERE, "--live", "4")
    assert result.exit_code == 0, result.stderr
    assert "; live on a drawer of coins: agrees)" in result.stdout
    assert "live: 4 replayed, 0 DIFFER" in result.stdout
    replays = json.loads((_report(tmp_path) / "metrics.json").read_text())["replays"]
    assert (replays["asked"], replays["replayed"], replays["differing"]) == (4, 4, [])
    assert "4 generated scenarios asked for, 4 replayed" in (_report(tmp_path) / "report.html").read_text()


def test_a_live_system_that_differs_is_a_failure_of_ours(call, tmp_path, knows, monkeypatch):
    """Exit 1, though nothing else is new; the command that shows it comes last."""
    monkeypatch.setattr(till.DRAWER, "honest", False, raising=False)
    result = call("campaign", "till", "--seeds", "3", *HERE, "--live", "3")
    assert result.exit_code == 1, result.stderr
    assert "live: 3 replayed, 3 DIFFER" in result.stdout
    commands = [line for line in result.stdout.splitlines() if line.startswith("lakeproof replay ")]
    assert len(commands) == 3
    assert all(line.endswith(" --live") for line in commands)
    _, *arguments = shlex.split(commands[-1])
    assert call(*arguments).exit_code == 1
    suite = ElementTree.fromstring((_report(tmp_path) / "junit.xml").read_text())
    assert suite.get("failures") == "3"


def test_a_live_system_that_cannot_be_had_is_said_once(call, tmp_path, knows, monkeypatch):
    """The campaign is reported all the same."""

    def replay(*_):
        raise BackendUnavailable("Java: expected java on the PATH, found none")

    monkeypatch.setattr(till.DRAWER, "replay", replay, raising=False)
    result = call("campaign", "till", "--seeds", "3", *HERE, "--live", "3")
    assert result.exit_code == 2
    assert "live: 0 replayed, 0 DIFFER" in result.stdout
    assert result.stdout.count("Java: expected java on the PATH, found none") == 1


def test_what_a_live_system_cannot_replay_is_counted_by_its_reason(call, tmp_path, knows, monkeypatch):
    """Without what the single scenario has, so that a reason is one line."""
    made = iter(range(1_000))

    def lacking(draws, rules):
        return replace(kept(draws, rules), live=None, not_live=f"expected a drawer, got number {next(made)}")

    kept = till.GENERATOR.draw
    monkeypatch.setattr(till, "GENERATOR", replace(till.GENERATOR, draw=lacking))
    assert call("campaign", "till", "--seeds", "3", *HERE, "--live", "3").exit_code == 2
    skipped = json.loads((_report(tmp_path) / "metrics.json").read_text())["replays"]["skipped"]
    assert list(skipped) == ["it has no live counterpart: expected a drawer"]
    assert skipped["it has no live counterpart: expected a drawer"] > 1


def test_a_campaign_of_another_version_is_refused(call, tmp_path):
    """Nothing is read of it, nothing written."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "campaign.json").write_text('{"format": 0}')
    for arguments in (["report", "old"], ["till", "--seeds", "1", "--out", "old", "--resume", *HERE]):
        result = call("campaign", *arguments)
        assert result.exit_code == 64
        assert "expected a campaign of format 1, got 0" in result.stderr
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["campaign.json"]


def test_progress_is_one_line_a_wave_and_on_a_terminal_one_line_that_moves(capsys):
    """With schedules per second, pairs, failures, causes, and how many are new."""
    progress = pipeline.Progress(waves=2, schedules=1200, failed=3, kinds={"a", "b"}, run=1200, wall_s=2.0)
    struck = Cause("no-lost-update", "lost-update", ("add",), ("503-before",))  # of the shipped till it is known
    progress.causes = {("till", rules, struck): 2 for rules in ("shipped", "broken")}
    assert words(progress) == "wave 2: 1,200 schedules (600/s), 2 kinds of pairs, 3 scenarios fail, 2 causes, 1 new"
    line = Line(is_terminal=False)
    line.tell(progress)
    line.tell(progress)
    assert capsys.readouterr().err == f"{words(progress)}\n"
    line = Line(is_terminal=True)
    line.tell(progress)
    line.end()
    assert capsys.readouterr().err == f"\r{words(progress)}\n"
