"""MERGE INTO of Spark SQL on the real Hudi 1.2.0, without a gate: what it writes over a deletion in a log file.

One session alone deletes a row of a merge-on-read table, and merges into it what matches no row any more. The index
knows the row by its base file, and a log file is written for it.
"""

import pytest

from tests.live.hudi.test_updates import Table

pytestmark = pytest.mark.live
DELETE = "DELETE FROM {} WHERE id = 1"
MERGE = "MERGE INTO {} t USING (SELECT 1 AS id, 'w' AS x) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET {}"
COMPACT = "CALL run_compaction(op => '{}', table => '{}')"
PARTIAL = "hoodie.spark.sql.merge.into.partial.updates"


def test_a_partial_update_over_a_deletion_cannot_be_read(spark, tmp_path):
    """By default a log file with some columns of the row follows the one that deletes it, and nobody reads the file
    group any more; nor is it compacted."""
    table = Table(spark, tmp_path, "mor")
    session = table.session()
    session.sql(DELETE.format(table.name))
    assert table.rows() == [(2, "b")]
    session.sql(MERGE.format(table.name, "v = s.x"))
    with pytest.raises(Exception, match="NullPointerException"):
        table.rows()
    session.conf.set("hoodie.compact.inline.max.delta.commits", "1")
    session.sql(COMPACT.format("schedule", table.name)).collect()
    with pytest.raises(Exception, match="NullPointerException"):
        session.sql(COMPACT.format("run", table.name)).collect()


@pytest.mark.parametrize(
    ("kind", "partial", "rows"),
    [("cow", "true", [(2, "b")]), ("mor", "false", [(1, "w"), (2, "b")])],
    ids=["copy-on-write", "whole rows"],
)
def test_a_deleted_row_comes_back(spark, tmp_path, kind, partial, rows):
    """Where whole rows are written; on a copy-on-write table nothing is changed."""
    table = Table(spark, tmp_path, kind)
    session = table.session()
    session.conf.set(PARTIAL, partial)
    session.sql(DELETE.format(table.name))
    session.sql(MERGE.format(table.name, "id = s.id, v = s.x"))
    assert table.rows() == rows
