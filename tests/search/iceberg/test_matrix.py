"""The matrix of operations, computed: what upstream says of a pair is what comes out, and a broken rule shows."""

from collections.abc import Iterator
from itertools import product

import pytest

from sim.iceberg.callers_matrix import BY_CALLERS
from sim.iceberg.java_matrix import TABLES
from sim.iceberg.layout_matrix import LAID_OUT, LAYOUT
from sim.iceberg.managed_matrix import ABSENT, AGED, FULL, MANAGING, REPLACED
from sim.iceberg.matrix import MATRIX
from sim.kernel.schedule import parse
from sim.search.matrix import BROKEN, COLUMN, OK, REFUSED, ROW, Cell, Place, judged, sorted_run
from sim.search.run import Runner
from tests.mutants.iceberg import BY_NAME

VALIDATED = ("snapshot", "serializable")
TAKEN_AS_IT_IS = ("overwrite-filter", "replace-partition")
"""An overwrite by filter, or of partitions, takes what is there at its commit: `snapshot` asks nothing of new rows."""
NEEDLESS = {("change", "change-another"), ("delete-file", "change-another")}
"""Both drop an old delete file in passing, and the one that is retried requires it."""
SPARED = {
    "snapshot": {("delete-file", "upsert"), ("delete-row", "upsert")},
    "serializable": {("delete-file", "upsert")},
}
"""An upsert depends on no snapshot: who deletes by position, or by file, what he has seen of its row leaves the row
that it brings. `serializable` refuses him for that file, but `newDelete` has no such validation."""
UNDONE = {("change-another", "delete-where"), ("change-another", "upsert")}
"""Of the file that is replaced, those new deletes are looked for that may be of the conflict filter, and no others."""
OLD_DELETES = ("old-delete", "worked-on")
FURTHER = (ABSENT, AGED, LAID_OUT, FULL, REPLACED)
"""Tables for operations that others do not have."""


def cell(row: str, column: str, level: str, version: str = "2") -> Cell:
    """A cell of the matrix."""
    scenario = MATRIX.scenario(Place(version, "file-a-row", level, row, column))
    assert scenario is not None
    return judged(scenario)


def kinds(found: Cell) -> set[str]:
    """What a cell's schedules come to: ok, broken, and who is refused."""
    return {one.kind if one.kind != REFUSED else one.detail.split()[0] for one in found.outcomes}


def pairs() -> list[tuple[str, str]]:
    """Each pair of operations once, but for those that manage snapshots (`test_managing.py`) or change the layout, and
    those of callers (`test_matrix_pairs.py`)."""
    names = [name for name in MATRIX.operations if name not in {*MANAGING, *LAYOUT, *BY_CALLERS}]
    return [(one, other) for place, one in enumerate(names) for other in names[place:]]


def _overwritten(table: str) -> Iterator[tuple[str, str]]:
    """Pairs of which one takes what the other one has appended; a row that is new has a partition of its own."""
    for whole in TAKEN_AS_IT_IS:
        if whole != "replace-partition" or table != "partitioned":
            yield from ((whole, "append"), (whole, "fast-append"))


@pytest.mark.parametrize("level", VALIDATED)
@pytest.mark.parametrize(
    ("version", "table"),
    [("2", table) for table in TABLES if table not in FURTHER] + [("3", "with-delete"), ("3", "with-equality-delete")],
)
def test_whoever_asks_for_validations_loses_nothing(version: str, table: str, level: str) -> None:
    """But for what upstream's words allow, and for the needless refusal that is known. Every schedule was run."""
    broken: set[tuple[str, str]] = set()
    for row, column in pairs():
        scenario = MATRIX.scenario(Place(version, table, level, row, column))
        if scenario is not None:
            found = judged(scenario)
            assert found.complete
            broken |= {(row, column)} if BROKEN in kinds(found) else set()
    known = {frozenset(pair) for pair in (_overwritten(table) if level == "snapshot" else ())}
    spared = {pair for pair in SPARED[level] if MATRIX.scenario(Place(version, table, level, *pair)) is not None}
    known |= {frozenset(pair) for pair in spared | (UNDONE if table == "one-file" else set())}
    known |= {frozenset(pair) for pair in (NEEDLESS if table in OLD_DELETES else set())}
    assert {frozenset(pair) for pair in broken} == known


def test_whoever_changes_what_a_table_says_of_itself_loses_nothing() -> None:
    """On the table that has all of it, beside every operation that it has."""
    cells, broken = 0, []
    there = [name for name in MATRIX.operations if name not in {*MANAGING, "field"}]
    for row, column in product([name for name in there if name in LAYOUT], there):
        scenario = MATRIX.scenario(Place("2", LAID_OUT, "snapshot", row, column))
        if scenario is not None:
            found = judged(scenario)
            assert found.complete
            broken += [(row, column)] if BROKEN in kinds(found) else []
            cells += 1
    assert cells == (len(LAYOUT) - 1) * len(there) - 2  # but for who drops a column and who renames it
    assert broken == []


@pytest.mark.parametrize(
    ("row", "column", "level", "expected"),
    [
        ("replace-partition", "append", "none", {OK, BROKEN}),
        ("replace-partition", "append", "serializable", {OK, ROW}),
        ("replace-partition", "delete-row", "snapshot", {ROW, COLUMN}),
        ("fast-append", "rewrite", "serializable", {OK}),
        ("overwrite-filter", "append", "none", {OK, BROKEN}),
        ("overwrite-filter", "append", "serializable", {OK, ROW}),
        ("overwrite-files", "append", "snapshot", {OK}),
        ("overwrite-files", "append", "serializable", {OK, ROW}),
        ("change", "delete-row", "none", {BROKEN}),
        ("change", "delete-row", "snapshot", {ROW, COLUMN}),
        ("change", "change", "none", {BROKEN}),
        ("change", "change", "snapshot", {ROW, COLUMN}),
        ("change", "change-another", "serializable", {OK}),
        ("copy", "change", "snapshot", {OK}),
        ("copy", "change", "serializable", {OK, ROW}),
        ("delete-row", "delete-row", "serializable", {OK}),
        ("delete-row", "delete-file", "snapshot", {OK}),
        ("delete-file", "rewrite", "none", {BROKEN, COLUMN}),
        ("rewrite", "delete-row", "none", {BROKEN, ROW}),
        ("rewrite", "rewrite", "none", {ROW, COLUMN}),
        ("upsert", "upsert", "none", {OK}),
        ("upsert", "upsert", "snapshot", {ROW, COLUMN}),
        ("upsert", "append", "serializable", {OK}),
        ("upsert", "delete-row", "none", {OK, BROKEN}),
        ("upsert", "delete-row", "serializable", {ROW, COLUMN}),
        ("upsert", "change", "none", {OK, BROKEN}),
        ("upsert", "change", "snapshot", {OK, COLUMN}),
        ("delete-where", "rewrite", "none", {OK, COLUMN}),
        ("delete-where", "rewrite-pinned", "none", {OK}),
        ("property", "property", "none", {OK}),
        ("column", "append", "none", {OK, ROW}),
        ("column", "property", "none", {OK, ROW}),
        ("transaction", "append", "serializable", {OK}),
        ("transaction", "change", "snapshot", {OK, ROW, COLUMN}),
        ("read-twice", "transaction", "none", {OK}),
        ("spec", "append", "snapshot", {OK, ROW}),
        ("spec", "replace-partition", "serializable", {OK, ROW}),
        ("spec", "spec", "none", {ROW, COLUMN}),
        ("cluster-manifests", "change", "none", {OK}),
        ("cluster-manifests", "cluster-manifests", "none", {OK}),
        ("replace-manifests", "append", "none", {OK}),
        ("replace-manifests", "change", "none", {OK, ROW}),
        ("replace-manifests", "cluster-manifests", "none", {OK, ROW}),
        ("sort", "append", "none", {OK}),
        ("sort", "sort", "none", {OK}),
        ("move", "rewrite", "none", {OK, ROW}),
        ("statistics", "statistics", "none", {OK}),
        ("no-statistics", "property", "none", {OK}),
        ("remove-where", "change", "snapshot", {OK, COLUMN}),
        ("replace-table", "append", "none", {OK, BROKEN}),
        ("drop-table", "append", "none", {OK, COLUMN}),
        ("drop-table", "create-table", "none", {OK, COLUMN}),
        ("create-table", "append", "none", {ROW}),
        ("create-or-replace", "append", "none", {OK, BROKEN}),
        ("create-or-replace", "property", "none", {OK}),
        ("rename-table", "append", "none", {OK, COLUMN}),
        ("rename-table", "read-twice", "none", {OK}),
        ("put-table", "drop-table", "none", {OK, ROW}),
    ],
)  # fmt: skip
def test_cells_are_as_upstream_says(row: str, column: str, level: str, expected: set[str]) -> None:
    """Source: iceberg/4.2; without validations: what nobody has asked about is lost."""
    assert kinds(cell(row, column, level)) == expected


def test_of_two_who_make_a_table_where_none_is_one_is_refused_unless_he_replaces() -> None:
    """Source: `BaseMetastoreCatalog`, `BaseTransaction.commitReplaceTransaction`: who replaces has asked before."""
    found = {
        (row, column): kinds(judged(scenario))
        for row, column in product(("append", "drop-table", "create-table", "create-or-replace", "put-table"), repeat=2)
        if (scenario := MATRIX.scenario(Place("2", ABSENT, "none", row, column))) is not None
    }
    assert len(found) == 25
    assert found["append", "append"] == {"w1"}
    assert found["append", "create-table"] == {OK, ROW}
    assert found["create-table", "create-table"] == {ROW, COLUMN}
    assert found["create-table", "put-table"] == {ROW, COLUMN}
    assert {pair for pair, outcomes in found.items() if BROKEN in outcomes} == {
        ("create-or-replace", "create-or-replace"), ("create-or-replace", "create-table"),
        ("create-or-replace", "put-table"), ("create-table", "create-or-replace"), ("put-table", "create-or-replace"),
    }  # fmt: skip


def test_two_deletes_in_one_file_are_refused_in_format_3_whatever_was_asked_for() -> None:
    """A data file has one deletion vector at most; in format 2 it may have two delete files."""
    for level in MATRIX.levels:
        assert kinds(cell("delete-row", "delete-row", level)) == {OK}
        assert kinds(cell("delete-row", "delete-row", level, "3")) == {ROW, COLUMN}
        assert kinds(cell("delete-row", "delete-another", level, "3")) == {OK}


def test_the_other_half_of_the_matrix_is_its_mirror() -> None:
    """Row and column have changed places, and so have the refused."""
    swapped = {ROW: COLUMN, COLUMN: ROW}
    for row, column in (("change", "delete-row"), ("transaction", "rewrite"), ("column", "append")):
        one, other = kinds(cell(row, column, "snapshot")), kinds(cell(column, row, "snapshot"))
        assert {swapped.get(kind, kind) for kind in one} == other


def test_the_schedule_of_an_outcome_replays_to_it() -> None:
    """As it is written, under the name that the schedule has."""
    for row, column, level in product(("change", "transaction"), ("rewrite", "delete-row"), MATRIX.levels):
        for outcome in cell(row, column, level).outcomes:
            schedule = parse(str(outcome.schedule))
            scenario = MATRIX.named(schedule.scenario)
            assert scenario is not None
            run = Runner(scenario, yield_points=schedule.yield_points).play(schedule.steps)
            assert sorted_run(run) == (outcome.kind, outcome.detail)


@pytest.mark.parametrize(
    ("mutant", "row", "column", "level"),
    [
        ("no-new-deletes-for-data-files-check", "change", "delete-row", "snapshot"),
        ("no-added-data-files-check", "overwrite-files", "append", "serializable"),
        ("no-data-files-exist-check", "delete-row", "rewrite", "snapshot"),
        ("updates-not-applied-again", "transaction", "append", "snapshot"),
        ("clustered-once", "cluster-manifests", "delete-file", "none"),
    ],
)
def test_a_broken_rule_changes_its_cell(mutant: str, row: str, column: str, level: str) -> None:
    """What was refused, or kept, is lost."""
    shipped = kinds(cell(row, column, level))
    with BY_NAME[mutant].alive():
        damaged = kinds(cell(row, column, level))
    assert damaged != shipped


def test_names_that_are_no_cell_have_no_scenario() -> None:
    """Too short, too long, or with a part that is unknown."""
    for name in (
        "iceberg/matrix/2",
        "iceberg/matrix/2/a/none/append/append",
        "hudi/matrix/2/one-file/none/append/append",
    ):
        assert MATRIX.named(name) is None
    assert MATRIX.named("iceberg/matrix/2/one-file/none/delete-file/append") is None
