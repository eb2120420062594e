"""What Java is given of gated operations: over REST, also once a transaction has begun that replaces the table."""

import pytest

from real_backend.gating.gate import Gate
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.ops_gate import Snapshots
from real_backend.iceberg.rest_operations import GatedRestOperations

pytestmark = pytest.mark.live


def test_what_java_sees_is_what_was_loaded_last_also_of_a_table_that_is_being_replaced():
    """The client's operations are other ones from then on."""
    with bare_jvm() as jvm:
        iceberg, files = jvm.iceberg, JavaFiles(jvm)
        catalog = iceberg.inmemory.InMemoryCatalog()
        catalog.initialize("gated", jvm.java_map({}))
        name = iceberg.catalog.TableIdentifier.parse("db.t")
        catalog.createNamespace(name.namespace())
        table = catalog.createTable(name, files.schema)
        ungated, known = Gate(()), table.operations()
        gated = GatedRestOperations(jvm, "w1", (catalog, name, False), known, lambda: ungated, Snapshots(0), print)
        base, order = known.current(), iceberg.SortOrder.unsorted()
        gated.replacing(base.buildReplacement(files.schema, files.spec(0), order, base.location(), jvm.java_map({})))
        table.newFastAppend().appendFile(files.data_file(table.io(), "x", ((1, "x"),))).commit()
        assert gated.in_java.current().currentSnapshot() is None
        gated.refresh()
        assert gated.in_java.current().currentSnapshot() is not None
