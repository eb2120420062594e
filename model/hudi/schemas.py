"""A table's columns: what its commits say of them, and who is refused for those of others.

Each commit says which columns its writer's schema has. The table has those of the completed commit that was requested
last, whatever it was; who is to write is refused if his schema lacks one of them. Before a commit columns are compared
by when others were completed, clustering and compactions left aside: those at the start are as of the completion of the
completed commit that was requested last then. Who has the columns that the table has by now, or finds them as they were
at the start, commits with his own; who has those of the start, with the ones that it has by now; else the write is
refused. This goes before the check of file groups, in a mode in which that is made, and can be turned off.

What a table has, and what is compared, are two things: an older instant that adds a column, and commits behind a newer
one that does not, is compared with nobody, and its column is not there.

Source: `TransactionUtils.resolveSchemaConflictIfNeeded`, `SimpleSchemaConflictResolutionStrategy`,
`ConcurrentSchemaEvolutionTableSchemaGetter` (RFC-82); `ActiveTimelineV2.getLastCommitMetadataWithValidSchema`,
`TableSchemaResolver.getLatestCommitMetadataWithValidSchema`, `HoodieTable.validateSchema`,
`BaseCommitActionExecutor.executeClustering`, `HoodieCompactor.compact` (1.2.0).

Choices: columns are names, each is new and may be null, and none is dropped, renamed or given another type
(`hoodie.datasource.write.schema.allow.auto.evolution.column.drop` is false, the default). A client's columns are its
own from its beginning on, as an API's client has them; a data frame has those that its plan has read. What rows hold in
them is not told: a column that the table lacks is nowhere. Table version 6 and non-blocking writers are left out.
"""

from collections.abc import Callable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import SchemaConflict, SchemaRefused
from model.hudi.file_groups import CLUSTER, COMPACT, CommitMetadata
from model.hudi.rules import Rules
from model.hudi.timeline import Instant, Timeline
from model.ports import Coverage

Columns = tuple[str, ...]
Lookup = Callable[[Instant], CommitMetadata | None]
SERVICES = (CLUSTER, COMPACT)
"""What changes no columns."""


def resolved(start: Columns | None, now: Columns | None, own: Columns) -> Columns:
    """The columns that a commit is to say, of those of the table at its start and by now; None: it has had no commit.

    Raises: SchemaConflict.
    """
    if now is None or own == now or (start is not None and start == now):
        return own
    if start is not None and own == start:
        return now
    was = "none" if start is None else _words(start)
    raise SchemaConflict(f"columns {_words(own)}: expected those of the start ({was}), the table has {_words(now)} now")


def changes(seen: Timeline, lookup: Lookup) -> list[tuple[Instant, Columns]]:
    """The completed writes that may change columns, with what they say, the last completed first."""
    said = [(instant, lookup(instant)) for instant in reversed(seen.in_order())]
    return [(each, of.columns) for each, of in said if of is not None and of.operation not in SERVICES]


def columns_at(known: list[tuple[Instant, Columns]], time: int | None) -> Columns | None:
    """The columns as of a completion time, of what `changes` gives; None if there were none, or no time."""
    return next((columns for each, columns in known if time is not None and each.visible_at <= time), None)


def columns_of_table(seen: Timeline, lookup: Lookup, rules: Rules) -> Columns:
    """The columns that whoever reads the table finds."""
    if not rules.schema_is_last_requested:
        return next((columns for _, columns in changes(seen, lookup)), ())
    said = [lookup(instant) for instant in reversed(seen.completed)]
    return next((of.columns for of in said if of is not None), ())


def read_commit(timeline: ActiveTimeline, instant: Instant) -> CommitMetadata | None:
    """What a completed instant says; None if its file is empty. Raises: StorageFailed."""
    body = timeline.read_completed(instant)
    return body if isinstance(body, CommitMetadata) else None


def refuse_missing(
    timeline: ActiveTimeline, seen: Timeline, config: HudiConfig, rules: Rules, counts: Coverage
) -> None:
    """Refuse to write without a column that the table has. Raises: SchemaRefused, StorageFailed."""
    if not config.evolved:
        return
    columns = columns_of_table(seen, lambda instant: read_commit(timeline, instant), rules)
    if missing := [name for name in columns if name not in config.columns]:
        counts.hit(coverage.COLUMN_MISSED)
        raise SchemaRefused(f"write: expected columns {_words(columns)} of the table, there is no {_words(missing)}")


def refuse_unlike(
    start: Timeline, seen: Timeline, lookup: Lookup, config: HudiConfig, counts: Coverage
) -> Columns:  # fmt: skip
    """The columns that a commit is to say, which began with one timeline and is checked by another.

    Raises: SchemaConflict, StorageFailed.
    """
    if not (config.evolved and config.schema_conflicts):
        return config.columns
    known, last = changes(seen, lookup), start.completed[-1].visible_at if start.completed else None
    try:
        columns = resolved(columns_at(known, last), next((of for _, of in known), None), config.columns)
    except SchemaConflict:
        counts.hit(coverage.COLUMNS_IN_CONFLICT)
        raise
    if columns != config.columns:
        counts.hit(coverage.COLUMNS_TAKEN)
    return columns


def _words(columns: Columns | list[str]) -> str:
    return ", ".join(columns) or "id to ts"
