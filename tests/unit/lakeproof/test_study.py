"""`lakeproof study`: table, folder, live counterpart, and what is said when there is none."""

import json

import pytest

from lakeproof import protocols
from real_backend.errors import BackendError
from real_backend.jvm import preflight
from tests.unit.lakeproof import fake_live_study, fake_study
from tests.unit.reports.studies import LINES

NAME = "hudi-early-detection"
FAKE, LIVE = "tests.unit.lakeproof.fake_study:STUDY", "tests.unit.lakeproof.fake_live_study:STUDY"
SIMULATED = {"study.json", "table.csv", "chart.svg", "chart.png", "report.html", "metrics.json"}


def offer(monkeypatch, live):
    """One protocol with the fake study, and these live ones."""
    row = protocols.Protocol("hudi", "Hudi", {}, studies={NAME: FAKE}, live_studies=live)
    monkeypatch.setattr(protocols, "PROTOCOLS", (row,))


@pytest.fixture(autouse=True)
def fake(monkeypatch):
    """The study of that name is a fake one, and nothing needs a JVM."""
    offer(monkeypatch, {NAME: LIVE})
    monkeypatch.setattr(preflight, "require", lambda: None)
    fake_study.told.clear()
    fake_study.asked.clear()
    fake_live_study.told.clear()


def folders(tmp_path):
    """The folders of the study, oldest first."""
    return sorted((tmp_path / "runs" / "study" / NAME).glob("2*"))


def names(folder):
    """The files of a folder."""
    return {path.name for path in folder.iterdir()}


def test_the_table_is_printed_with_aligned_figures_units_and_notes(call):
    """And says that it is simulated."""
    out = call("study", NAME).stdout.splitlines()
    assert out[1] == f"{NAME}: {LINES.title} (simulated)"
    rows = [line.rstrip() for line in out if line.strip().startswith(("eventual", "none"))]
    assert [line.split() for line in rows] == [
        ["eventual", "10", "0.0123", "157"], ["eventual", "1,000", "0.5556", "24,941"],
        ["none", "10", "0.0000", "-"], ["none", "1,000", "0.0000", "-"],
    ]  # fmt: skip
    assert len({len(line) for line in rows}) == 1
    header = " ".join(out[: out.index(next(line for line in out if "─" in line))])
    assert set(header.split()) >= {word for column in LINES.columns for word in column.split()}
    assert "  A read takes 20 ms <assumed>." in out


def test_a_study_leaves_a_folder_that_nothing_overwrites(call, tmp_path):
    """Two runs, two folders, equal but for the time they took; `latest` leads to the newer one."""
    result = call("study", NAME)
    assert result.exit_code == 0
    assert call("study", NAME).exit_code == 0
    one, two = folders(tmp_path)
    assert names(one) == names(two) == SIMULATED
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in SIMULATED - {"metrics.json"})
    assert (one.parent / "latest").resolve() == two.resolve()
    assert json.loads((one / "study.json").read_text())["command"] == f"lakeproof study {NAME}"
    assert str(one.relative_to(tmp_path)) in result.stdout


def test_progress_is_reported(call):
    """Once a step."""
    call("study", NAME)
    assert len(fake_study.told) == fake_study.STUDY.steps


def test_seeds_are_as_many_as_one_asks_for(call, tmp_path):
    """And the record's command has them; without the option, as many as the study takes."""
    assert call("study", NAME, "--seeds", "50").exit_code == 0
    assert call("study", NAME).exit_code == 0
    assert fake_study.asked == [50, 20]
    commands = [json.loads((folder / "study.json").read_text())["command"] for folder in folders(tmp_path)]
    assert commands == [f"lakeproof study {NAME} --seeds 50", f"lakeproof study {NAME}"]


@pytest.mark.parametrize("value", ["0", "-3", "2.5", "0..9", "some"])
def test_no_number_of_seeds_is_usage(call, tmp_path, value):
    """One line, no folder."""
    result = call("study", NAME, "--seeds", value)
    assert result.exit_code == 64
    assert f"expected a number of seeds from 1, as in 20, got '{value}'" in result.stderr
    assert folders(tmp_path) == []


def test_a_study_that_draws_nothing_takes_no_seeds(call, tmp_path, monkeypatch):
    """Every row of it is a search of all schedules: more seeds would say no more."""
    monkeypatch.setattr(fake_study, "STUDY", fake_study.WHOLE)
    result = call("study", NAME, "--seeds", "50")
    assert result.exit_code == 64
    assert result.stderr.splitlines() == [
        f"lakeproof: study {NAME}: expected one that draws seeds for --seeds, got one that searches all schedules"
    ]
    assert folders(tmp_path) == []


def test_live_figures_stand_beside_the_simulated_ones(call, tmp_path):
    """Marked as live whatever the live study says, and drawn as it says."""
    result = call("study", NAME, "--live")
    assert result.exit_code == 0
    assert f"{NAME}: Two writers (live)" in result.stdout
    assert names(folders(tmp_path)[0]) == SIMULATED | {"live-table.csv", "live-chart.svg", "live-chart.png"}
    parts = json.loads((folders(tmp_path)[0] / "study.json").read_text())["parts"]
    assert [part["table"]["simulated"] for part in parts] == [True, False]
    assert len(fake_live_study.told) == fake_live_study.STUDY.steps


def test_a_live_system_that_fails_leaves_the_simulated_part(call, tmp_path, monkeypatch):
    """Exit 2, one line, and the folder without live figures."""
    monkeypatch.setattr(fake_live_study, "STUDY", fake_live_study.GONE)
    result = call("study", NAME, "--live")
    assert result.exit_code == 2
    assert "Not measured live: metastore: expected it to start" in result.stdout
    assert names(folders(tmp_path)[0]) == SIMULATED


def test_without_java_nothing_live_is_tried(call, tmp_path, monkeypatch):
    """The line says what is missing."""

    def require():
        raise BackendError("java: expected version 17, got no program of that name")

    monkeypatch.setattr(preflight, "require", require)
    result = call("study", NAME, "--live")
    assert result.exit_code == 2
    assert "Not measured live: java: expected version 17" in result.stdout
    assert names(folders(tmp_path)[0]) == SIMULATED


def test_a_study_without_a_live_counterpart_says_so_before_it_runs(call, tmp_path, monkeypatch):
    """Exit 64, one line with those that have one, no folder."""
    offer(monkeypatch, {"hive-cache": FAKE})
    result = call("study", NAME, "--live")
    assert result.exit_code == 64
    assert result.stderr.splitlines() == [
        f"lakeproof: study {NAME}: expected one that can be measured live for --live (hive-cache); this one cannot"
    ]
    assert folders(tmp_path) == []


def test_an_unknown_study_is_one_line(call):
    """With the names that exist."""
    result = call("study", "hudi")
    assert result.exit_code == 64
    assert "hudi-early-detection" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("columns", [40, 80])
def test_a_table_is_no_wider_than_the_terminal_and_loses_no_figure(call, monkeypatch, columns):
    """What does not fit beside the rest comes in a table of its own, with what the rows are about."""
    wide = call("study", NAME).stdout
    monkeypatch.setenv("COLUMNS", str(columns))
    out = call("study", NAME).stdout
    lines = [line for line in out.splitlines() if not line.startswith(("run folder:", "report:"))]
    assert max(map(len, lines)) <= columns
    assert all(line == line.rstrip() for line in lines)
    assert {"0.0123", "24,941", "eventual", "none"} <= set(out.split())
    assert set(wide.split("run folder")[0].replace("─", "").split()) <= set(out.split())
