"""Deletion vectors that share a file are told apart, and a merging commit looks for its snapshot once more."""

from collections.abc import Sequence

import pytest

from sim.iceberg.built_in.vector import SHARED, THREE
from sim.iceberg.left import in_words
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import (
    Append,
    Delete,
    DeleteRow,
    Insert,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    Statement,
    Update,
)
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.search.strategies import FirstCome


def left_by(*statements: Statement, **table):
    """What one writer leaves of a table of format 3, and its rows."""
    scenario = race("x", "", {"w1": statements}, table_properties=THREE, properties=("readable",), **table)
    run = Runner(scenario).run(FirstCome())
    assert run.failure is None
    final = next(each for each in run.events if each.process == "r-final" and each.type == "ok")
    files = [words for words in in_words(run.left) or () if "delete of" in words]
    return files, {read.key: read.value for read in final.reads if read.value is not None}


def test_two_vectors_of_one_file_are_removed_one_by_one():
    """The second delete takes over the first vector of row 1's file, and leaves the one beside it."""
    files, rows = left_by(DeleteRow(2), catalog="java-api", history=SHARED)
    assert files == [
        "delete of 1, 2 in file (1 = a, 2 = b), number 4",
        "delete of 3 in file (3 = c, 4 = d), number 3",
    ]
    assert rows == {"row:4": "d"}


def test_a_merge_of_spark_writes_its_vectors_into_one_file():
    """A second one of both data files takes over both."""
    two = (Insert(((3, "c"), (4, "d"))),)
    files, rows = left_by(Merge(((1, "x"), (3, "y"))), Merge(((2, "z"), (4, "w"))), history=two)
    assert [words for words in files if "1 = a" in words or "3 = c" in words] == [
        "delete of 1, 2 in file (1 = a, 2 = b), number 4",
        "delete of 3, 4 in file (3 = c, 4 = d), number 4",
    ]
    assert rows == {"row:1": "x", "row:2": "z", "row:3": "y", "row:4": "w"}


def test_a_file_of_vectors_that_was_written_for_nothing_is_deleted_once():
    """The second MERGE is refused, and cleans up after itself."""
    writers: dict[str, Sequence[Statement]] = {
        "w1": [Merge(((1, "x"), (3, "y")), "delete", inserts=False)], "w2": [Merge(((2, "z"), (4, "w")))],
    }  # fmt: skip
    scenario = race("x", "", writers, table_properties=THREE, history=(Insert(((3, "c"), (4, "d"))),))
    run = Runner(scenario, yield_points=("load", "commit")).play(steps_of("w1:commit w2:end w1:end"))
    assert run.failure is None
    assert len([row for row in run.trace if row[2] == "delete" and str(row[3]).endswith("-deletes")]) == 1


def test_sparks_compaction_names_the_vectors_of_its_files():
    """They are in two manifests, of which a commit that names none opens one."""
    files, rows = left_by(Update(1, "x"), Update(1, "y"), RewriteDataFiles())
    assert files == []
    assert rows == {"row:1": "y", "row:2": "b"}


@pytest.mark.parametrize(("statement", "loads"), [(DeleteRow(1), 2), (Append(((3, "x"),)), 1)])
def test_a_merging_commit_whose_snapshot_is_gone_looks_for_it_once_more(statement, loads):
    """It has expired before its client loads the table to clean up and to tell listeners; a fast append looks once."""
    writers: dict[str, Sequence[Statement]] = {"w1": [statement], "w2": [Append(((4, "y"),)), Expire(1)]}
    scenario = race("x", "", writers, catalog="java-api", properties=("readable",))
    run = Runner(scenario, yield_points=("load", "commit")).play(steps_of("w1.load w1.commit w2:end w1:end"))
    steps = [(row[1], row[2]) for row in run.trace if row[2] in ("load", "commit")]
    last = max(place for place, step in enumerate(steps) if step[0] == "w2")
    assert steps[last + 1 :][:loads] == [("w1", "load")] * loads


def test_a_delete_of_sql_leaves_one_vector_a_data_file():
    """The second DELETE of one writer merges the first one's vector into its own."""
    files, rows = left_by(Delete(1), Delete(2))
    assert files == ["delete of 1, 2 in file (1 = a, 2 = b), number 3"]
    assert rows == {}


TWO_FILES = (Insert(((3, "c"), (4, "d"))),)
BOTH, REST = Merge(((1, "x"), (3, "y"))), Merge(((2, "z"), (4, "w")))
"""Each deletes of both data files; the second takes over the first one's vectors."""


def test_a_file_that_vectors_share_is_no_orphan():
    """It is the file that must be known by its name, not the vectors in it."""
    files, rows = left_by(BOTH, RemoveOrphanFiles(), history=TWO_FILES)
    assert len(files) == 2
    assert rows == {"row:1": "x", "row:2": "b", "row:3": "y", "row:4": "d"}


def test_sparks_expiry_deletes_a_file_whose_vectors_have_all_gone():
    """Once, as one file."""
    writers: dict[str, Sequence[Statement]] = {"w1": [BOTH, REST, Expire(1)]}
    scenario = race("x", "", writers, table_properties=THREE, history=TWO_FILES, properties=("readable",))
    run = Runner(scenario).run(FirstCome())
    assert run.failure is None
    assert len([row for row in run.trace if row[2] == "delete" and str(row[3]).endswith("-deletes")]) == 1
