"""Campaigns on Spark: the same slices as in one process, whatever dies on the way."""

import os
import signal
import subprocess
import sys

import pytest

from real_backend.pipeline.folder import opened
from tests.live.pipeline.campaigns import plan
from tests.unit.real_backend.pipeline.generators import KILLS_ITS_WORKER, MARK, TILL

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]


def campaign(path, master, generator=TILL, *more, **environment):
    """Run it. Returns: how its process ended."""
    command = [sys.executable, "-m", "tests.live.pipeline.campaigns", str(path), master, generator, *more]
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    return subprocess.run(command, env={**os.environ, **environment}, timeout=500, check=False).returncode


def digests(path):
    """What each slice gave, by its seeds; none is there twice."""
    rows = opened(path).read("slices").to_pylist()
    assert len(rows) == len({row["slice"] for row in rows}) == len(list(plan(TILL).slices()))
    return {(row["configuration"], row["seed_lo"]): row["digest"] for row in rows}


def contents(path, table):
    """The rows of a table without what is measured or depends on the wave."""
    rows = opened(path).read(table).drop_columns(["wave"]).to_pylist()
    return sorted(str({**row, "cpu_s": 0}) for row in rows)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The campaign in one process."""
    path = tmp_path_factory.mktemp("campaigns") / "whole"
    assert campaign(path, "process") == 0
    return path


def test_spark_gives_the_rows_that_one_process_gives(whole, tmp_path):
    """Every table has the same rows, slice by slice."""
    assert campaign(tmp_path / "c", "local[2]") == 0
    assert digests(tmp_path / "c") == digests(whole)
    for table in ("runs", "failures", "coverage"):
        assert contents(tmp_path / "c", table) == contents(whole, table)


def test_a_cluster_whose_worker_is_killed_loses_and_doubles_nothing(whole, tmp_path):
    """A Python worker ends in mid-wave: its slice is run again, and the rows are those of one process."""
    mark = tmp_path / "killed"
    assert campaign(tmp_path / "c", "local-cluster[2,1,1024]", KILLS_ITS_WORKER, **{MARK: str(mark)}) == 0
    assert mark.exists()
    assert digests(tmp_path / "c") == digests(whole)
    assert len(contents(tmp_path / "c", "runs")) == len(contents(whole, "runs"))


def test_a_driver_killed_between_waves_loses_and_doubles_nothing(whole, tmp_path):
    """What is kept after the kill stays, and the rest is run when the campaign goes on, even on another engine."""
    assert campaign(tmp_path / "c", "local[2]", TILL, "1") == -signal.SIGKILL
    kept = opened(tmp_path / "c")
    assert kept.waves() == [1]
    before = kept.keys()
    assert 0 < len(before) < len(list(plan(TILL).slices()))
    assert campaign(tmp_path / "c", "process") == 0
    assert before == set(opened(tmp_path / "c").manifest(1)["slices"])
    assert digests(tmp_path / "c") == digests(whole)
