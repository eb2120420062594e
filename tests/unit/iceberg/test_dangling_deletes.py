"""A delete file for a data file that is gone: allowed where the file was deleted, a defect where it was rewritten."""

from collections.abc import Sequence

import pytest

from sim.iceberg.scenarios import race
from sim.iceberg.workload import DeleteRow, Overwrite, Replace, Statement
from sim.search.explore import exhaustive
from tests.mutants.iceberg import BY_NAME


@pytest.mark.parametrize("history", [(), (DeleteRow(2),)], ids=["one row", "another row deleted"])
def test_rows_of_a_deleted_file_may_be_deleted_again(history):
    """Whoever deletes a row whose file another commit has deleted changes nothing."""
    rows = ((1, "a"), (2, "b"))[: 1 + len(history)]
    writers: dict[str, Sequence[Statement]] = {"w1": [Replace(1, ())], "w2": [DeleteRow(1)]}
    result = exhaustive(race("x", "", writers, rows=rows, history=history, catalog="java-api"))
    assert result.complete
    assert "table-invariants/dangling-delete" not in result.failures


def test_a_delete_for_a_rewritten_file_is_a_defect():
    """It would bring the row back: without the check for files that exist it is seen."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Overwrite(((1, "B"),))], "w2": [DeleteRow(1)]}
    scenario = race("x", "", writers, rows=((1, "a"),), catalog="java-api", properties=("table-invariants",))
    with BY_NAME["no-data-files-exist-check"].alive():
        assert "table-invariants/dangling-delete" in exhaustive(scenario).failures
