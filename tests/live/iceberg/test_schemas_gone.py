"""A snapshot whose schema an expiry has removed, on the real Iceberg: who reads it, and who is refused."""

import json
from urllib.request import Request, urlopen

import pytest

from real_backend.iceberg.conformance import conform
from real_backend.iceberg.rest_gate import RestGate
from sim.iceberg.statements import AddColumn
from tests.live.iceberg.agreement import both, breaks_alike, workload_of
from tests.live.iceberg.drawn_races import done_in, drawn
from tests.unit.iceberg.schema_vectors import READS
from tests.unit.iceberg.schema_vectors import read_of as reading

pytestmark = pytest.mark.live
NAME = "schemaless"
EACH = 12
NAMED = {
    "a delete": "DELETE FROM {} WHERE id = 1",
    "an update": "UPDATE {} SET v = 'z' WHERE id = 1",
    "a merge": "MERGE INTO {0} t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "its id": "SELECT id FROM {} VERSION AS OF {snapshot}",
    "a tag": "SELECT id FROM {} VERSION AS OF 't'",
    "a time": "SELECT id FROM {} TIMESTAMP AS OF '2100-01-01 00:00:00'",
    "a compaction": "CALL schemaless.system.rewrite_data_files('{}')",
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_who_names_a_snapshot_of_no_schema_is_refused(java, name):
    """And nobody else is."""
    scenario, schedule, refused = reading(name)
    _, live = both(java, scenario, schedule)
    told = live.outcome("w3")
    assert told == ("IllegalStateException: Cannot find schema with schema id 1" if refused else "ok")


def expires_a_schema(work):
    """Whether somebody removes the one that there was before."""
    return AddColumn("y") in done_in(work)


def test_drawn_races_end_alike(java):
    """Some append under a schema that goes, some before or after it."""
    for seed, (schedule, run) in drawn("Java API, REST catalog, specs changed", expires_a_schema, EACH):
        seen = java.run(workload_of(run.scenario), schedule)
        result = conform(run, seen)
        assert result.agrees, f"{seed}: {result}"
        assert breaks_alike(seen, run), seed


def test_spark_changes_no_rows_of_a_head_of_no_schema(spark):
    """It names main's head; who reads the table or a branch, or appends, does not, and then rows are changed again."""
    session = spark[0]
    rest = RestGate(session.jvm, f"file://{session.location(NAME)}")
    session.add_catalog(NAME, {**rest.settings(NAME), "cache-enabled": "false"})
    table = f"{NAME}.db.t"
    session.sql(f"CREATE NAMESPACE {NAME}.db")
    session.sql(f"CREATE TABLE {table} (id INT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='2')")
    session.sql(f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b') AS x(id, v)")
    session.sql(f"ALTER TABLE {table} CREATE TAG t")
    session.sql(f"ALTER TABLE {table} CREATE BRANCH b")
    session.sql(f"ALTER TABLE {table} ADD COLUMN x INT")
    _remove_schema(rest.uri)
    head = rest.table_metadata("db", "t")["current-snapshot-id"]
    for text in NAMED.values():
        run = session.parsed_by_spark if " AS OF " in text else session.sql
        with pytest.raises(Exception, match="Cannot find schema with schema id 0"):
            run(text.format(table, snapshot=head))
    for text in ("SELECT id FROM {}", "SELECT id FROM {} VERSION AS OF 'b'"):
        assert [row[0] for row in session.parsed_by_spark(text.format(table))] == [1, 2]
    session.sql(f"INSERT INTO {table} VALUES (3, 'c', 0)")
    session.sql(f"DELETE FROM {table} WHERE id = 1")
    assert [row[0] for row in session.sql(f"SELECT id FROM {table} ORDER BY id")] == [2, 3]
    rest.close()


def _remove_schema(uri):
    """Ask the server as an expiry does that has not seen what names the schema: the server does not look, either."""
    asked = {"requirements": [], "updates": [{"action": "remove-schemas", "schema-ids": [0]}]}
    headers = {"Content-Type": "application/json", "X-Writer": "w1"}
    request = Request(f"{uri}/v1/namespaces/db/tables/t", json.dumps(asked).encode(), headers)
    urlopen(request).close()
