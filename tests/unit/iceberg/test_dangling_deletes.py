"""A delete file for a data file that is gone: allowed where the file was deleted, a defect where it was rewritten."""

from collections.abc import Sequence

import pytest

from sim.iceberg.left import in_words
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, ChangeRow, DeleteRow, Overwrite, Replace, Statement
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import FirstCome
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


def test_old_deletes_are_dropped_from_one_manifest_a_commit():
    """Two are too old for any data file; the first delete manifest loses its own, the one behind it is not opened."""
    writers: dict[str, Sequence[Statement]] = {"w1": [ChangeRow(1, "A", "none")]}
    history = (DeleteRow(0), DeleteRow(-1), Append(((2, "b"),)))
    rows = ((-1, "z"), (0, "y"), (1, "a"))
    run = Runner(race("x", "", writers, rows=rows, history=history, catalog="java-api")).run(FirstCome())
    left = [words for words in in_words(run.left) or () if words.startswith("delete")]
    assert left == ["delete of 0 in file (-1 = z, 0 = y, 1 = a), number 2"]
