"""The matrix on PyIceberg: whatever it does that Java does not has a reason, and every reason is needed."""

import pytest

from sim.iceberg.pyiceberg_matrix import (
    AT_COMMIT,
    BEGINS,
    BESIDE,
    DELETED_TWICE,
    MATRIX,
    NO_SNAPSHOT,
    NOT_READ,
    cell,
    why,
)
from sim.search.matrix import BROKEN, Place, judged, kinds

NAMES = tuple(MATRIX.operations)
PAIRS = [(one, other) for place, one in enumerate(NAMES) for other in NAMES[place:]]
REASONS = {
    ("file-a-row", "snapshot"): {AT_COMMIT, BEGINS, DELETED_TWICE, NO_SNAPSHOT},
    ("file-a-row", "serializable"): {BEGINS, DELETED_TWICE, NOT_READ, NO_SNAPSHOT},
    ("one-file", "snapshot"): {AT_COMMIT, BEGINS, DELETED_TWICE, NO_SNAPSHOT},
}


@pytest.mark.parametrize(("table", "level"), list(REASONS))
def test_where_it_comes_to_something_else_there_is_a_reason(table: str, level: str) -> None:
    """And no property breaks on it. Every schedule of every cell was run; each reason is met, and no other one."""
    met, cells = set(), 0
    for row, column in PAIRS:
        place = Place("2", table, level, row, column)
        shipped, other = MATRIX.scenario(place), cell(place)
        if shipped is None or other is None:
            continue
        found = judged(other)
        assert found.complete
        assert BROKEN not in kinds(found), place
        if kinds(found) != kinds(judged(shipped)):
            assert why(place), place
            met.add(why(place))
        cells += 1
    assert met == REASONS[table, level]
    assert cells > 70


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
