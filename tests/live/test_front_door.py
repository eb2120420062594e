"""The command line on the live system: the demo as a user runs it, and schedules edited by hand."""

import json
import subprocess
import sys
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli
from real_backend import live as live_module

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

    @contextmanager
    def shared(catalog):
        assert catalog == "rest"
        yield sql

    monkeypatch.setattr(live_module, "live_iceberg", shared)
    path = tmp_path / "schedule.txt"

    def run(steps):
        path.write_text(f"# lakeproof schedule 1\n# scenario: {SNAPSHOT}\n# grain: load commit\n{steps}")
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
