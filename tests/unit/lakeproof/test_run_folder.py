"""What a run leaves on disk, in which order, and that nothing is ever overwritten."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from checkers.histories.history import History
from checkers.histories.storage import read_parquet
from lakeproof import Runner, outcome
from lakeproof.folder import new_folder
from lakeproof.inputs import read_run, read_schedule
from lakeproof.investigate import play
from lakeproof.scenarios import built_in
from tests.unit.lakeproof.scenario_files import SNAPSHOT

FILES = {
    "history.parquet", "history.jsonl", "schedule.txt", "run.json", "verdict.json", "explain.md", "report.html",
    "metrics.json", "cycle-1.svg", "cycle-2.svg", "cycle-3.svg", "cycle-4.svg",
}  # fmt: skip


@pytest.fixture
def folder(call, tmp_path):
    """The folder of one run."""
    assert call("run", SNAPSHOT).exit_code == 0
    return next((tmp_path / "runs" / SNAPSHOT).glob("2*"))


def test_a_run_leaves_its_folder_and_a_link_to_it(folder):
    """Named by time, with `latest` beside it."""
    assert {path.name for path in folder.iterdir()} == FILES
    assert (folder.parent / "latest").resolve() == folder.resolve()


def test_the_stored_schedule_leads_to_the_stored_history(folder):
    """Played anew, event for event."""
    run = play(built_in()[SNAPSHOT], read_schedule(folder / "schedule.txt"))
    assert History(run.events) == read_parquet(folder / "history.parquet")
    assert run.digest() == json.loads((folder / "run.json").read_text())["digest"]


def test_every_output_tells_the_same_story(folder):
    """Record, Markdown and HTML have the same sentences; pictures are well-formed."""
    record = read_run(folder).record
    explained, html = (folder / "explain.md").read_text(), (folder / "report.html").read_text()
    assert len(record.explanation.sentences) > 8
    for sentence in record.explanation.sentences:
        assert f"{sentence.number}. {sentence.text}" in explained
        assert sentence.text.replace("'", "&#39;") in html
    assert record.command in explained
    assert record.command in html
    for path in folder.glob("*.svg"):
        ET.parse(path)


def test_the_record_says_what_was_searched_and_with_which_knobs(folder):
    """Every chosen parameter, and the counts."""
    record = json.loads((folder / "run.json").read_text())
    assert record["verdict"] == "violated"
    assert record["as_expected"] is True
    assert record["search"]["schedules"] >= 1
    assert {
        "search",
        "budget",
        "yield_points",
        "faults",
        "mode",
        "isolation",
        "catalog",
        "retries",
        "determinism",
    } <= set(record["knobs"])
    assert "seconds" not in (folder / "run.json").read_text()
    assert json.loads((folder / "metrics.json").read_text())["port_calls_of_shown_run"] > 20


def test_a_second_run_has_a_folder_of_its_own_and_moves_the_link(call, folder):
    """Also within the same second."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert call("run", SNAPSHOT).exit_code == 0
    folders = sorted(folder.parent.glob("2*"))
    assert len(folders) == 2
    assert (folder.parent / "latest").resolve() == folders[1].resolve()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_folders_of_one_second_get_numbers(tmp_path):
    """No two runs share one."""
    made = [new_folder(tmp_path, "a/b").path for _ in range(3)]
    assert len(set(made)) == 3
    folder = new_folder(tmp_path, "a/b")
    folder.write("x", "1")
    with pytest.raises(FileExistsError):
        folder.write("x", "2")


def test_the_history_is_there_when_the_checker_fails(call, tmp_path, monkeypatch):
    """History first, verdict later: a better checker can judge it then."""

    def broken(*_):
        raise RuntimeError("checker")

    monkeypatch.setattr(outcome, "judge_run", broken)
    assert call("run", SNAPSHOT).exit_code == 70
    (folder,) = (tmp_path / "runs" / SNAPSHOT).glob("2*")
    assert {path.name for path in folder.iterdir()} == {"history.parquet", "history.jsonl", "schedule.txt"}
    assert call("check", folder / "history.parquet").exit_code == 1


def test_report_writes_beside_the_old_one(call, folder):
    """The same page, under the next free name."""
    result = call("report", folder)
    assert result.exit_code == 0
    assert result.stdout.strip() == str(folder / "report-2.html")
    assert (folder / "report-2.html").read_text() == (folder / "report.html").read_text()
    assert call("report", folder, "--out", folder / "report.html").exit_code == 64


def test_explain_tells_a_stored_run(call, folder):
    """From the record alone."""
    result = call("explain", folder)
    assert result.exit_code == 0
    assert result.stdout == (folder / "explain.md").read_text()


def test_check_judges_a_folder_and_a_file_alike(call, folder):
    """1 for both; the file without its run is judged by the default properties."""
    for argument in (folder, folder / "history.parquet"):
        result = call("check", argument)
        assert result.exit_code == 1
        assert "acknowledged-writes-survive: resurrected-row" in result.stdout
    good = call("check", folder / "history.parquet", "--property", "readable")
    assert good.exit_code == 0
    assert "valid    readable" in good.stdout


def test_a_scenario_that_holds_shows_a_run_that_hits_its_counters(call, tmp_path):
    """The conflict that was survived, by the smallest schedule that has it."""
    name = "iceberg/append-append"
    assert call("run", name).exit_code == 0
    folder = next((tmp_path / "runs" / name).glob("2*"))
    scenario = built_in()[name]
    steps = read_schedule(folder / "schedule.txt")
    run = Runner(scenario, yield_points=steps.yield_points).play(steps.steps)
    assert scenario.counters
    assert all(run.coverage.get(counter) for counter in scenario.counters)


def test_a_page_over_many_runs_leads_to_every_report(call, folder, tmp_path):
    """Newest first; what cannot be read is named; nothing is overwritten."""
    assert call("run", SNAPSHOT, "iceberg/append-append").exit_code == 0
    broken = next((tmp_path / "runs" / "iceberg" / "append-append").glob("2*"))
    result = call("report", "runs")
    assert result.exit_code == 0
    text = (tmp_path / "runs" / "index.html").read_text()
    assert "3 runs of 2 scenarios" in text
    links = re.findall('<a href="([^"]+)">', text)
    assert len(links) == 3
    assert all((tmp_path / "runs" / link).is_file() for link in links)
    snapshots = [link for link in links if "delete-update" in link]
    assert snapshots == sorted(snapshots, reverse=True)
    (broken / "run.json").write_text("{")
    assert call("report", "runs").stdout.strip() == "runs/index-2.html"
    assert "append-append" in (tmp_path / "runs" / "index-2.html").read_text().split("Not readable")[1]


def test_a_page_over_runs_shows_a_live_system_that_differs(call, folder, tmp_path):
    """Two run folders by name."""
    live = {"system": "s", "trace": "", "compared": [], "agrees": False, "notes": [],
            "judged": json.loads((folder / "verdict.json").read_text())}  # fmt: skip
    (folder / "live.json").write_text(json.dumps(live))
    assert call("report", folder, folder, "--out", "all.html").exit_code == 0
    text = (tmp_path / "all.html").read_text()
    assert "the live system DIFFERS" in text
    assert "2 not as expected" in text


def test_a_folder_without_runs_has_no_page(call, tmp_path):
    """One line."""
    (tmp_path / "empty").mkdir()
    result = call("report", "empty", "empty")
    assert result.exit_code == 64
    assert "expected a run folder, or a folder that has some below it" in result.stderr
