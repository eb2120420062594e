"""`df.writeTo(t).overwrite(condition)` of Spark: which validations it asks for, by its options and no table property.

Source: `SparkWrite.OverwriteByFilter`, `SparkWriteConf.isolationLevel`, `validateFromSnapshotId` of 1.11.0 (Spark 3.5).
"""

import pytest
from pyspark.sql.functions import lit

from real_backend.iceberg.rest_gate import RestGate
from real_backend.iceberg.sql import rows_of

pytestmark = pytest.mark.live
NAME = "frames"
INSERT, DELETE = "INSERT INTO {} VALUES (3, 'c')", "DELETE FROM {} WHERE id = 1"
SERIALIZABLE, SNAPSHOT = {"isolation-level": "serializable"}, {"isolation-level": "snapshot"}

CASES = {
    "none, insert": ({}, False, INSERT, False),
    "none, since, insert": ({}, True, INSERT, False),
    "none, since, delete": ({}, True, DELETE, False),
    "snapshot, since, insert": (SNAPSHOT, True, INSERT, False),
    "snapshot, since, delete": (SNAPSHOT, True, DELETE, True),
    "serializable, since, insert": (SERIALIZABLE, True, INSERT, True),
    "serializable, since, nobody": (SERIALIZABLE, True, "", False),
    "serializable, nobody": (SERIALIZABLE, False, "", True),
}


@pytest.fixture(scope="module")
def world(spark):
    """The session, and a catalog that it has."""
    session = spark[0]
    rest = RestGate(session.jvm, f"file://{session.location(NAME)}")
    session.add_catalog(NAME, {**rest.settings(NAME), "cache-enabled": "false"})
    session.sql(f"CREATE NAMESPACE {NAME}.db")
    yield session, rest
    rest.close()


@pytest.mark.parametrize(("options", "since", "beside", "refused"), CASES.values(), ids=CASES)
def test_what_it_asks_for(world, options, since, beside, refused, request):
    """Nothing without `isolation-level`, though the table says serializable of all else; what came since
    `validate-from-snapshot-id` with it, and without that whatever the table was ever given."""
    session, rest = world
    name = f"t{list(CASES).index(request.node.callspec.id)}"
    table = f"{NAME}.db.{name}"
    session.sql(f"CREATE TABLE {table} (id INT, v STRING) USING iceberg TBLPROPERTIES "
                "('format-version'='2', 'write.delete.mode'='merge-on-read')")  # fmt: skip
    session.sql(f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b') AS x(id, v)")
    head = rest.table_metadata("db", name)["current-snapshot-id"]
    if beside:
        session.sql(beside.format(table))
    frame = session.spark.createDataFrame([(9, "z")], "id INT, v STRING").coalesce(1)
    writer = frame.writeTo(table)
    for name, value in (options | ({"validate-from-snapshot-id": str(head)} if since else {})).items():
        writer = writer.option(name, value)
    told = "ok"
    try:
        writer.overwrite(lit(True))
    except Exception as error:
        told = str(error)
    assert ("ValidationException" in told) is refused, told
    assert ((9, "z") in rows_of(session, table)) is not refused
    assert refused or rows_of(session, table) == ((9, "z"),)
