"""A transaction that is applied again, on the real library: what its earlier updates added is listed as too old.

An equality delete deletes rows of files with smaller sequence numbers than its own: of what was there before it. A file
that is committed after the delete, but listed under the number of its transaction's first attempt, loses its rows.
"""

import pytest

from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_files import JavaFiles

pytestmark = pytest.mark.live
IDS = '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"}]}'


@pytest.fixture
def world():
    """A JVM, its files, and what loads its one table anew: one with the row 1."""
    with bare_jvm() as jvm:
        iceberg, files = jvm.iceberg, JavaFiles(jvm)
        catalog = iceberg.inmemory.InMemoryCatalog()
        catalog.initialize("numbers", jvm.java_map({}))
        identifier = iceberg.catalog.TableIdentifier.parse("db.t")
        catalog.createNamespace(identifier.namespace())
        unpartitioned = iceberg.PartitionSpec.unpartitioned()
        catalog.createTable(identifier, files.schema, unpartitioned, jvm.java_map({"format-version": "2"}))
        yield jvm, files, lambda: catalog.loadTable(identifier)


def append(files, maker, io, key):
    """Append a row, to a table or within a transaction."""
    maker.newFastAppend().appendFile(files.data_file(io, "x", ((key, "x"),))).commit()


def delete_where_id_is(jvm, files, table, key):
    """Commit an equality delete of an id, as Flink's upserts make them."""
    iceberg = jvm.iceberg
    schema = iceberg.SchemaParser.fromJson(IDS)
    fields = jvm.gateway.new_array(jvm.gateway.jvm.int, 1)
    fields[0] = 1
    unpartitioned = iceberg.PartitionSpec.unpartitioned()
    factory = iceberg.data.GenericAppenderFactory(files.schema, unpartitioned, fields, schema, None)
    output = table.io().newOutputFile("memory:/data/equality-deletes.parquet")
    output = iceberg.encryption.EncryptedFiles.plainAsEncryptedOutput(output)
    writer = factory.newEqDeleteWriter(output, iceberg.FileFormat.PARQUET, None)
    record = iceberg.data.GenericRecord.create(schema)
    record.setField("id", key)
    writer.write(record)
    writer.close()
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit()


@pytest.mark.parametrize(("updates", "left"), [(1, [1, 3, 5]), (2, [1, 4, 5])])
def test_a_delete_takes_a_row_that_a_transaction_of_two_updates_commits_after_it(world, updates, left):
    """Rows 3 and 4 are appended; meanwhile 5 is, and what there is of 3 is deleted: nothing. Row 3 is lost for good."""
    jvm, files, load = world
    append(files, load(), load().io(), 1)
    table = load()
    transaction = table.newTransaction()
    for key in (3, 4)[:updates]:
        append(files, transaction, table.io(), key)
    append(files, load(), table.io(), 5)
    delete_where_id_is(jvm, files, load(), 3)
    transaction.commitTransaction()
    assert [key for key, _ in files.rows(load())] == left
