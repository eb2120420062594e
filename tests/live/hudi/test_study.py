"""RFC-56's test plan on a small real table: the figures that do not depend on the machine."""

import csv
import subprocess
import sys
from dataclasses import replace

import pytest

from model.hudi.config import INTERVAL, MISSES
from real_backend.gating.journal import OK
from real_backend.hudi.study import Plan, run_plan
from real_backend.hudi.study_figures import COLUMNS, EARLY
from sim.hudi.build import DIRECT, OPTIMISTIC

pytestmark = pytest.mark.live
LATE = "HoodieWriteConflictException"
BEATS = (*DIRECT, (INTERVAL, "2000"), (MISSES, "2"))
EXPIRY_S = 4.0
PLAN = Plan(rows=900, files=4, percent=50, parallelism=2, tries=4, between_s=0.5, held=True)
SMALL = """
import sys
from lakeproof.cli import main
from real_backend.hudi import study
study.PLAN = study.Plan(rows=300, files=2, overlaps=(100,), detections=study.DETECTIONS[:1], parallelism=2,
                        between_s=1, held=True)
sys.argv[1:] = ["study", "hudi-early-detection", "--live"]
main()
"""


def test_early_detection_spares_the_files_of_the_loser(spark):
    """Off: refused when all its files are written. Direct: before the first one."""
    plan = replace(PLAN, overlaps=(100,), detections=(("off", OPTIMISTIC), ("direct", DIRECT)))
    counted: list[int] = []
    off, direct = run_plan(spark[0], plan, counted.append)
    assert [(each.actor, each.told) for each in off.tries] == [("w2", OK), ("w1", LATE), ("w1", OK)]
    assert (off.files, off.wasted_files) == (12, 4)
    assert [(each.actor, each.told) for each in direct.tries] == [("w2", EARLY), ("w1", OK), ("w2", OK)]
    assert (direct.files, direct.wasted_files, direct.wasted_bytes) == (8, 0, 0)
    assert 0 < off.wasted_bytes < off.size_bytes
    for measured in (off, direct):
        assert measured.false_alarms == 0
        assert measured.to_refusal_s is not None
        assert measured.to_commits_s is not None
        assert 0 < measured.to_refusal_s < measured.to_commits_s
        assert len(measured.cells) == len(COLUMNS)
    assert len(counted) == 2
    assert not (spark[0].location("hudi") / "study").exists()


def test_tries_sooner_than_a_heartbeat_expires_refuse_each_other_without_end(spark):
    """What a refused try has marked refuses the next one, long after the conflict (simulated: retry-too-soon).

    Whether a task still makes its marker when the one beside it is refused is up to Spark's threads: one race of three.
    """
    plan = replace(PLAN, files=6, overlaps=(50,) * 3, detections=(("direct", BEATS),), tries=10)
    assert any(_never_ends(direct, plan) for direct in run_plan(spark[0], plan))


def _never_ends(measured, plan):
    """Whether w2 was refused until it gave up, although what the conflict had left was dead by then."""
    (committed,) = (each for each in measured.tries if (each.actor, each.told) == ("w1", OK))
    assert {(each.actor, each.told) for each in measured.refused} == {("w2", EARLY)}
    assert measured.false_alarms == len(measured.refused) - 1 > 0
    gave_up = len(measured.refused) == plan.tries and measured.to_commits_s is None
    return gave_up and measured.refused[-1].begun_s - committed.ended_s > 1.5 * EXPIRY_S


def test_tries_later_than_a_heartbeat_expires_get_through(spark):
    """The same with an owner that waits longer than interval and misses allow (simulated: retry-after-expiry)."""
    plan = replace(PLAN, files=6, overlaps=(50,), detections=(("direct", BEATS),), between_s=1.2 * EXPIRY_S)
    (direct,) = run_plan(spark[0], plan)
    assert [(each.actor, each.told) for each in direct.tries] == [("w2", EARLY), ("w1", OK), ("w2", OK)]
    assert direct.false_alarms == 0


def test_the_command_measures_it_in_a_session_of_its_own(tmp_path):
    """Table and picture of the live part, beside the simulated one."""
    command = [sys.executable, "-c", SMALL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "RFC-56 test plan, two writers (live)" in done.stdout
    folder = tmp_path / "runs" / "study" / "hudi-early-detection" / "latest"
    (row,) = csv.DictReader((folder / "live-table.csv").read_text().splitlines())
    assert (row["detection"], row["refusals"], row["files thrown away"]) == ("off", "1", "2")
    assert (folder / "live-chart.png").read_bytes().startswith(b"\x89PNG")
