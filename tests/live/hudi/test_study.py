"""RFC-56's test plan on a small real table: the figures that do not depend on the machine."""

import csv
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import pytest

from model.hudi.keys import INTERVAL, MISSES
from model.hudi.names import HEARTBEATS
from real_backend.errors import BackendTimeout
from real_backend.gating.journal import OK
from real_backend.hudi import study
from real_backend.hudi.study import Plan, run_plan
from real_backend.hudi.study_figures import COLUMNS, EARLY
from sim.hudi.build import DIRECT, OPTIMISTIC, TRANSACTIONAL

pytestmark = pytest.mark.live
LATE = "HoodieWriteConflictException"
# Longer than any test: a heartbeat expires when the test says so, and not when the machine is busy.
EXPIRY_S = 2 * 3600
BEATS = (*DIRECT, (INTERVAL, "3600000"), (MISSES, "2"))
PLAN = Plan(rows=900, files=4, percent=50, parallelism=2, tries=4, between_s=0, held=True)
HALF = replace(PLAN, overlaps=(50,), detections=(("direct", BEATS),))
END_S = 120.0
SMALL = """
import sys
from lakeproof.cli import main
from real_backend.hudi import study
study.PLAN = study.Plan(rows=300, files=2, overlaps=(100,), detections=study.DETECTIONS[:1], parallelism=2,
                        between_s=1, held=True)
sys.argv[1:] = ["study", "hudi-early-detection", "--seeds", "2", "--live"]
main()
"""


def test_early_detection_spares_the_files_of_the_loser(spark):
    """Off: refused when all its files are written. Direct: before the first one."""
    plan = replace(PLAN, overlaps=(100,), detections=(("off", OPTIMISTIC), ("direct", BEATS)))
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
    assert not list(spark[0].location("hudi").glob("study*"))


def test_the_transactional_strategy_spares_them_as_shipped(spark):
    """Its locks of file groups are ZooKeeper's."""
    beats = (*TRANSACTIONAL, (INTERVAL, "3600000"), (MISSES, "2"))
    (found,) = run_plan(spark[0], replace(PLAN, overlaps=(100,), detections=(("transactional", beats),)))
    assert [(each.actor, each.told) for each in found.tries] == [("w2", EARLY), ("w1", OK), ("w2", OK)]
    assert (found.files, found.wasted_files) == (8, 0)


def expire(table, spared):
    """Let the heartbeats in this table be as old as if they had just expired, but for those begun last."""
    beats = sorted((table / HEARTBEATS).iterdir())
    for beat in beats[: len(beats) - spared]:
        seconds = beat.stat().st_mtime - EXPIRY_S
        os.utime(beat, (seconds, seconds))


def test_tries_sooner_than_a_heartbeat_expires_refuse_each_other_without_end(spark):
    """What a refused try has marked refuses the next one, long after the conflict (simulated: retry-too-soon).

    Of what came before a try only the last one's heartbeat is still fresh, and that one was alone, too.
    """
    plan = replace(HALF, tries=10)
    (direct,) = run_plan(spark[0], plan, between=partial(expire, spared=1))
    refusals = [("w2", EARLY)] * plan.tries
    assert [(each.actor, each.told) for each in direct.tries] == [refusals[0], ("w1", OK), *refusals[1:]]
    assert direct.false_alarms == plan.tries - 1
    assert direct.to_commits_s is None


def test_tries_later_than_a_heartbeat_expires_get_through(spark):
    """The same when the last try's heartbeat has expired as well (simulated: retry-after-expiry)."""
    (direct,) = run_plan(spark[0], HALF, between=partial(expire, spared=0))
    assert [(each.actor, each.told) for each in direct.tries] == [("w2", EARLY), ("w1", OK), ("w2", OK)]
    assert direct.false_alarms == 0


def active_jobs(spark):
    """Spark's running jobs."""
    return list(spark[0].context.statusTracker().getActiveJobsIds())


def test_a_study_that_is_given_up_ends_its_writers_and_the_next_one_is_not_disturbed(spark, monkeypatch):
    """w1 is in the middle of its write: no thread, no job and no folder of it is left."""
    before = set(threading.enumerate())
    runs = run_plan(spark[0], replace(HALF, detections=(("direct", BEATS), ("again", BEATS))), between=lambda _: None)
    next(runs)
    with monkeypatch.context() as patched:
        patched.setattr(study, "RUN_S", 0.0)
        with pytest.raises(BackendTimeout, match="expected w1's instant within 0 s"):
            next(runs)
    assert [thread.name for thread in set(threading.enumerate()) - before if "lakeproof-" in thread.name] == []
    deadline = time.monotonic() + END_S
    while active_jobs(spark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert active_jobs(spark) == []
    assert not list(spark[0].location("hudi").glob("study*"))
    (direct,) = run_plan(spark[0], HALF, between=partial(expire, spared=0))
    assert [(each.actor, each.told) for each in direct.tries] == [("w2", EARLY), ("w1", OK), ("w2", OK)]


def test_the_command_measures_it_in_a_session_of_its_own(tmp_path):
    """Table and picture of the live part, beside the simulated one."""
    command = [sys.executable, "-c", SMALL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1000, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "RFC-56 test plan, two writers (live)" in done.stdout
    folder = tmp_path / "runs" / "study" / "hudi-early-detection" / "latest"
    (row,) = csv.DictReader((folder / "live-table.csv").read_text().splitlines())
    assert (row["detection"], row["refusals"], row["files thrown away"]) == ("off", "1", "2")
    assert (folder / "live-chart.png").read_bytes().startswith(b"\x89PNG")
