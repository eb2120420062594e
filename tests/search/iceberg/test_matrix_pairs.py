"""Which pairs of the matrix have a race, why others have none, and what comes of those that stand on few tables."""

from collections.abc import Iterator
from itertools import product

import pytest

from sim.iceberg.managed_matrix import FULL, REPLACED
from sim.iceberg.matrix import MATRIX
from sim.iceberg.matrix_reasons import CREATED, DROPPED, NO_DELETES, NOT_ALONE
from sim.search.matrix import BROKEN, COLUMN, OK, REFUSED, ROW, Place, judged, kinds
from tests.mutants.iceberg import BY_NAME

NONE = {
    *product(("create-table", "create-or-replace"), ("rename-table",)),
    *product(("rename-table",), ("create-table", "create-or-replace")),
    ("drop-column", "rename-column"), ("rename-column", "drop-column"),
}  # fmt: skip
"""Ordered pairs that have no race on any table."""


def of(place: Place) -> frozenset[str]:
    """What a cell comes to."""
    scenario = MATRIX.scenario(place)
    assert scenario is not None
    return kinds(judged(scenario))


def on(version: str, row: str, column: str) -> Iterator[str]:
    """The tables that two operations are on."""
    places = (Place(version, table, "none", row, column) for table in MATRIX.tables)
    return (place.table for place in places if MATRIX.scenario(place) is not None)


@pytest.mark.parametrize("version", MATRIX.formats)
def test_every_pair_stands_on_a_table_but_for_six(version: str) -> None:
    """In each format, in both orders."""
    found = {pair for pair in product(MATRIX.operations, repeat=2) if next(on(version, *pair), None) is None}
    assert found == NONE


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (Place("2", "file-a-row", "none", "create-table", "rename-table"), CREATED),
        (Place("2", FULL, "none", "drop-column", "rename-column"), DROPPED),
        (Place("1", "with-delete", "none", "append", "change"), NO_DELETES),
        (Place("2", "one-file", "none", "delete-file", "append"), NOT_ALONE),
        (Place("2", "file-a-row", "none", "expire-age", "remove-branch"), "played on full"),
        (Place("2", FULL, "none", "pick-replacement", "append"), "played on staged-replacement"),
        (Place("2", "file-a-row", "none", "append", "change"), ""),
    ],
)
def test_a_cell_without_a_race_says_why(place: Place, said: str) -> None:
    """Or on which tables it has one."""
    assert MATRIX.without(place) == said


@pytest.mark.parametrize("column", ["delete-row", "delete-another", "delete-where", "upsert"])
def test_format_1_refuses_delete_files_in_the_cell(column: str) -> None:
    """Whatever is beside them; what is there stays. Source: `MergingSnapshotProducer.validateDeleteFileForVersion`."""
    assert of(Place("1", "file-a-row", "serializable", "append", column)) == {COLUMN}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("1", "file-a-row", "snapshot", "change", "change"), {ROW, COLUMN}),
        (Place("1", "file-a-row", "none", "change", "change"), {BROKEN}),
        (Place("1", "file-a-row", "serializable", "overwrite-files", "append"), {OK, ROW}),
        (Place("1", "aged", "snapshot", "transaction", "roll-back-time"), {OK, BROKEN}),
        (Place("2", "file-a-row", "none", "append-once", "append-once"), {ROW, COLUMN}),
        (Place("2", "file-a-row", "none", "append-once", "append"), {OK}),
        (Place("2", "file-a-row", "none", "overwrite-where", "overwrite-where"), {OK}),
        (Place("2", "one-file", "none", "overwrite-where", "append"), {ROW}),
        (Place("2", "managed", "none", "rename-branch", "rename-branch"), {ROW, COLUMN}),
        (Place("2", "managed", "none", "rename-branch", "append"), {OK, ROW}),
        (Place("2", "file-a-row", "none", "tag-and-roll-back", "append"), {OK, ROW}),
        (Place("2", REPLACED, "none", "pick-replacement", "append"), {OK, ROW}),
        (Place("2", FULL, "none", "field", "field"), {ROW, COLUMN}),
        (Place("2", "managed", "none", "rename-column", "widen-column"), {ROW, COLUMN}),
        (Place("2", "managed", "none", "no-property", "move-column"), {OK}),
        (Place("2", "file-a-row", "none", "spec", "roll-back"), {OK, ROW}),
        (Place("2", "file-a-row", "none", "rename-table", "rename-table"), {ROW, COLUMN}),
    ],
)
def test_cells_of_new_pairs_are_as_java_has_them(place: Place, expected: set[str]) -> None:
    """Each was played on the real Java API with all its schedules."""
    assert of(place) == expected


def test_who_is_asked_for_a_history_of_deletes_in_format_1_is_refused_for_nothing() -> None:
    """By the mutant; the shipped rules ask for none."""
    place = Place("1", "aged", "snapshot", "change", "roll-back-time")
    shipped = of(place)
    with BY_NAME["deletes-looked-for-in-format-1"].alive():
        assert of(place) != shipped
    assert REFUSED not in shipped
