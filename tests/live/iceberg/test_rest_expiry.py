"""An expiry over REST asserts nothing about refs: beside a roll-back, or a new tag, it takes away what they point to.

What the client sends is made by the real `UpdateRequirements` of the metadata that it has loaded, and applied by the
real `CatalogHandlers`, which is what REST servers in Java do. Source: `UpdateRequirements.forUpdateTable` of 1.11.0, by
which `RemoveSnapshots` requires the table's uuid alone.
"""

import pytest

from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_files import iterate

pytestmark = pytest.mark.live
SCHEMA = '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"}]}'


@pytest.fixture(scope="module")
def jvm():
    """A bare JVM."""
    with bare_jvm() as started:
        yield started


def expiry_after(jvm, name, meanwhile):
    """A table of two appends; `meanwhile` is done between an expiry's load and its commit. Returns: what is left."""
    iceberg = jvm.iceberg
    catalog, spec = iceberg.inmemory.InMemoryCatalog(), iceberg.PartitionSpec.unpartitioned()
    catalog.initialize(name, jvm.java_map({}))
    table = iceberg.catalog.TableIdentifier.parse("db.t")
    catalog.createNamespace(table.namespace())
    catalog.createTable(table, iceberg.SchemaParser.fromJson(SCHEMA), spec, jvm.java_map({"format-version": "2"}))
    for path in ("a", "b"):
        file = iceberg.DataFiles.builder(spec).withPath(f"memory:/{path}").withFormat("parquet")
        file = file.withFileSizeInBytes(10).withRecordCount(1).build()
        catalog.loadTable(table).newFastAppend().appendFile(file).commit()
    loaded = catalog.loadTable(table)
    oldest = next(iter(loaded.snapshots()))
    base = loaded.operations().current()
    expired = jvm.java.java.util.ArrayList([oldest])
    changes = iceberg.TableMetadata.buildFrom(base).removeSnapshots(expired).build().changes()
    requirements = iceberg.UpdateRequirements.forUpdateTable(base, changes)
    assert [str(each.getClass().getSimpleName()) for each in requirements] == ["AssertTableUUID"]
    meanwhile(catalog.loadTable(table).manageSnapshots(), oldest.snapshotId())
    request = iceberg.rest.requests.UpdateTableRequest(requirements, changes)
    iceberg.rest.CatalogHandlers.updateTable(catalog, table, request)
    return catalog.loadTable(table)


def test_an_expiry_beside_a_roll_back_empties_the_table(jvm):
    """Main pointed at what was expired, and goes with it: the table has no current snapshot, and no rows."""
    left = expiry_after(jvm, "roll-back", lambda manager, oldest: manager.rollbackTo(oldest).commit())
    assert left.currentSnapshot() is None
    assert len(list(left.snapshots())) == 1
    assert not left.newScan().planFiles().iterator().hasNext()


def test_an_expiry_takes_a_new_tag_with_it(jvm):
    """The tag was acknowledged; the rows of main stay."""
    left = expiry_after(jvm, "tag", lambda manager, oldest: manager.createTag("t", oldest).commit())
    assert sorted(map(str, left.refs())) == ["main"]
    assert len(list(iterate(left.newScan().planFiles()))) == 2
