"""Whether Spark SQL keeps the ids of the rows that it writes again, and says when each was changed last.

* `row-id-lost`: a row has another id than in the snapshot's parent, or none, though the statement left it as it was, or
  was an UPDATE or a MERGE of it.
* `upgraded-row-id-lost`: the same of a row that is older than its id: its table had come to format 3 in between.
* `last-change-moved`: a row that is as it was is said to have been changed last by another commit than before.
* `last-change-missed`: a row that is new or changed is said to have been changed last by another commit than its own.
* `row-id-shared`: two rows of one snapshot have one id.

A row is as it was if its parent has one of the same id column and value; values name the statement that wrote them.

Source: specification of the table format, "Row Lineage": an id that a row has stays its own when it is moved to another
file, whoever moves it; `model.iceberg.row_copies`.

Choices: as `sim.iceberg.row_lineage`. A row that had no id loses none: its table has just come to format 3. INSERT
OVERWRITE promises nothing: its rows are new ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from model.iceberg.files import Row
from model.iceberg.metadata import Snapshot, TableMetadata
from sim.iceberg.live_rows import live_rows
from sim.iceberg.sql_statements import Merge, Sql, Update, tried_again

Rows = Sequence["IdentifiedRow"]
Taken = tuple[int, int | None, int]
"""The number of a snapshot, and the ids that it took: the first one (None: it is of an earlier format), how many."""


class IdentifiedRow(NamedTuple):
    """A row, its id, and the sequence number of the commit that changed it last."""

    row: Row
    row_id: int | None
    last_change: int | None


class Made(NamedTuple):
    """A snapshot: its sequence number, its parent, its rows, and the first row id that it took (None: it is of an
    earlier format)."""

    number: int
    parent: int | None
    rows: Rows
    first_row_id: int | None


def changed_in_place(sent: Collection[object], tries: int) -> frozenset[Row]:
    """The rows as they are when an UPDATE or a MERGE has changed them. Args: `tries`: how often each may be sent
    again."""
    found: list[Row] = []
    for one in [tried_again(one, tried) for one in sent if isinstance(one, Sql) for tried in range(tries + 1)]:
        match one:
            case Update(key, value):
                found.append((key, value))
            case Merge(rows, "update"):
                found += rows
    return frozenset(found)


def kept_ids(objects: Mapping[str, Any], metadata: TableMetadata, changed: Collection[Row]) -> list[str]:
    """What is wrong with the ids of the rows of the model's table. Args: `changed`: as in `findings_of`."""
    found: dict[int, Made] = {}
    for snapshot in metadata.snapshots:
        try:
            rows = identified(objects, snapshot)
        except KeyError:  # who reads the table is told of it
            continue
        made = Made(snapshot.sequence_number, snapshot.parent_id, rows, snapshot.first_row_id)
        found[snapshot.snapshot_id] = made
    return findings_of(found, changed)


def identified(objects: Mapping[str, Any], snapshot: Snapshot) -> list[IdentifiedRow]:
    """The rows of a snapshot of the model's table. Raises: `KeyError` if a file is missing."""
    return [IdentifiedRow(each.row, *each.lineage) for each in live_rows(objects, snapshot)]


def given_by(row_id: int | None, taken: Sequence[Taken]) -> int | None:
    """The number of the snapshot that took an id. Which of its rows got which is the writer's own affair."""
    if row_id is None:
        return None
    return next((number for number, first, rows in taken if first is not None and first <= row_id < first + rows), None)


def identified_words(rows: Rows, taken: Sequence[Taken]) -> list[str]:
    """Rows, who gave them their ids, and who changed them last, in words."""
    found = [(_told(row), given_by(row_id, taken), last) for row, row_id, last in rows]
    return sorted([f"row {row} has an id of number {number}, changed last by {last}" for row, number, last in found])


def findings_of(snapshots: Mapping[int, Made], changed: Collection[Row]) -> list[str]:
    """What is wrong with the ids of rows, as sentences. Args: `changed`: as UPDATE and MERGE leave them."""
    found: list[str] = []
    for made in snapshots.values():
        parent = snapshots.get(made.parent) if made.parent is not None else None
        found += _shared(made)
        if parent is not None:
            late = {row for row in parent.rows if _is_older_than_its_id(row, snapshots)}
            found += _kept(made, parent.rows, changed, late)
        elif made.parent is None:
            found += _kept(made, (), changed, ())
    return found


def _is_older_than_its_id(row: IdentifiedRow, snapshots: Mapping[int, Made]) -> bool:
    """Whether a commit behind its last change gave it its id."""
    _, row_id, last = row
    if row_id is None or last is None:
        return False
    later = [made.first_row_id for made in snapshots.values() if made.number > last]
    return any(first is not None and first <= row_id for first in later)


def _shared(made: Made) -> Iterator[str]:
    known: dict[int | None, Row] = {}
    for row, row_id, _ in made.rows:
        if row_id in known:
            got = f"got {row_id}, which row {_told(known[row_id])} has"
            yield f"row-id-shared: expected an id of its own for row {_told(row)}, {got}"
        elif row_id is not None:
            known[row_id] = row


def _kept(made: Made, before: Rows, changed: Collection[Row], late: Collection[IdentifiedRow]) -> Iterator[str]:
    for row, row_id, last_change in made.rows:
        same = [each for each in before if each.row == row]
        older = [each for each in before if each.row[0] == row[0]] if row in changed else []
        had = (same or older)[0] if len(same or older) == 1 else None
        at = f"in the snapshot of number {made.number}"
        if had is not None and had.row_id is not None and row_id != had.row_id:
            kind = "upgraded-row-id-lost" if had in late else "row-id-lost"
            yield f"{kind}: expected row {_told(row)} to keep its id {had.row_id}, got {row_id} {at}"
        elif same and had is not None and had.row_id is not None and last_change != had.last_change:
            got = f"got {last_change} {at}"
            yield f"last-change-moved: expected row {_told(row)} as changed last by {had.last_change}, {got}"
        elif not same and row_id is not None and last_change != made.number:
            yield f"last-change-missed: expected row {_told(row)} as changed last by {made.number}, got {last_change}"


def _told(row: Row) -> str:
    return f"{row[0]} = {row[1]}"
