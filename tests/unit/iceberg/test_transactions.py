"""Transactions: the rules that no vector shows by itself."""

import pytest

from model.iceberg.append import FastAppend
from model.iceberg.errors import CommitFailed, InvalidOperation, StorageFailed
from model.iceberg.files import data_file
from model.iceberg.tables import create_table, open_table
from model.iceberg.transaction import Transaction
from model.iceberg.update_schema import UpdateSchema
from model.iceberg.updates import UpdateProperties
from tests.unit.iceberg.direct_world import Services, actor

ROWS = ((1, "a"), (2, "b"))
FILE = data_file("t/data/x", ((3, "x"),))


def table_of(services, name="w1", number=1, plan=None):
    return open_table(actor(services, name, number, plan), "t", catalog="java-api")


@pytest.fixture
def services():
    """A table of two rows."""
    made = Services()
    create_table(actor(made, "setup", 0), "t", ROWS, catalog="java-api")
    return made


class Naming:
    """An update that notes a file for deletion and changes the metadata."""

    def __init__(self, table, path) -> None:
        self._table, self._path = table, path

    def commit(self):
        self._table.files.delete(self._path)
        base = self._table.ops.refresh()
        self._table.ops.commit(base._replace(columns=(*base.columns, "c")))


def appended(services, plan=None):
    """A transaction with one append that is applied, and its table."""
    table = table_of(services, plan=plan)
    transaction = Transaction(table)
    update = FastAppend(transaction.table()).append_file(FILE)
    transaction.add(update)
    update.commit()
    return transaction, table


def test_what_an_update_has_made_is_seen_inside_only(services):
    """The next update of the transaction is made on it; who loads the table does not meet it."""
    transaction, _ = appended(services)
    assert len(transaction.table().metadata.snapshots) == 2
    assert len(table_of(services, "r1", 9).ops.refresh().snapshots) == 1


def test_what_an_earlier_update_added_keeps_the_number_of_the_first_attempt(services):
    """Applied again after another commit, its snapshot is number 3, its file number 2. Source: 1.11.0, live."""
    transaction, table = appended(services)
    second = FastAppend(transaction.table()).append_file(data_file("t/data/y", ((4, "y"),)))
    transaction.add(second)
    second.commit()
    FastAppend(table_of(services, "w2", 2)).append_file(data_file("t/data/z", ((5, "z"),))).commit()
    transaction.commit()
    assert [each.sequence_number for each in table.metadata.snapshots] == [1, 2, 3, 4]
    manifests = table.files.manifests(table.metadata.current)
    assert [manifest.sequence_number for manifest in manifests] == [4, 2, 2, 1]


def test_a_file_that_was_noted_and_is_committed_stays(services):
    """A manifest that one update did not need may be one that is committed all the same."""
    transaction, _ = appended(services)
    (manifest, _) = transaction.table().files.manifests(transaction.current.current)
    for path in (manifest.path, "t/metadata/unused"):
        services.objects.setdefault(path, ())
        update = Naming(transaction.table(), path)
        transaction.add(update)
        update.commit()
    assert transaction.deleted == (manifest.path, "t/metadata/unused")
    transaction.commit()
    assert services.deleted == ["t/metadata/unused"]


def test_nothing_is_deleted_if_the_table_does_not_have_the_snapshots(services):
    """A read that is behind says nothing about what was committed. Source: 1.11.0, `committedFiles` returns null."""
    transaction, table = appended(services)
    old = table.metadata
    update = Naming(transaction.table(), "t/metadata/unused")
    transaction.add(update)
    update.commit()
    behind = type("Behind", (), {"refresh": lambda _: old, "commit": lambda *_: None, "current": old})
    table.ops = behind()
    transaction.commit()
    assert services.deleted == []
    assert services.coverage["iceberg: clean-up skipped, snapshot not found"] == 1


def test_a_committed_transaction_stands_whatever_its_clean_up_meets(services):
    """The manifest list cannot be read: nothing is deleted, and nobody is told."""
    plan: dict[tuple[str, int], str] = {}
    transaction, _ = appended(services, plan)
    update = Naming(transaction.table(), "t/metadata/unused")
    transaction.add(update)
    update.commit()
    plan["get", 2] = "500-before"
    transaction.commit()
    assert services.deleted == []
    assert services.coverage["iceberg: clean-up failed, commit stands"] == 1


def test_an_update_that_the_store_fails_leaves_all_files(services):
    """Applied again, its list cannot be written: that is not cleanable."""
    plan: dict[tuple[str, int], str] = {}
    transaction, _ = appended(services, plan)
    FastAppend(table_of(services, "w2", 2)).append_file(data_file("t/data/y", ((4, "y"),))).commit()
    plan["put", 3] = "500-before"
    with pytest.raises(StorageFailed):
        transaction.commit()
    assert services.deleted == []


def test_properties_are_set_on_whatever_is_there(services):
    """A lost race is tried again, and other properties stay; without retries it is lost."""
    one, other = table_of(services), table_of(services, "w2", 2)
    for table, plan in ((one, "k"), (other, "l")):
        UpdateProperties(table).set(plan, "1").commit()
    assert dict(other.ops.refresh().properties.further) == {"k": "1", "l": "1"}
    lost = {("commit", number): "409-before" for number in range(1, 6)}
    with pytest.raises(CommitFailed):
        UpdateProperties(table_of(services, "w3", 3, lost)).set("k", "2").commit()


def test_a_column_is_added_once(services):
    """Neither one that the table has, nor one that the update adds already."""
    update = UpdateSchema(table_of(services)).add_column("c")
    for name in ("c", "id"):
        with pytest.raises(InvalidOperation):
            update.add_column(name)
    update.commit()
    assert table_of(services, "r1", 9).ops.refresh().columns == ("id", "v", "c")
