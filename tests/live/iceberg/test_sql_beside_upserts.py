"""Spark SQL as it is shipped, beside an upsert by an equality delete as Flink writes it, which comes from the Java API.

A copy-on-write command replaces a data file; a row of it that was upserted meanwhile is there twice afterwards, unless
the command's condition may be of that row.
"""

import threading

import pytest

from real_backend.gating.gate import Gate
from real_backend.gating.play import run_to_end
from real_backend.iceberg.rest_gate import COMMIT, YIELD_POINTS, RestGate
from real_backend.iceberg.sql import rows_of

pytestmark = pytest.mark.live
SETUP, WRITER = "setup_upserts", "w1_upserts"
IDS = '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"}]}'


@pytest.fixture(scope="module")
def world(spark):
    """The session, and a catalog behind a gate, which the session has under two names."""
    session = spark[0]
    rest = RestGate(session.jvm, f"file://{session.location('upserts')}")
    for actor in (SETUP, WRITER):
        session.add_catalog(actor, {**rest.settings(actor), "cache-enabled": "false"})
    session.sql(f"CREATE NAMESPACE {SETUP}.db")
    yield session, rest
    rest.close()


def create(session, table):
    """A table of two rows in one file, without any setting."""
    session.sql(f"CREATE TABLE {SETUP}.{table} (id INT, v STRING) USING iceberg")
    values = "VALUES (1, 'a'), (2, 'b') AS x(id, v)"
    session.sql(f"INSERT INTO {SETUP}.{table} SELECT /*+ COALESCE(1) */ * FROM {values}")


def upsert(jvm, table, key, value):
    """An equality delete of an id, and a new row, in one row delta without validations."""
    iceberg, io, folder = jvm.iceberg, table.io(), f"{table.location()}/data"
    schema, parquet = iceberg.SchemaParser.fromJson(IDS), iceberg.FileFormat.PARQUET
    unpartitioned, fields = iceberg.PartitionSpec.unpartitioned(), jvm.gateway.new_array(jvm.gateway.jvm.int, 1)
    fields[0] = 1
    factory = iceberg.data.GenericAppenderFactory(table.schema(), unpartitioned, fields, schema, None)

    def output(name):
        made = io.newOutputFile(f"{folder}/{name}.parquet")
        return iceberg.encryption.EncryptedFiles.plainAsEncryptedOutput(made)

    deletes = factory.newEqDeleteWriter(output("upsert-deletes"), parquet, None)
    rows = factory.newDataWriter(output("upsert-rows"), parquet, None)
    for writer, of, row in ((deletes, schema, {"id": key}), (rows, table.schema(), {"id": key, "v": value})):
        record = iceberg.data.GenericRecord.create(of)
        for name, field in row.items():
            record.setField(name, field)
        writer.write(record)
        writer.close()
    table.newRowDelta().addDeletes(deletes.toDeleteFile()).addRows(rows.toDataFile()).commit()


@pytest.mark.parametrize(("table", "command", "left"), [
    ("db.updated", "UPDATE {} SET v = 'B' WHERE id = 2", ((1, "A"), (1, "a"), (2, "B"))),
    ("db.deleted", "DELETE FROM {} WHERE id = 2", ((1, "A"), (1, "a"))),
])  # fmt: skip
def test_a_command_with_default_settings_brings_back_a_row_that_was_upserted_meanwhile(world, table, command, left):
    """Copy-on-write, serializable: both are told that they succeeded."""
    session, rest = world
    create(session, table)
    told = []

    def send():
        session.sql(command.format(f"{WRITER}.{table}"))
        told.append("ok")
        gate.finish(WRITER)

    writer = threading.Thread(target=send, daemon=True)
    gate = rest.install(Gate((WRITER,), lambda _: writer.start(), yield_points=YIELD_POINTS), table)
    while (at := gate.await_blocked(WRITER)) is not None and at.operation != COMMIT:
        gate.release(WRITER)
    assert at is not None
    spark3 = session.jvm.iceberg.spark.Spark3Util
    upsert(session.jvm, spark3.loadIcebergTable(session.spark._jsparkSession, f"{SETUP}.{table}"), 1, "A")
    run_to_end(gate, WRITER)
    writer.join(60)
    assert told == ["ok"]
    assert rows_of(session, f"{SETUP}.{table}") == left
