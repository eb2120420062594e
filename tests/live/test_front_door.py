"""The command line on the live system: the demo as a user runs it, and schedules edited by hand."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli
from real_backend.gating.backends import Backends

pytestmark = pytest.mark.live
SNAPSHOT, SERIALIZABLE = "iceberg/delete-update-snapshot", "iceberg/delete-update-serializable"


def test_the_demo_finds_explains_replays_and_shows_the_refusal(tmp_path):
    """Four steps, in a process of its own, as `make demo` runs it."""
    command = [sys.executable, "-m", "lakeproof", "demo"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert "Therefore row 1 is alive although the last commit that touched it deleted it." in said
    assert "In the real table, row 1 is 'A'; by its own commits it must be absent." in said
    assert "holds (2 writers, 1 statement each; " in said
    assert "The real system refused w1: delete row 1: refused (ValidationException)." in said
    assert said.count("Simulation and live system agree.") == 2
    assert said.splitlines()[-1].startswith(f"lakeproof replay runs/{SNAPSHOT}/")
    for name, outcome in ((SNAPSHOT, "invalid"), (SERIALIZABLE, "valid")):
        folder = tmp_path / "runs" / name / "latest"
        live = json.loads((folder / "live.json").read_text())
        assert live["agrees"] is True
        assert live["judged"]["outcome"] == outcome
        assert "the same schedule on Spark SQL" in (folder / "report.html").read_text()


@pytest.fixture
def replay(sql, tmp_path, monkeypatch):
    """`lakeproof replay --live` of steps of the snapshot scenario, on the session's Spark."""

    monkeypatch.setattr(Backends, "of", lambda self, make: sql)
    path = tmp_path / "schedule.txt"

    def run(steps):
        path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# yield-points: load commit\n{steps}")
        return CliRunner().invoke(cli, ["replay", str(path), "--live"])

    return run


def test_an_edited_schedule_changes_the_live_outcome(replay):
    """The row that comes back, the row that is deleted, and the UPDATE that is refused: one file, three texts."""
    alive = replay("w1:commit\nw2:end\nw1:end\n")
    assert alive.exit_code == 1
    assert "same     row 1 at the end: 'A'" in alive.stdout
    assert "live: VIOLATED: acknowledged-writes-survive (resurrected-row)" in alive.stdout
    assert alive.stdout.splitlines()[-1].endswith("--live")
    gone = replay("w2:end\nw1:end\n")
    assert gone.exit_code == 0
    assert "row 1 at the end: 'A'" not in gone.stdout.split("The same schedule live", 1)[1]
    assert "live: every property holds in this run" in gone.stdout
    refused = replay("w2:commit\nw1:end\nw2:end\n")
    assert refused.exit_code == 0
    assert "w2: update row 1 = A: simulated refused (ValidationFailed); live refused (ValidationExc" in refused.stdout


def test_a_fault_written_into_the_schedule_happens_live(replay):
    """Applied and answered 500: the client reconciles, on both sides."""
    result = replay("w2:commit\nw2.commit!500-after\nw2:end\nw1:end\n")
    assert result.exit_code == 0, result.stdout + result.stderr
    assert "w2.commit!500-after" in result.stdout.split("The same schedule live", 1)[1]


def run_and_replay(scenario, edit, folder):
    """`run --live`, then `replay --live` of its schedule file as `edit` leaves it."""
    done = CliRunner().invoke(cli, ["run", scenario, "--live", "--out", str(folder)])
    assert done.exit_code == 0, done.stdout + done.stderr
    path = folder / scenario / "latest" / "schedule.txt"
    edited = folder / "edited.txt"
    edited.write_text(edit(path.read_text()))
    return done, path, CliRunner().invoke(cli, ["replay", str(edited), "--live"])


def in_order(text):
    """The schedule without its steps: one actor after the other."""
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))


def test_hudi_loses_an_update_on_the_real_one_and_keeps_it_in_another_order(hudi, tmp_path, monkeypatch):
    """No concurrency control: the search's schedule loses an update live; its file without steps does not."""
    monkeypatch.setattr(Backends, "of", lambda self, make: hudi)
    done, path, again = run_and_replay("hudi/no-control", in_order, tmp_path)
    said = done.stdout.split("The same schedule live, on Hudi 1.2.0", 1)[1]
    assert "DIFFERS" not in said
    assert said.count("row 1 = ") == 2
    live = json.loads((path.parent / "live.json").read_text())
    assert (live["agrees"], live["judged"]["outcome"]) == (True, "invalid")
    assert "the same schedule on Hudi 1.2.0" in (path.parent / "report.html").read_text()
    assert again.exit_code == 0, again.stdout + again.stderr
    assert "live: every property holds in this run" in again.stdout


def test_metastores_serve_a_stale_table_and_the_new_one_once_the_log_is_applied(hive, tmp_path, monkeypatch):
    """The second replica's cache answers with the old table; with the log applied first, with the new one."""
    monkeypatch.setattr(Backends, "of", lambda self, make: hive)

    def applied(text):
        return in_order(text) + "w1:end h2.poll h2.apply r1:end\n"

    done, path, again = run_and_replay("hive/shipped-stale-read", applied, tmp_path)
    said = done.stdout.split("The same schedule live, on 2 replicas of Hive Metastore 4.0.1", 1)[1]
    assert "DIFFERS" not in said
    assert "source=cache seen=1 table:1=v0" in said
    assert json.loads((path.parent / "live.json").read_text())["judged"]["outcome"] == "invalid"
    assert again.exit_code == 0, again.stdout + again.stderr
    assert "table:1=v1" in again.stdout
    assert "live: every property holds in this run" in again.stdout
