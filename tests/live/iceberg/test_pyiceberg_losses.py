"""The losses of PyIceberg 0.12.0 outside the simulator: its own SQL catalog on SQLite, files in a folder, no gate.

Two clients are two loaded tables; what is done with them in turn is what the smallest schedule says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyarrow.parquet import write_table
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, ValidationException
from pyiceberg.table import Table

from sim.iceberg.heads import joined
from sim.iceberg.python.calls import SCHEMA, arrow, evolve, rows_of

pytestmark = [
    pytest.mark.live,
    pytest.mark.filterwarnings("ignore:Delete operation did not match any records"),
]
NAME = "db.t"


class Misreporting(SqlCatalog):
    """One commit is applied and answered as a conflict, as by something that sends requests again."""

    misreports = 0

    def commit_table(self, *asked: Any) -> Any:
        answer = super().commit_table(*asked)
        if self.misreports:
            self.misreports -= 1
            raise CommitFailedException("409")
        return answer


@pytest.fixture
def catalog(tmp_path: Path) -> Misreporting:
    """A catalog with a table of two rows in one file."""
    made = Misreporting("real", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    made.create_namespace("db")
    table = made.create_table(NAME, SCHEMA, properties={"commit.retry.min-wait-ms": "1"})
    table.append(arrow(((1, "a"), (2, "b"))))
    return made


def content(catalog: SqlCatalog) -> dict[int, str]:
    """The rows, as somebody reads them who loads the table now."""
    return joined(rows_of(catalog.load_table(NAME).scan()))


def two(catalog: SqlCatalog) -> tuple[Table, Table]:
    """The table, as two clients load it."""
    return catalog.load_table(NAME), catalog.load_table(NAME)


def test_two_upserts_of_a_new_row_insert_it_twice(catalog: Misreporting) -> None:
    """And nobody is refused."""
    one, other = two(catalog)
    one.upsert(arrow(((3, "x"),)), join_cols=["id"])
    other.upsert(arrow(((3, "y"),)), join_cols=["id"])
    assert content(catalog) == {1: "a", 2: "b", 3: "x|y"}


def test_of_two_upserts_of_a_row_that_is_there_the_second_is_refused(catalog: Misreporting) -> None:
    """It is validated."""
    one, other = two(catalog)
    one.upsert(arrow(((1, "x"),)), join_cols=["id"])
    with pytest.raises(ValidationException):
        other.upsert(arrow(((1, "y"),)), join_cols=["id"])
    assert content(catalog) == {1: "x", 2: "b"}


@pytest.mark.parametrize("tagged", [False, True])
def test_an_expiry_removes_main_after_a_roll_back_unless_a_tag_keeps_the_snapshot(
    catalog: Misreporting, tagged: bool
) -> None:
    """Both are told of success, and the table is empty."""
    table = catalog.load_table(NAME)
    table.append(arrow(((3, "c"),)))
    back = table.history()[-1].snapshot_id
    if tagged:
        table.manage_snapshots().create_tag(back, "good").commit()
    table.append(arrow(((4, "d"),)))
    one, other = two(catalog)
    kept = {ref.snapshot_id for ref in other.refs().values()}
    old = [each.snapshot_id for each in other.snapshots() if each.snapshot_id not in kept]
    one.manage_snapshots().rollback_to_snapshot(back).commit()
    other.maintenance.expire_snapshots().by_ids(old).commit()
    assert content(catalog) == ({1: "a", 2: "b", 3: "c"} if tagged else {})
    assert (catalog.load_table(NAME).current_snapshot() is None) != tagged


def test_a_delete_that_is_misreported_as_a_conflict_makes_the_table_unreadable(catalog: Misreporting) -> None:
    """With four retries left: one of its two producers has made no snapshot, so it does not find the other's."""
    catalog.misreports = 1
    with pytest.raises(ValidationException, match="Deleted data files were found"):
        catalog.load_table(NAME).delete("id == 1")
    with pytest.raises(FileNotFoundError):
        content(catalog)


def test_an_append_that_is_misreported_as_a_conflict_is_found(catalog: Misreporting) -> None:
    """Its one producer's snapshot is there, and nothing is sent again."""
    catalog.misreports = 1
    catalog.load_table(NAME).append(arrow(((3, "x"),)))
    assert content(catalog) == {1: "a", 2: "b", 3: "x"}


@pytest.mark.parametrize("tagged", [False, True])
def test_a_roll_back_that_tags_the_head_first_takes_an_append_with_it(catalog: Misreporting, tagged: bool) -> None:
    """It asserts the tag in place of main; without a tag it is refused."""
    catalog.load_table(NAME).append(arrow(((3, "c"),)))
    one, other = two(catalog)
    first, head = [entry.snapshot_id for entry in one.history()]
    other.append(arrow(((4, "x"),)))
    manage = one.manage_snapshots()
    if tagged:
        manage.create_tag(head, "before").rollback_to_snapshot(first).commit()
    else:
        with pytest.raises(CommitFailedException, match="branch main has changed"):
            manage.rollback_to_snapshot(first).commit()
    assert content(catalog) == {1: "a", 2: "b"} | ({} if tagged else {3: "c", 4: "x"})


def test_an_expiry_removes_a_tag_that_was_created_meanwhile(catalog: Misreporting) -> None:
    """Both are told of success."""
    catalog.load_table(NAME).append(arrow(((3, "c"),)))
    one, other = two(catalog)
    old = one.history()[0].snapshot_id
    one.manage_snapshots().create_tag(old, "t").commit()
    other.maintenance.expire_snapshots().by_ids([old]).commit()
    left = catalog.load_table(NAME)
    assert list(left.refs()) == ["main"]
    assert left.snapshot_by_id(old) is None


def test_two_that_add_one_file_add_it_twice(catalog: Misreporting, tmp_path: Path) -> None:
    """Whoever begins when it is there is refused."""
    path = f"{tmp_path}/loose.parquet"
    write_table(arrow(((9, "f9"),)), path)
    one, other = two(catalog)
    one.add_files([path])
    other.add_files([path])
    assert content(catalog) == {1: "a", 2: "b", 9: "f9|f9"}
    with pytest.raises(ValueError, match="already referenced"):
        catalog.load_table(NAME).add_files([path])


@pytest.mark.parametrize("refreshed", [False, True])
def test_a_refresh_between_a_scan_and_an_overwrite_hides_what_came_between(
    catalog: Misreporting, refreshed: bool
) -> None:
    """Without it the overwrite is refused."""
    one, other = two(catalog)
    assert len(rows_of(one.scan("id == 1"))) == 1
    other.overwrite(arrow(((1, "y"),)), "id == 1")
    if refreshed:
        one.refresh().overwrite(arrow(((1, "x"),)), "id == 1")
    else:
        with pytest.raises(ValidationException):
            one.overwrite(arrow(((1, "x"),)), "id == 1")
    assert content(catalog) == {1: "x" if refreshed else "y", 2: "b"}


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_transaction_of_two_branches_takes_an_append_with_it_in_format_1(catalog: Misreporting, version: str) -> None:
    """It asserts the first branch alone; in format 2 its sequence numbers are too old, which is an error."""
    made = catalog.create_table("db.other", SCHEMA, properties={"format-version": version})
    made.append(arrow(((1, "a"),)))
    first = made.history()[0].snapshot_id
    made.manage_snapshots().create_branch(first, "b").commit()
    catalog.load_table("db.other").append(arrow(((2, "b"),)))
    transaction = made.transaction()
    transaction.append(arrow(((8, "h"),)), branch="b")
    transaction.append(arrow(((9, "i"),)))
    if version == "1":
        transaction.commit_transaction()
    else:
        with pytest.raises(ValueError, match="older than last sequence number"):
            transaction.commit_transaction()
    left = joined(rows_of(catalog.load_table("db.other").scan()))
    assert left == ({1: "a", 9: "i"} if version == "1" else {1: "a", 2: "b"})


@pytest.mark.parametrize(
    ("then", "found"), [("truncate[4]", {}), ("bucket[4]", {}), ("", {5: "x"})], ids=["truncate", "bucket", "none"]
)
def test_an_append_that_is_tried_again_after_a_change_of_the_spec_is_hidden_from_filters(
    catalog: Misreporting, then: str, found: dict[int, str]
) -> None:
    """Unless the partitions were given up; a delete of its row leaves it. Who reads all has it."""
    _evolved(catalog.load_table(NAME), "identity")
    one, other = two(catalog)
    other.append(arrow(((9, "y"),)))
    _evolved(other, then)
    one.append(arrow(((5, "x"),)))
    assert content(catalog) == {1: "a", 2: "b", 5: "x", 9: "y"}
    table = catalog.load_table(NAME)
    assert joined(rows_of(table.scan("id == 5"))) == found
    table.delete("id == 5")
    assert content(catalog).get(5) == (None if found else "x")


def _evolved(table: Table, transform: str) -> None:
    with table.transaction() as transaction:
        evolve(transaction, transform)
