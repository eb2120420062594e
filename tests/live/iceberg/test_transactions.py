"""Transactions of the real Java API: the document's own test, and every interleaving of two of them."""

from typing import Any

import pytest

from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.conformance import conform
from real_backend.iceberg.exhaustive_java import interleavings
from real_backend.iceberg.java_files import iterate
from real_backend.iceberg.refusals import kind_of
from real_backend.iceberg.rest_gate import YIELD_POINTS
from sim.iceberg.document_test import FILES, played
from sim.iceberg.workload import FORMAT, AddColumn, Append, Copy, DeleteRow, Replace, Scan, SetProperty, Transaction
from sim.search.run import Runner
from tests.live.iceberg.agreement import both, failure_of, kinds, scenario_of, workload_of

pytestmark = pytest.mark.live
ADDED: Any = Append(((3, "x"),))
PAIRS = {
    "append, append": ((ADDED,), (Append(((4, "y"),)),)),
    "append and delete a row, append": ((ADDED, DeleteRow(1)), (Append(((4, "y"),), merge=True),)),
    "replace, replace": ((Replace(1, ((1, "A"),)),), (ADDED, Replace(1, ((1, "B"),)))),
    "copy, copy": ((Copy(1, 2),), (Copy(2, 1),)),
    "copy, copy, serializable": ((Copy(1, 2, "serializable"),), (Copy(2, 1, "serializable"),)),
    "property and append, append and property": (
        (SetProperty("k", "1"), ADDED), (Append(((4, "y"),)), SetProperty("k", "2")),
    ),
    "append and column, append": ((ADDED, AddColumn("c")), (Append(((4, "y"),)),)),
}  # fmt: skip
APART = {"rows": ((1, "a"),), "history": (Append(((2, "b"),)),), "catalog": "java-api"}


def scenario(one, other, **further):
    """Two transactions on a table of two rows, each in a file of its own."""
    return scenario_of({"w1": [Transaction(one, **further)], "w2": [Transaction(other)]}, **APART)


@pytest.mark.parametrize("pair", PAIRS)
def test_model_and_real_transactions_agree_on_every_interleaving(java, pair):
    """Steps, outcomes, lineage and rows; and what the checkers say of it is the same. 20 were counted on 1.11.0."""
    work = scenario(*PAIRS[pair])
    runner = Runner(work, yield_points=YIELD_POINTS)
    seen = set()
    for each in interleavings(java, workload_of(work)):
        run = runner.play(each.schedule.steps)
        result = conform(run, each.run)
        assert result.agrees, f"{each.schedule}{result}; live: {each.run.outcomes}"
        assert failure_of(each.run, work) == run.failure
        seen.add(each.schedule)
    assert len(seen) == 20


def test_transaction_that_validates_from_its_own_snapshot_misses_what_came_before(java):
    """A delete that was committed meanwhile is undone; validated from the beginning, it is refused."""
    schedule = "w1.load w2.load w2.commit w2.load w1.load w1.commit"
    steps: Any = (ADDED, Copy(2, 1))
    cases: Any = (("own", "ok", ((1, "b"), (2, "b"), (3, "x"))), ("begin", "refused", ((2, "b"),)))
    for start, told, rows in cases:
        work = scenario_of({"w1": [Transaction(steps, start=start)], "w2": [DeleteRow(1)]}, **APART)
        _, live = both(java, work, schedule if start == "own" else "w1.load w2.load w2.commit w2.load w1.load w1:end")
        assert (kinds(live)["w1"], live.rows) == (told, rows)


@pytest.mark.parametrize(("at", "second"), [("first", "a"), ("current", "A")])
def test_second_reading_is_of_the_snapshot_or_of_what_is_there(java, at, second):
    """A transaction commits between two readings."""
    work = scenario_of({"w1": [Transaction((Replace(1, ((1, "A"),)),))], "r1": [Scan(2, at)]}, **APART)
    rest = "w1.load w1.load w1.commit" + (" r1.load" if at == "current" else "")
    run, live = both(java, work, f"r1.load {rest}")
    (scan,) = [command for command in live.commands if command.actor == "r1"]
    assert [dict(rows)[1] for rows in scan.seen] == ["a", second]
    assert run.failure == ("snapshot-isolation/G-single" if at == "current" else None)


@pytest.mark.parametrize(
    ("fault", "told", "readable"),
    [("409-before", "ok", True), ("409-after", "refused", False), ("500-after", "state unknown", True)],
)
def test_answers_to_a_transaction(java, fault, told, readable):
    """Applied and called lost, it refuses itself and deletes what is committed; an unknown outcome deletes nothing."""
    steps: Any = (Replace(1, ((1, "A"),), "serializable"), ADDED)
    work = scenario_of({"w1": [Transaction(steps)]}, **APART)
    _, live = both(java, work, f"w1:commit w1.commit!{fault} w1:end")
    assert kinds(live) == {"w1": told}
    assert (live.rows is not None) is readable


def test_the_documents_own_test_on_the_real_library():
    """What upstream's test asserts, on the library, is what the model has seen."""
    with bare_jvm() as jvm:
        iceberg = jvm.iceberg
        catalog = iceberg.inmemory.InMemoryCatalog()
        catalog.initialize("document", jvm.java_map({}))
        identifier = iceberg.catalog.TableIdentifier.parse("db.t")
        catalog.createNamespace(identifier.namespace())
        schema = iceberg.SchemaParser.fromJson(
            '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"}]}'
        )
        unpartitioned = iceberg.PartitionSpec.unpartitioned()
        table = catalog.createTable(identifier, schema, unpartitioned, jvm.java_map({"format-version": "2"}))
        files = {name: _file(iceberg, unpartitioned, name) for name in FILES}
        reader = catalog.loadTable(identifier)
        places = [_location(reader)]

        table.newAppend().appendFile(files["C"]).commit()
        history = [entry.snapshotId() for entry in table.history()]
        places.append(_location(reader))
        transaction = table.newTransaction()
        transaction.newAppend().appendFile(files["A"]).appendFile(files["B"]).commit()
        places.append(_location(reader))
        append = transaction.table().currentSnapshot().snapshotId()
        transaction.newDelete().deleteFile(files["A"]).commit()
        places.append(_location(reader))
        delete = transaction.table().currentSnapshot().snapshotId()
        transaction.commitTransaction()
        places.append(_location(reader))

        assert [places[1] == place for place in places] == [False, True, True, True, False]
        assert int(reader.currentSnapshot().snapshotId()) == delete
        snapshots = [snapshot.snapshotId() for snapshot in reader.snapshots()]
        assert len(snapshots) == len(played().committed.snapshots)
        assert [entry.snapshotId() for entry in reader.history()] == [*history, delete]
        assert append in snapshots
        assert len(list(reader.currentSnapshot().allManifests(reader.io()))) == len(played().statuses(played().delete))
        assert _live(reader) == ["B", "C"]


def _file(iceberg, spec, name):
    made = iceberg.DataFiles.builder(spec).withPath(f"memory:/document/{name}").withFormat("parquet")
    return made.withFileSizeInBytes(10).withRecordCount(1).build()


def _location(table):
    table.refresh()
    return str(table.operations().current().metadataFileLocation())


def _live(table):
    return sorted(str(task.file().location()).rpartition("/")[2] for task in iterate(table.newScan().planFiles()))


def test_a_table_with_two_vectors_of_one_file_cannot_be_scanned(java):
    """Each transaction validates its delete from its own append, so nothing refuses the second vector."""
    one, other = (Transaction((Append(((key, "x"),)), DeleteRow(row)), start="own") for key, row in ((3, 1), (4, 2)))
    two = {"catalog": "java-api", "table_properties": ((FORMAT, "3"),)}
    late: Any = Transaction((Append(((5, "x"),)), DeleteRow(1)))
    work = scenario_of({"w1": [one], "w2": [other, late, Append(((6, "y"),))], "r1": [Scan()]}, **two)
    schedule = "w1.load w2.load w1.load w1.commit w2.load w2.commit w2.load w2.load w2.commit r1.load"
    run, live = both(java, work, schedule)
    assert run.failure == "readable/unreadable-table"
    told = [(command.actor, kind_of(command.outcome)) for command in live.commands]
    assert sorted(told) == [("r1", "refused"), ("w1", "ok"), ("w2", "ok"), ("w2", "ok"), ("w2", "refused")]
