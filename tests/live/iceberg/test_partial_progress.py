"""Spark's `rewrite_data_files` in several commits, on the real Iceberg."""

import shutil
from pathlib import Path

import pytest

from sim.iceberg.built_in.partial_progress import PARTIAL_PROGRESS
from tests.live.iceberg.agreement import both, workload_of
from tests.unit.iceberg.partial_progress_vectors import BY_NAME
from tests.unit.iceberg.sql_spec_vectors import scenario_of

pytestmark = pytest.mark.live
HELD = [scenario for scenario in PARTIAL_PROGRESS if scenario.broken is None and scenario.live is not None]


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(sql, name):
    """Outcomes, rows, and how many files each manifest has."""
    vector = BY_NAME[name]
    _, seen = both(sql, scenario_of(vector), vector["schedule"])
    assert list(seen.left) == vector["expect"]["left"]


@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike(sql, scenario):
    """The other one is done between two commits."""
    both(sql, scenario, "w1.load w1.load w1.load w1.commit w2:end w1:end")


def test_files_of_a_commit_that_is_given_up_stay(sql, monkeypatch):
    """apache/iceberg#17202: the call succeeds, the table has three data files, and one more is there."""
    there = []

    remove = shutil.rmtree

    def noted(folder: Path, *, ignore_errors: bool) -> None:
        there.extend(sorted(Path(folder).rglob("*.parquet")))
        remove(folder, ignore_errors=ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", noted)
    vector = BY_NAME["start-expired"]
    seen = sql.run(workload_of(scenario_of(vector)), vector["schedule"])
    assert seen.outcome("w1") == "ok"
    assert len(there) == 4
    assert vector["expect"]["left"] == list(seen.left)
