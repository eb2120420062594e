"""What a race's promises hang on beside its settings: what its writers do, and what may fail.

No user sets these: `facts_of` reads them off a race, under names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.generation.generator import Settings
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime
from sim.iceberg.by_hand import ByHand, CompactWith, OverwriteWhere
from sim.iceberg.creating import OfNames
from sim.iceberg.incremental import OfPast, ReadAt
from sim.iceberg.layout import OfStatistics
from sim.iceberg.managing import (
    MAIN,
    CherryPick,
    CreateRef,
    Expire,
    Managing,
    MoveBranch,
    OfBranches,
    Publish,
    RemoveRef,
    RenameBranch,
    ReplaceRef,
    RollBack,
)
from sim.iceberg.manifests import AppendManifest
from sim.iceberg.options import CLIENT, FORMAT, RETRIES, TIMEOUT, is_cached
from sim.iceberg.python_statements import EvolveSpec, OnBranch, TagAndRollBack, Upgrade
from sim.iceberg.sql_statements import AlterPartitionField
from sim.iceberg.statements import OfLayout, OfMetadata, steps_of
from sim.iceberg.workload import (
    Append,
    ByEquality,
    ChangeRow,
    Compact,
    Copy,
    Delete,
    DeleteRow,
    DeleteWhere,
    Insert,
    InsertOverwrite,
    Merge,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    RewritePositionDeletes,
    Rows,
    Scan,
    Select,
    SetProperty,
    Statement,
    Transaction,
    Truncate,
    Upsert,
)
from sim.world.scenario import FaultSpace

Writers = Sequence[Sequence[Statement]]
UNVALIDATED, LOOSE, DELETED_TWICE, FAULTS, STALE, READERS, TWO_SNAPSHOTS, UNSEEN, OWN_WAY, APART, PATIENT, BESIDE = (
    "validation left out", "deletes of files that nobody looks for", "a row deleted twice", "faults", "stale reads",
    "readers", "reads of two snapshots", "commits without a snapshot", "a transaction in its own way", "one row a file",
    "retries enough", "upserts beside deletes by position",
)  # fmt: skip
MANAGED, ROLLED_BACK, TWO_VECTORS = "managed snapshots", "main moved back", "vectors that nobody looks for"
IN_PART = "filters that match a file in part"
STATISTICS = "statistics files"
"""One that is no more named stays, as does one that is refused."""
ROWS_HAVE_IDS = "row ids"
CONSUMERS = "consumers"
NAMES_MOVE = "names of tables that move"
"""Whoever has loaded a table that has no name any more reads what he has loaded, in memory."""
CONTRADICTORY = "calls that contradict themselves"
"""Each is refused, by itself."""
OF_OLDER_FORMAT = "position deletes rewritten beside a change of the format"
"""Who is refused in a later attempt, and not for a conflict, leaves what the first one has written."""
LIKE_ROWS = "rows that are alike"
"""Whose each of them is nobody can tell."""
GIVEN = "manifests that are given to a transaction"
"""They are their caller's until it is committed, and he does not look what has come of it."""
LEVELLED = Replace | DeleteRow | RemoveFile | ChangeRow | Copy
OF_ALL = Overwrite | ReplacePartitions
NO_SNAPSHOT = OfMetadata | AlterPartitionField | EvolveSpec | Upgrade
ROLLS_BACK = RollBack | RollBackToTime | TagAndRollBack | Publish
BLIND = Upsert | OverwriteWhere
"""What brings a row whatever others have of it."""
READING = Select | Scan | OfPast
BESIDE_MAIN = (
    OfMetadata | READING | OfBranches | OnBranch | Expire | ExpireOlder | Retain | CreateRef | RemoveRef | RenameBranch
)


def facts_of(writers: Writers, files: Sequence[Rows], settings: Settings, faults: FaultSpace) -> Settings:
    """What promises hang on beside settings.

    Args: `writers` are the statements of each, `files` the rows of each data file at the start (none: nobody knows).

    Returns: "yes" or "no" by the names above.
    """
    sent = [statement for statements in writers for statement in statements]
    done = steps_of(*sent)
    several = [statement for statement in sent if isinstance(statement, Transaction)]
    hit, cached = faults.kinds if faults.limit else {}, is_cached(settings)
    apart = bool(files) and all(len(rows) < 2 for rows in files) and not _joins_rows(done)
    reads_only = not any(isinstance(one, DeleteRow | ChangeRow | Copy) for one in done)
    late = any(_starts_late(one) for one in several)
    loose = any(isinstance(one, DeleteRow) and (late or one.level == "none") for one in done)
    facts = {
        UNVALIDATED: late or any(_asks_for_none(one) for one in done),
        LOOSE: loose,
        TWO_VECTORS: loose and "3" in _formats(settings, done),
        ROWS_HAVE_IDS: "3" in _formats(settings, done),
        DELETED_TWICE: _deletes_twice(done, apart) or any(_upserts_what_it_reads(one) for one in several),
        FAULTS: bool(hit) or cached,
        STALE: any("stale" in kinds for kinds in hit.values()) or cached,
        CONSUMERS: any(isinstance(one, OfPast) for one in done),
        NAMES_MOVE: any(isinstance(one, OfNames) for one in sent),
        READERS: any(isinstance(one, Select | Scan) for one in done) and reads_only,
        TWO_SNAPSHOTS: any(isinstance(one, Scan) and one.at == "current" for one in done),
        UNSEEN: any(all(isinstance(step, NO_SNAPSHOT) for step in steps_of(one)) for one in sent),
        OWN_WAY: any(_meets_itself(one, apart) for one in several),
        IN_PART: not apart and any(isinstance(one, RemoveWhere) for one in done),
        CONTRADICTORY: any(_contradicts_itself(one, settings) for one in sent),
        LIKE_ROWS: _inserts_again(done),
        OF_OLDER_FORMAT: any(isinstance(one, RewritePositionDeletes) for one in done) and any(map(_sets_format, done)),
        GIVEN: any(isinstance(step, AppendManifest) for one in several for step in one.steps),
        STATISTICS: any(isinstance(one, OfStatistics) for one in done),
        APART: apart
        and not any(isinstance(one, OfLayout | AlterPartitionField) for one in done)
        and not _has_equality_deletes(done),
        BESIDE: any(isinstance(one, BLIND) for one in done) and any(_is_blind_to_upserts(one) for one in done),
        MANAGED: any(isinstance(one, Managing | TagAndRollBack | OnBranch) for one in done),
        ROLLED_BACK: _is_undone(done),
        PATIENT: int(settings[RETRIES.key]) >= len(sent) - 1 and settings[TIMEOUT.key] == TIMEOUT.values[0],
    }
    return {name: "yes" if fact else "no" for name, fact in facts.items()}


def _contradicts_itself(one: Statement, settings: Settings) -> bool:
    """Whether it is refused whatever is there, or may be for what never was."""
    if isinstance(one, ReadAt):
        return settings[CLIENT.key] == "spark-sql" and one.ref not in ("", MAIN)
    if isinstance(one, SetProperty):
        return _sets_format(one) and one.value < settings[FORMAT.key]
    return isinstance(one, ByHand) or (isinstance(one, Transaction) and one.left_open)


def _inserts_again(done: Sequence[Statement]) -> bool:
    """Whether a row is inserted that another INSERT brings, too."""
    rows = [row for one in done if isinstance(one, Insert) for row in one.rows]
    return len(set(rows)) < len(rows)


def _sets_format(one: Statement) -> bool:
    return isinstance(one, SetProperty) and one.name == FORMAT.key


def _formats(settings: Settings, done: Sequence[Statement]) -> list[str]:
    """The formats that the table may have."""
    given = [one.value for one in done if isinstance(one, SetProperty) and _sets_format(one)]
    return [settings[FORMAT.key], *given]


def _goes_back(one: Statement) -> bool:
    """Whether it sets main to a snapshot that may be below what others have committed since."""
    back = isinstance(one, ROLLS_BACK) or (isinstance(one, ReplaceRef) and one.name == MAIN)
    return back or (isinstance(one, MoveBranch) and one.name == MAIN and not one.forward)


def _is_undone(done: Sequence[Statement]) -> bool:
    """Whether a roll-back may take back what another statement, which was told that it was done, did to main."""
    back = sum(_goes_back(one) for one in done)
    return back > 1 or (back == 1 and any(_writes_to_main(one) for one in done))


def _writes_to_main(one: Statement) -> bool:
    """Whether it may bring rows to main, or take some away, that a roll-back does not know of."""
    beside = isinstance(one, BESIDE_MAIN)
    return not (beside or _goes_back(one) or (isinstance(one, ReplaceRef | MoveBranch) and one.name != MAIN))


def _has_equality_deletes(done: Sequence[Statement]) -> bool:
    """Whether an equality delete may be in the way of other rows: files that a scan hands out have no bounds, and
    position deletes none of ids."""
    return any(isinstance(one, ByEquality) for one in done)


def _asks_for_none(one: Statement) -> bool:
    if isinstance(one, InsertOverwrite | CompactWith):  # a rewrite that adds rows is taken where some were deleted
        return True
    if isinstance(one, ReplacePartitions):  # what is added meanwhile is allowed to go, but at the highest level
        return one.level != "serializable"
    return (isinstance(one, Overwrite) and not one.validate) or (isinstance(one, LEVELLED) and one.level == "none")


def _is_blind_to_upserts(one: Statement) -> bool:
    return isinstance(one, RemoveFile | CherryPick) or (isinstance(one, DeleteRow) and one.level != "serializable")


def _starts_late(one: Transaction) -> bool:
    """Whether a step that validates begins behind the transaction's begin."""
    validates = LEVELLED | Compact | ReplacePartitions
    return one.start == "own" and any(isinstance(step, validates) for step in one.steps[1:])


def _deletes_twice(done: Sequence[Statement], apart: bool) -> bool:
    deleted = [one.id for one in done if isinstance(one, Delete | DeleteWhere | RemoveFile)]
    deleted += [key for one in done if isinstance(one, DeleteRow | RemoveWhere) for key in one.ids]
    deleted += [key for one in done if isinstance(one, Replace) for key, value in one.effects if value is None]
    deleted += [key for one in done if isinstance(one, Merge) and one.matched == "delete" for key, _ in one.rows]
    if any(isinstance(one, Truncate) for one in done):
        return len(deleted) + sum(isinstance(one, Truncate) for one in done) > 1
    with_others = not apart and len(deleted) > 1 and any(isinstance(one, RemoveFile) for one in done)
    return len(set(deleted)) < len(deleted) or with_others


def _upserts_what_it_reads(one: Transaction) -> bool:
    """Whether it upserts a row that another step looks at: one that finds nothing to do there is not validated."""
    read = [step.source for step in one.steps if isinstance(step, Copy)]
    read += [step.id for step in one.steps if isinstance(step, ChangeRow)]
    return any(isinstance(step, Upsert) and step.id in read for step in one.steps)


def _meets_itself(one: Transaction, apart: bool) -> bool:
    """Whether what a step validates may be what another one has done: of one row, or of one file."""
    named = [key for step in one.steps for key in _named(step)]
    of_files = [step for step in one.steps if isinstance(step, LEVELLED | Compact | OF_ALL)]
    asks = any(isinstance(step, ByEquality) and step.level != "none" for step in one.steps)
    asks = asks or (any(isinstance(step, ByEquality) for step in one.steps) and Compact() in one.steps)
    return asks or len(set(named)) < len(named) or (not apart and len(of_files) > 1)


def _named(step: Statement) -> Iterator[int]:
    match step:
        case Append(rows) | ReplacePartitions(rows):
            yield from [key for key, _ in rows]
        case Copy(source, target):
            yield from (source, target)
        case DeleteRow() | RemoveWhere():
            yield from step.ids
        case Replace(key) | RemoveFile(key) | ChangeRow(key) | DeleteWhere(key) | Upsert(key):
            yield key


def _joins_rows(done: Sequence[Statement]) -> bool:
    """Whether a statement writes a file of several rows."""
    return any(len(getattr(one, "rows", ())) > 1 or isinstance(one, OF_ALL | Compact) for one in done)
