"""The matrix on PyIceberg: whatever it does that Java does not has a reason, and every reason is needed."""

import pytest

from sim.iceberg.matrix import MATRIX
from sim.iceberg.python import matrix_reasons as told
from sim.iceberg.python.matrix import BESIDE, MERGING, NOT_SERVED, OF_ROWS, PROPERTIES, UNVALIDATED, cell, lacks
from sim.iceberg.python.matrix_calls import CALLS, NOT_OFFERED, OF_CATALOGS
from sim.iceberg.python.matrix_tables import MADE, NOT_OPENED
from sim.search.matrix import BROKEN, Place, judged, kinds

NAMES = tuple(CALLS)
PAIRS = [(one, other) for place, one in enumerate(NAMES) for other in NAMES[place:]]
MOST = 7
"""How many pairs of a table are looked at, or one more."""
ROLL_BACKS, EXPIRIES = {"roll-back", "roll-back-time"}, {"expire", "expire-below", "expire-age"}
NEVER_LOST = {
    "delete-file", "delete-row", "delete-another", "delete-where", "remove-where", "read-twice", "column", *told.UNSENT,
    "append-branch", "stage",
}  # fmt: skip
"""What writes no row of main."""
FORMAT_2 = {
    told.ANOTHER_SPEC: ("change", "spec", "one-file", "snapshot"),
    told.AT_COMMIT: ("append", "overwrite-filter", "file-a-row", "snapshot"),
    told.BEGINS: ("change", "transaction", "one-file", "snapshot"),
    told.TAKES_FILES: ("delete-row", "delete-row", "one-file", "serializable"),
    told.NOT_READ: ("change", "copy", "file-a-row", "serializable"),
    told.NO_SNAPSHOT: ("property", "property", "file-a-row", "snapshot"),
    told.SEQUENCE: ("append", "append-branch", "managed", "snapshot"),
    told.NOT_PARTITIONED: ("append", "replace-partition", "with-delete", "snapshot"),
    told.NOT_MOVED: ("move", "read-twice", "aged", "serializable"),
    told.NO_STATISTICS: ("read-twice", "no-statistics", "old-delete", "snapshot"),
    told.OLD_DELETES: ("change", "change-another", "old-delete", "snapshot"),
    told.NO_PROPERTY: ("no-property", "append", "file-a-row", "snapshot"),
    told.TAGS_FIRST: ("tag-and-roll-back", "append", "managed", "snapshot"),
    told.NOT_FOUND: ("append", "rename-table", "file-a-row", "snapshot"),
    told.DROPS_ONCE: ("drop-table", "drop-table", "file-a-row", "snapshot"),
    told.LOADED_AT_LAST: ("drop-table", "put-table", "absent", "snapshot"),
    told.ALL_COLUMNS: ("append", "upsert", "worked-on", "snapshot"),
}
REASONS = {reason: Place("2", table, level, row, column) for reason, (row, column, table, level) in FORMAT_2.items()}
REASONS[told.FORMAT_3] = Place("3", "deleted-twice", "snapshot", "append", "property")


def is_known(place: Place) -> bool:
    """Whether a cell is one of a loss that has a page: `pyiceberg/roll-back-expire`, `tag-expire`, `append-evolve`,
    `branch-change-remove`, `tag-roll-back-append`."""
    pair = {place.row, place.column}
    if pair & EXPIRIES and pair & {*ROLL_BACKS, "tag-below"}:
        return True
    if "tag-and-roll-back" in pair or pair == {"overwrite-branch", "remove-branch"}:
        return True
    return "spec" in pair and place.table in told.PARTITIONED and not pair <= NEVER_LOST


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_a_cell(reason: str) -> None:
    """In which PyIceberg comes to something else than Java."""
    place = REASONS[reason]
    shipped, other = MATRIX.scenario(place), cell(place)
    assert shipped is not None
    assert other is not None
    assert kinds(judged(other)) != kinds(judged(shipped))
    assert BESIDE.why(place) == reason


@pytest.mark.parametrize(("table", "level"), [(table, level) for table in MADE for level in PROPERTIES])
def test_where_it_comes_to_something_else_there_is_a_reason(table: str, level: str) -> None:
    """And no property breaks on it but for known losses. Every schedule of some of the pairs was run.

    `lakeproof matrix iceberg --beside --table all` does the same with all of them.
    """
    there = [place for pair in PAIRS if cell(place := Place("2", table, level, *pair)) and MATRIX.scenario(place)]
    cells, first = 0, 2 * list(MADE).index(table) + list(PROPERTIES).index(level)
    for place in there[first % 7 :: max(1, len(there) // MOST)]:
        shipped, other = MATRIX.scenario(place), cell(place)
        assert shipped is not None
        assert other is not None
        found = judged(other)
        assert found.complete
        assert BROKEN not in kinds(found) or is_known(place), place
        if kinds(found) != kinds(judged(shipped)):
            assert BESIDE.why(place), place
        cells += 1
    assert cells > 1


@pytest.mark.parametrize(
    ("table", "row", "column"),
    [
        ("aged", "roll-back-time", "expire-age"), ("managed", "expire-below", "roll-back"),
        ("aged", "tag-below", "expire-age"), ("laid-out", "append", "spec"), ("partitioned", "upsert", "spec"),
        ("managed", "overwrite-branch", "remove-branch"),
    ],
)  # fmt: skip
def test_the_known_losses_are_in_the_matrix_and_java_has_none_of_them(table: str, row: str, column: str) -> None:
    """Whatever they are asked with."""
    place = Place("2", table, "snapshot", row, column)
    shipped, other = MATRIX.scenario(place), cell(place)
    assert shipped is not None
    assert other is not None
    assert is_known(place)
    assert BROKEN in kinds(judged(other))
    assert BROKEN not in kinds(judged(shipped))


def test_of_every_operation_it_is_said_whether_it_has_it() -> None:
    """And of every table, whether it has it."""
    assert {*CALLS, *NOT_OFFERED} == {*MATRIX.operations}
    assert len(CALLS) + len(NOT_OFFERED) == len(MATRIX.operations)
    assert {*OF_CATALOGS} <= {*CALLS}
    assert {*MADE, *NOT_OPENED} == {*MATRIX.tables}


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (Place("2", "file-a-row", "none", "change", "delete-row"), UNVALIDATED),
        (Place("2", "with-equality-delete", "snapshot", "change", "append"), NOT_OPENED["with-equality-delete"]),
        (Place("2", "managed", "snapshot", "cherry-pick", "append"), NOT_OFFERED["cherry-pick"]),
        (Place("3", "file-a-row", "snapshot", "append", "drop-table"), NOT_SERVED),
        (Place("2", "file-a-row", "snapshot", "append", "drop-table"), ""),
        (Place("2", "file-a-row", "snapshot", "append", "fast-append"), MERGING),
        (Place("2", "one-file", "snapshot", "delete-file", "change"), OF_ROWS),
        (Place("3", "with-delete", "snapshot", "delete-row", "append"), ""),
    ],
)
def test_what_it_has_not_is_said(place: Place, said: str) -> None:
    """Of each cell."""
    assert lacks(place) == said
    assert (cell(place) is None) == bool(said)


def test_where_java_has_no_race_it_has_none() -> None:
    """Nor where its table has not what an operation names."""
    assert cell(Place("2", "file-a-row", "snapshot", "remove-branch", "append")) is None
    assert cell(Place("2", "partitioned", "snapshot", "drop-column", "append")) is None


def test_a_cell_is_found_by_its_name() -> None:
    """As that of the model is."""
    place = Place("2", "file-a-row", "snapshot", "change", "copy")
    scenario = MATRIX.named(f"{BESIDE.key}/matrix/{'/'.join(place)}")
    assert scenario == cell(place)
    assert scenario != MATRIX.scenario(place)
    assert MATRIX.named(f"hudi/matrix/{'/'.join(place)}") is None
