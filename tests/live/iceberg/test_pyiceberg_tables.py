"""PyIceberg 0.12.0 on tables that are not new ones of format 2, outside the simulator: its own SQL catalog on SQLite.

Two clients are two loaded tables; rows that another hand deletes by positions are deleted by `delete_rows`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, ValidationException
from pyiceberg.table import Table

from sim.iceberg.heads import joined
from sim.iceberg.python.calls import SCHEMA, arrow, rows_of
from sim.iceberg.python.row_deltas import delete_rows

pytestmark = [
    pytest.mark.live,
    pytest.mark.filterwarnings("ignore:Delete operation did not match any records"),
]
ROWS = ((1, "a"), (2, "b"))


@pytest.fixture
def catalog(tmp_path: Path) -> SqlCatalog:
    """A catalog without tables."""
    made = SqlCatalog("real", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    made.create_namespace("db")
    return made


def two(catalog: SqlCatalog, version: str = "2", rows: tuple[tuple[int, str], ...] = ROWS) -> tuple[Table, Table]:
    """A new table of this format, as two clients load it."""
    properties = {"commit.retry.min-wait-ms": "1", "format-version": version}
    table = catalog.create_table("db.t", SCHEMA, properties=properties)
    if rows:
        table.append(arrow(rows))
    return catalog.load_table("db.t"), catalog.load_table("db.t")


def content(catalog: SqlCatalog) -> dict[int, str]:
    """The rows, as somebody reads them who loads the table now."""
    return joined(rows_of(catalog.load_table("db.t").scan()))


def delete_by_position(table: Table, key: int) -> None:
    """As another hand does."""
    with table.transaction() as transaction:
        assert delete_rows(transaction, (key,)) == [key]


@pytest.mark.parametrize("further", [False, True])
def test_a_row_that_another_hand_has_deleted_by_position_does_not_come_back(catalog: SqlCatalog, further: bool) -> None:
    """Whether that was in the last commit or in one before."""
    one, other = two(catalog)
    delete_by_position(other, 2)
    if further:
        other.append(arrow(((6, "y"),)))
    with pytest.raises(ValidationException):
        one.overwrite(arrow(((1, "x"),)), "id == 1")
    assert content(catalog) == {1: "a"} | ({6: "y"} if further else {})


def test_a_delete_by_position_of_a_file_that_is_gone_is_refused(catalog: SqlCatalog) -> None:
    """It names the file."""
    one, other = two(catalog)
    one.overwrite(arrow(((1, "x"),)), "id == 1")
    with pytest.raises(ValidationException):
        delete_by_position(other, 2)
    assert content(catalog) == {1: "x", 2: "b"}


def test_of_two_overwrites_of_an_empty_table_the_second_is_refused(catalog: SqlCatalog) -> None:
    """It is validated by all that came since."""
    one, other = two(catalog, rows=())
    one.overwrite(arrow(((1, "x"),)))
    with pytest.raises(ValidationException):
        other.overwrite(arrow(((1, "y"),)))
    assert content(catalog) == {1: "x"}


def test_an_append_that_a_change_of_the_format_overtakes_is_an_error(catalog: SqlCatalog) -> None:
    """Its snapshot has no sequence number; it is not tried again."""
    one, other = two(catalog, "1")
    with other.transaction() as transaction:
        transaction.upgrade_table_version(2)
    with pytest.raises(ValueError, match="older than last sequence number"):
        one.append(arrow(((5, "x"),)))
    assert content(catalog) == dict(ROWS)


@pytest.mark.parametrize("branch", ["b", None])
def test_an_append_beside_one_to_another_branch_or_a_staged_one_is_an_error(
    catalog: SqlCatalog, branch: str | None
) -> None:
    """They assert nothing of each other, and draw one sequence number."""
    one, other = two(catalog)
    if branch:
        snapshot = one.current_snapshot()
        assert snapshot is not None
        one.manage_snapshots().create_branch(snapshot.snapshot_id, branch).commit()
    one, other = catalog.load_table("db.t"), catalog.load_table("db.t")
    other.append(arrow(((6, "y"),)), branch=branch)
    with pytest.raises(ValueError, match="older than last sequence number"):
        one.append(arrow(((5, "x"),)))
    assert content(catalog) == dict(ROWS)


def test_an_expiry_by_age_removes_main_after_a_roll_back_by_time(catalog: SqlCatalog) -> None:
    """As by number: it asserts nothing of refs."""
    one, other = two(catalog)
    first = one.history()[-1].timestamp_ms
    other.append(arrow(((3, "c"),)))
    one, other = catalog.load_table("db.t"), catalog.load_table("db.t")
    head = one.history()[-1].timestamp_ms
    expiry = one.maintenance.expire_snapshots().older_than(datetime.fromtimestamp(head / 1000, UTC))
    other.manage_snapshots().rollback_to_timestamp(first + 1).commit()
    expiry.commit()
    assert content(catalog) == {}


def test_of_two_who_drop_a_column_the_second_is_refused(catalog: SqlCatalog) -> None:
    """It asserts the schema, and is not tried again."""
    one, other = two(catalog)
    with other.update_schema() as update:
        update.delete_column("v")
    with pytest.raises(CommitFailedException), one.update_schema() as update:
        update.delete_column("v")
