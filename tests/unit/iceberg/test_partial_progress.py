"""Spark's `rewrite_data_files` in several commits: which are made, which are passed over, and what the call is told."""

import pytest

from sim.iceberg.sql_statements import RewriteInCommits, sql_text
from tests.mutants.iceberg_partial_progress import PARTIAL_PROGRESS
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.partial_progress_vectors import BY_NAME, VECTORS
from tests.unit.iceberg.sql_spec_vectors import run

MUTANTS = {mutant.name: mutant for mutant in PARTIAL_PROGRESS}


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(name):
    """Outcomes, rows, and how many files each manifest has."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    assert spared(MUTANTS[name], VECTORS, run) == []


@pytest.mark.parametrize(("failed", "further"), [(None, ""), (0, ", 'partial-progress.max-failed-commits', '0'")])
def test_a_rewrite_in_commits_has_the_text_that_spark_is_sent(failed, further):
    """How many may fail is said where it is asked for."""
    said = (
        "'rewrite-all', 'true', 'partial-progress.enabled', 'true', 'partial-progress.max-commits', '3'"
        f"{further}, 'max-concurrent-file-group-rewrites', '1', 'rewrite-job-order', 'files-asc'"
    )
    text = f"CALL c.system.rewrite_data_files(table => 'db.t', options => map({said}))"
    assert sql_text(RewriteInCommits(3, failed), "c.db.t") == text
