"""Write ids that are given once, and stay in lists: on histories by hand, and in the database by itself."""

import pytest

from model.hive.cleaning import clean_write_ids
from model.hive.databases import move_records, rename_database
from model.hive.errors import DatabaseExists, NoSuchDatabase
from model.hive.lock_queue import Component
from model.hive.locks import lock
from model.hive.rows import HIVE_LOCKS, NEXT_WRITE_ID, TBLS, TXN_COMPONENTS
from model.hive.rules import FIXED, SHIPPED
from model.hive.tables import create
from model.hive.txns import abort_txn, commit_txn, open_txn, open_txns, snapshot
from model.hive.write_ids import allocate, valid_write_ids
from tests.unit.hive.lab import Lab, T
from tests.unit.hive.told import EMPTY, FREE, ONE, OPEN_1, Told, anomalies, changed

LISTED, ONCE = "lists-have-the-committed", "write-ids-given-once"
UNLISTED, TWICE = ["committed-not-listed"], ["write-id-given-twice"]


def wrote(process, txn, wid, told, table=1):
    """A session writes rows under this write id."""
    return told.note(process, "write", f"at=h1 table=t txn={txn} id={table} wid={wid}")


def reads(told, writes, table=1):
    """Then another one begins, and reads with this list."""
    return told.begin("r1", 9).read("r1", 9, writes, table=table, t1="v1").final(t1="v1")


@pytest.mark.parametrize(
    ("writes", "table", "expected"),
    [(ONE, 1, []), (EMPTY, 1, UNLISTED), (OPEN_1, 1, UNLISTED), ("", 1, []), (EMPTY, 2, [])],
    ids=["listed", "ends before", "left out", "no list", "another table"],
)
def test_a_list_has_what_was_committed_before_its_transaction_began(writes, table, expected):
    """A change of content."""
    assert anomalies(reads(changed(), writes, table), LISTED) == expected


@pytest.mark.parametrize(("how", "expected"), [("commit", UNLISTED), ("abort", []), ("", [])])
def test_a_list_owes_rows_of_those_who_have_committed(how, expected):
    """Rows, which are nothing that a metastore shows."""
    told = wrote("w1", 1, 1, Told().begin("w1", 1))
    if how:
        told.end("w1", 1, how)
    assert anomalies(reads(told, EMPTY), LISTED) == expected


@pytest.mark.parametrize(
    ("second", "expected"), [((2, 1, 1), TWICE), ((2, 2, 1), []), ((1, 1, 1), []), ((2, 1, 2), []), ((2, 0, 1), [])],
    ids=["twice", "two ids", "one transaction", "two tables", "no id"],
)  # fmt: skip
def test_two_transactions_have_two_write_ids_of_a_table(second, expected):
    """Rows and rows."""
    txn, wid, table = second
    told = wrote("w1", 1, 1, Told().begin("w1", 1))
    assert anomalies(wrote("w2", txn, wid, told, table).final(t1="v0"), ONCE) == expected


@pytest.mark.parametrize(("counts", "expected"), [(True, "[2:1]"), (False, "[1:1]")], ids=["counted", "shipped"])
@pytest.mark.parametrize("cleaned", [True, False])
def test_what_is_committed_and_cleaned_stays_in_lists(cleaned, counts, expected):
    """The first transaction has the second write id, and commits; the second one aborts. As shipped, cleaning what is
    known of the first takes it out of every list."""
    lab = Lab(FIXED)
    first, second = lab.sql(open_txn).txn, lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, second, T))
    lab.sql(lambda tx: allocate(tx, first, T))
    lab.sql(lambda tx: commit_txn(tx, FIXED, first))
    lab.sql(lambda tx: abort_txn(tx, second))
    if cleaned:
        lab.sql(lambda tx: clean_write_ids(tx, FIXED))
    now = snapshot(lab.sql(open_txns))
    seen = lab.sql(lambda tx: valid_write_ids(tx, now, T, counts_cleaned=counts))
    assert seen.short == (expected if cleaned else "[2:1]")


@pytest.mark.parametrize("counts", [True, False])
def test_ids_of_later_transactions_end_no_list(counts):
    """A snapshot of before: the later one's id is neither committed nor the end of the list."""
    lab = Lab(FIXED)
    first = lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, first, T))
    early = lab.sql(open_txns)
    later = lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, later, T))
    lab.sql(lambda tx: commit_txn(tx, FIXED, later))
    assert lab.sql(lambda tx: valid_write_ids(tx, snapshot(early), T, counts_cleaned=counts)).short == "[1:1]"


def _written(rules):
    """A database of two tables, one of which somebody has written to and locked."""
    lab = Lab(rules)
    txn = lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, txn, T))
    return lab


def test_a_database_gets_its_name_with_its_tables_and_their_write_ids():
    """As designed: in one transaction, with an event for each table."""
    lab = _written(FIXED)
    events = lab.sql(lambda tx: rename_database(tx, FIXED, "default", "sales"))
    assert [(event.kind, event.name, event.table.name) for event in events] == [
        ("ALTER_TABLE", "default.e", "sales.e"), ("ALTER_TABLE", T, "sales.t")
    ]  # fmt: skip
    assert [name for name, _ in lab.sql(lambda tx: tx.scan(TBLS))] == ["sales.e", "sales.t"]
    assert lab.sql(lambda tx: tx.scan(NEXT_WRITE_ID)) == (("sales.t", 2),)


def test_as_shipped_the_write_ids_alone_get_the_new_name():
    """What `alter_database` of 4.0.1 leaves behind."""
    lab = _written(SHIPPED)
    assert lab.sql(lambda tx: rename_database(tx, SHIPPED, "default", "sales")) == ()
    lab.sql(lambda tx: move_records(tx, "default", "sales"))
    assert [name for name, _ in lab.sql(lambda tx: tx.scan(TBLS))] == ["default.e", T]
    assert lab.sql(lambda tx: tx.scan(NEXT_WRITE_ID)) == (("sales.t", 2),)
    assert not lab.sql(lambda tx: tx.scan(HIVE_LOCKS))


def test_as_shipped_locks_and_what_was_changed_get_the_new_name_and_who_locks_afterwards_keeps_the_old_one():
    """Also without a write id of a name; a writer who has had his before has what he changes under the old name."""
    lab = _written(SHIPPED)
    early, late = (lab.sql(open_txn).txn for _ in "12")
    part = Component("excl-write", T, operation="update")
    lab.sql(lambda tx: lock(tx, SHIPPED, early, (part,)))
    lab.sql(lambda tx: move_records(tx, "default", "sales"))
    assert lab.sql(lambda tx: lock(tx, SHIPPED, late, (part,))).held
    assert [(each.database, each.txn) for _, each in lab.sql(lambda tx: tx.scan(HIVE_LOCKS))] == [
        ("sales", early), ("default", late)
    ]  # fmt: skip
    assert [key[:2] for key, _ in lab.sql(lambda tx: tx.scan(TXN_COMPONENTS))] == [(early, "sales.t"), (late, T)]
    lab.sql(lambda tx: move_records(tx, "default", "retail"))
    assert [key[:2] for key, _ in lab.sql(lambda tx: tx.scan(TXN_COMPONENTS))][1] == (late, "retail.t")


def test_a_database_needs_to_be_there_and_its_new_name_to_be_nobodys():
    """Nothing changes then."""
    lab = _written(FIXED)
    lab.sql(lambda tx: create(tx, "sales.u", (("v", "u0"),), False))
    with pytest.raises(NoSuchDatabase, match="expected one, got none"):
        lab.sql(lambda tx: rename_database(tx, FIXED, "none", "other"))
    with pytest.raises(DatabaseExists, match="expected no database sales, got one"):
        lab.sql(lambda tx: rename_database(tx, FIXED, "default", "sales"))


def test_high_ids_without_any_row_end_at_the_last_one_given():
    """Every transaction was cleaned."""
    lab = Lab(FIXED)
    txn = lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, txn, T))
    lab.sql(lambda tx: commit_txn(tx, FIXED, txn))
    lab.sql(open_txn)
    lab.sql(lambda tx: clean_write_ids(tx, FIXED))
    assert str(lab.sql(lambda tx: valid_write_ids(tx, snapshot(open_txns(tx)), T))) == f"{T}:1:{FREE}::"
