"""The losses of PyIceberg 0.12.0 in branches, outside the simulator: its own SQL catalog on SQLite, files in a folder.

Two clients are two loaded tables; what is done with them in turn is what the smallest schedule says.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pyarrow.parquet import write_table
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import ValidationException
from pyiceberg.table import Table
from pyiceberg.table.refs import SnapshotRefType

from sim.iceberg.heads import joined
from sim.iceberg.python.calls import SCHEMA, arrow, rows_in

pytestmark = [
    pytest.mark.live,
    pytest.mark.filterwarnings("ignore:Delete operation did not match any records"),
]
NAME, B = "db.t", "b"


@pytest.fixture
def catalog(tmp_path: Path) -> SqlCatalog:
    """A catalog with a table of two rows, each in a file of its own."""
    made = SqlCatalog("real", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    made.create_namespace("db")
    table = made.create_table(NAME, SCHEMA, properties={"commit.retry.min-wait-ms": "1"})
    table.append(arrow(((1, "a"),)))
    table.append(arrow(((2, "b"),)))
    return made


def branched(catalog: SqlCatalog) -> tuple[Table, Table]:
    """The table with a branch at main's head, as two clients load it."""
    table = catalog.load_table(NAME)
    table.manage_snapshots().create_branch(head(table), B).commit()
    return catalog.load_table(NAME), catalog.load_table(NAME)


def head(table: Table) -> int:
    """The snapshot that main is at."""
    snapshot = table.current_snapshot()
    assert snapshot is not None
    return snapshot.snapshot_id


def content(catalog: SqlCatalog, branch: str = B) -> dict[int, str]:
    """The rows of a branch, as somebody reads them who loads the table now."""
    return joined(rows_in(catalog.load_table(NAME), branch))


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside"])
def test_a_change_brings_a_removed_branch_back(catalog: SqlCatalog, beside: bool) -> None:
    """With its own row alone; it is refused where its file has another row."""
    if beside:
        catalog.load_table(NAME).overwrite(arrow(((1, "a"), (2, "b"))))
    one, other = branched(catalog)
    other.manage_snapshots().remove_branch(B).commit()
    if beside:
        with pytest.raises(ValidationException, match="Missing required files to delete"):
            one.overwrite(arrow(((1, "x"),)), "id == 1", branch=B)
    else:
        one.overwrite(arrow(((1, "x"),)), "id == 1", branch=B)
    assert content(catalog) == ({} if beside else {1: "x"})


def test_a_transaction_of_two_branches_brings_a_removed_one_back(catalog: SqlCatalog) -> None:
    """It asserts main alone."""
    one, other = branched(catalog)
    other.manage_snapshots().remove_branch(B).commit()
    with one.transaction() as transaction:
        transaction.append(arrow(((3, "x"),)))
        transaction.append(arrow(((4, "y"),)), branch=B)
    assert content(catalog) == {1: "a", 2: "b", 4: "y"}


def test_a_transaction_validates_the_branch_of_its_first_part_alone(catalog: SqlCatalog) -> None:
    """Its delete in the other one finds nothing, and the changed row stays."""
    one, other = branched(catalog)
    other.overwrite(arrow(((1, "z"),)), "id == 1", branch=B)
    other.append(arrow(((5, "z"),)))
    with one.transaction() as transaction:
        transaction.append(arrow(((3, "x"),)))
        transaction.delete("id == 1", branch=B)
    assert content(catalog) == {1: "z", 2: "b"}
    assert content(catalog, "main") == {1: "a", 2: "b", 3: "x", 5: "z"}


def test_an_upsert_to_a_branch_that_is_not_there_looks_in_main(catalog: SqlCatalog) -> None:
    """The row is there as it is to be, and is written nowhere; another one is."""
    done = catalog.load_table(NAME).upsert(arrow(((1, "a"), (2, "y"))), join_cols=["id"], branch=B)
    assert (done.rows_updated, done.rows_inserted) == (1, 0)
    assert content(catalog) == {2: "y"}


def test_a_file_that_a_branch_has_is_added_to_it_again(catalog: SqlCatalog, tmp_path: Path) -> None:
    """Nobody is refused; one that main has is."""
    table, _ = branched(catalog)
    path = f"{tmp_path}/loose.parquet"
    write_table(arrow(((9, "f"),)), path)
    table.add_files([path], branch=B)
    table.add_files([path], branch=B)
    assert content(catalog) == {1: "a", 2: "b", 9: "f|f"}
    table.add_files([path])
    with pytest.raises(ValueError, match="already referenced by table"):
        table.add_files([path], branch="c")


def test_an_append_makes_a_branch_of_a_tag(catalog: SqlCatalog) -> None:
    """The tag was acknowledged, and is refused to nobody who has loaded the branch before."""
    one, other = branched(catalog)
    other.manage_snapshots().remove_branch(B).commit()
    other.manage_snapshots().create_tag(head(other), B).commit()
    with pytest.raises(ValueError, match="b is a tag"):
        catalog.load_table(NAME).append(arrow(((4, "y"),)), branch=B)
    one.append(arrow(((4, "y"),)), branch=B)
    assert catalog.load_table(NAME).metadata.refs[B].snapshot_ref_type == SnapshotRefType.BRANCH
    assert content(catalog) == {1: "a", 2: "b", 4: "y"}


def test_who_writes_to_another_branch_is_refused_by_an_error_that_is_not_tried_again(catalog: SqlCatalog) -> None:
    """In format 2; nothing was written, but its files stay."""
    one, other = branched(catalog)
    other.append(arrow(((3, "x"),)))
    with pytest.raises(ValueError, match="older than last sequence number"):
        one.append(arrow(((4, "y"),)), branch=B)
    assert content(catalog) == {1: "a", 2: "b"}


def test_a_write_to_a_branch_takes_back_what_it_says_it_keeps(catalog: SqlCatalog) -> None:
    """No race at all (iceberg-python#3770)."""
    table = catalog.load_table(NAME)
    table.manage_snapshots().create_branch(head(table), B, min_snapshots_to_keep=5).commit()
    assert catalog.load_table(NAME).metadata.refs[B].min_snapshots_to_keep == 5
    table.append(arrow(((4, "y"),)), branch=B)
    assert catalog.load_table(NAME).metadata.refs[B].min_snapshots_to_keep is None
