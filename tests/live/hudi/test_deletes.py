"""DELETE of Spark SQL on the real Hudi 1.2.0, and what it and UPDATE do to rows that somebody else has moved: Spark SQL
without a gate, and what the simulator found, step by step."""

import pyarrow.parquet as parquet
import pytest

from real_backend.hudi.client import Located
from tests.live.hudi.agreement import both, both_at_random, found
from tests.live.hudi.test_merge_on_read import Table as PlayedTable
from tests.live.hudi.test_updates import Table
from tests.unit.hudi.delete_vectors import DELETE_CASES, INDEX, DeletingPlayer

pytestmark = pytest.mark.live
UPDATE = "UPDATE {} SET v = 'w2' WHERE id = 1"
DELETE = "DELETE FROM {} WHERE id = 1"
MERGE = "MERGE INTO {} t USING (SELECT 1 AS id, 'w2' AS x) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.x"
CLUSTER = "CALL run_clustering(table => '{}', op => 'scheduleAndExecute')"
OVERWRITE = "INSERT OVERWRITE {} VALUES (1, 'a'), (2, 'b')"
LOST, UPDATED, DELETED = [(1, "a"), (2, "b")], [(1, "w2"), (2, "b")], [(2, "b")]
OPTIMIZED = "hoodie.spark.sql.optimized.writes.enable"


class DeletingTable(DeletingPlayer, PlayedTable):
    """A table with two rows in one file group, which somebody reads before he changes it."""

    def __init__(self, session, path, case) -> None:
        super().__init__(session, path, case)
        self._indexed = INDEX in case.table
        self._found: dict[str, list[Located]] = {}

    def _look(self, name, keys):
        rows, problem = self._table.rows()
        assert rows is not None, problem
        there = [key for key in keys if key in dict(rows)]
        self._found[name] = []
        for file in self._table.visible("p1"):
            held = parquet.read_table(f"{self._path}/p1/{file.name}", columns=["id"])["id"].to_pylist()
            self._found[name] += [(key, "p1", file.file_id, str(file.instant)) for key in there if key in held]

    def _change(self, name, value):
        client, places, ordering = self._client(), tuple(self._found[name]), len(self.instants)
        self.instants.append(int(client.start(self.action)))
        keys = tuple((key, partition) for key, partition, *_ in places)
        records = tuple((*key, value) for key in keys)
        try:
            if value is None:
                _ = client.delete(keys) if self._indexed else client.delete_located(places)
            elif self._indexed:
                client.upsert(records, ordering)
            else:
                client.upsert_located(records, places, ordering)
            client.commit()
        except Exception as error:
            if "does not exist" not in str(error):
                raise
        client.close()


PLAYED = DELETE_CASES[::6]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case.table}: {case.calls}")
def test_slices_and_rows(spark, tmp_path, case):
    """As `tests/unit/hudi/test_deletes.py`, each sixth case. All of these agreed on 2026-11-28."""
    assert DeletingTable(spark[0], tmp_path / "t", case).play(case.calls) == (case.slices, case.rows)


@pytest.mark.parametrize(
    ("kind", "moved", "statement", "optimized", "rows"),
    [
        ("mor", CLUSTER, DELETE, "true", LOST),
        ("mor", CLUSTER, UPDATE, "true", LOST),
        ("mor", OVERWRITE, DELETE, "true", LOST),
        ("mor", CLUSTER, MERGE, "true", UPDATED),
        ("mor", CLUSTER, DELETE, "false", DELETED),
        ("mor", CLUSTER, UPDATE, "false", UPDATED),
    ],
    ids=["deleted", "updated", "deleted overwritten", "merged", "deleted by index", "updated by index"],
)
def test_one_writer_after_another_writes_to_files_that_are_hidden(
    spark, tmp_path, kind, moved, statement, optimized, rows
):
    """A session that has read the table; another one that clusters or overwrites it; the first one's statement is
    acknowledged, and changes nothing."""
    table = Table(spark, tmp_path, kind)
    first, second = table.session(), table.session()
    second.conf.set(OPTIMIZED, optimized)
    second.sql(f"SELECT * FROM {table.name}").collect()
    first.sql(moved.format(table.name))
    second.sql(statement.format(table.name))
    assert table.rows() == rows


@pytest.mark.parametrize("kind", ["cow", "mor"])
@pytest.mark.parametrize(
    ("statement", "rows"),
    [(UPDATE, [(1, "c"), (1, "w2"), (2, "b")]), (DELETE, [(1, "c"), (2, "b")])],
    ids=["updated", "deleted"],
)
def test_a_row_that_is_deleted_and_inserted_again_is_there_twice(spark, tmp_path, kind, statement, rows):
    """A session that has read the table; another one that deletes a row and inserts it again, into a new file group;
    the first one's UPDATE makes another one of it, and its DELETE leaves it."""
    table = Table(spark, tmp_path, kind)
    first, second = table.session(), table.session()
    second.sql(f"SELECT * FROM {table.name}").collect()
    first.conf.set("hoodie.parquet.small.file.limit", "0")
    first.sql(DELETE.format(table.name))
    first.sql(f"INSERT INTO {table.name} VALUES (1, 'c')")
    second.sql(statement.format(table.name))
    assert sorted(table.rows()) == rows


@pytest.mark.parametrize("statement", [DELETE, UPDATE], ids=["deleted", "updated"])
def test_on_a_copy_on_write_table_it_fails(spark, tmp_path, statement):
    """There the file group has to be there, to be merged with."""
    table = Table(spark, tmp_path, "cow")
    first, second = table.session(), table.session()
    second.sql(f"SELECT * FROM {table.name}").collect()
    first.sql(CLUSTER.format(table.name))
    with pytest.raises(Exception, match="does not exist"):
        second.sql(statement.format(table.name))
    assert table.rows() == LOST


@pytest.mark.parametrize(
    "name",
    [
        "delete-read-first", "delete-retried", "delete-logs-read-first", "delete-logs-clustered",
        "update-logs-clustered", "update-logs-clustered-retried", "update-moved",
    ],
)  # fmt: skip
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows agree."""
    both(hudi, *found(name))


@pytest.mark.parametrize(
    "name",
    [
        "delete-refused", "delete-logs-compact", "delete-logs-log-compact", "delete-clustered", "update-clustered",
        "delete-logs-clustered", "delete-logs-clustered-indexed", "update-logs-clustered-indexed",
    ],
)  # fmt: skip
def test_deletes_agree_at_random(hudi, name):
    """Orders drawn at random: what a live run looks at is what the simulated one does."""
    both_at_random(hudi, name, 3)
