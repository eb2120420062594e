"""The matrix on PyIceberg: whatever it does that Java does not has a reason, and every reason is needed."""

import pytest

from sim.iceberg.matrix import MATRIX
from sim.iceberg.pyiceberg_matrix import (
    ANOTHER_SPEC,
    AT_COMMIT,
    BEGINS,
    BESIDE,
    CALLS,
    DELETED_TWICE,
    NO_SNAPSHOT,
    NOT_READ,
    ON_TABLES,
    PROPERTIES,
    cell,
    why,
)
from sim.search.matrix import BROKEN, Place, judged, kinds

NAMES = tuple(CALLS)
PAIRS = [(one, other) for place, one in enumerate(NAMES) for other in NAMES[place:]]
LOSSES = ({"roll-back", "expire"}, {"expire", "tag-below"})
"""`pyiceberg/roll-back-expire` and `pyiceberg/tag-expire`: an expiry asks nothing of what points to what it takes."""
REASONS = {
    ANOTHER_SPEC: ("change", "spec", "one-file", "snapshot"),
    AT_COMMIT: ("append", "overwrite-filter", "file-a-row", "snapshot"),
    BEGINS: ("change", "transaction", "one-file", "snapshot"),
    DELETED_TWICE: ("delete-row", "delete-row", "one-file", "serializable"),
    NOT_READ: ("change", "copy", "file-a-row", "serializable"),
    NO_SNAPSHOT: ("property", "property", "file-a-row", "snapshot"),
}


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_has_a_cell(reason: str) -> None:
    """In which PyIceberg comes to something else than Java."""
    row, column, table, level = REASONS[reason]
    place = Place("2", table, level, row, column)
    shipped, other = MATRIX.scenario(place), cell(place)
    assert shipped is not None
    assert other is not None
    assert kinds(judged(other)) != kinds(judged(shipped))
    assert why(place) == reason


@pytest.mark.parametrize(("table", "level"), [(table, level) for table in ON_TABLES for level in PROPERTIES])
def test_where_it_comes_to_something_else_there_is_a_reason(table: str, level: str) -> None:
    """And no property breaks on it but for known losses. Every schedule of every ninth pair was run.

    `lakeproof matrix iceberg --beside` does the same with all of them.
    """
    cells, first = 0, 2 * ON_TABLES.index(table) + list(PROPERTIES).index(level)
    for row, column in PAIRS[first::9]:
        place = Place("2", table, level, row, column)
        shipped, other = MATRIX.scenario(place), cell(place)
        if shipped is None or other is None:
            continue
        found = judged(other)
        assert found.complete
        assert BROKEN not in kinds(found) or {row, column} in LOSSES, place
        if kinds(found) != kinds(judged(shipped)):
            assert why(place), place
        cells += 1
    assert cells > 5


def test_it_has_no_cell_where_it_cannot_do_what_is_asked() -> None:
    """Format 3, no validation, delete files, and what it has no call for."""
    assert cell(Place("2", "file-a-row", "snapshot", "change", "delete-row")) is not None
    for part in (("3", "file-a-row", "snapshot"), ("2", "file-a-row", "none"), ("2", "with-delete", "snapshot")):
        assert cell(Place(*part, "change", "delete-row")) is None
    assert cell(Place("2", "file-a-row", "snapshot", "rewrite", "delete-row")) is None
    assert cell(Place("2", "one-file", "snapshot", "delete-file", "change")) is None
    assert cell(Place("2", "file-a-row", "snapshot", "append", "fast-append")) is None


def test_a_cell_is_found_by_its_name() -> None:
    """As that of the model is."""
    place = Place("2", "file-a-row", "snapshot", "change", "copy")
    scenario = MATRIX.named(f"{BESIDE.key}/matrix/{'/'.join(place)}")
    assert scenario == cell(place)
    assert scenario != MATRIX.scenario(place)
    assert MATRIX.named(f"hudi/matrix/{'/'.join(place)}") is None
