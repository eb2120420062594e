"""Mutants of what Spark SQL reads that is not current, killed by `tests/vectors/iceberg_sql_reads.json`.

Source: `model.iceberg.spark_reads`, `model.iceberg.changelog`.
"""

from collections.abc import Callable

from model.iceberg import changelog, incremental, spark, spark_reads
from model.iceberg.changelog import without_carryovers
from model.iceberg.errors import InvalidOperation
from model.iceberg.incremental import Change, changes, signed
from model.iceberg.metadata import Snapshot, TableMetadata, ancestors
from model.iceberg.result import CommandResult
from model.iceberg.scan import read_rows
from model.iceberg.spark_reads import MADE_OF_CHANGES, Again, By, Since
from model.iceberg.table import IcebergTable
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

VERSION, BETWEEN, AT_LAST = spark_reads.read_version, spark_reads.read_between, spark_reads._planned_at_last
PLANNED, IN_LINE, UPDATED, NET = spark_reads._planned, incremental._between, changelog._updated, changelog._net


def what_is_current(table: IcebergTable, _: int | str, __: By, again: Again) -> CommandResult:
    """Main, whatever is asked for."""
    metadata = again()
    return CommandResult(metadata.current_snapshot_id, reads=tuple(sorted(read_rows(table.files, metadata))))


def as_loaded(table: IcebergTable, at: int | str, by: By, _: Again) -> CommandResult:
    """What the table had when it was loaded to plan."""
    return VERSION(table, at, by, lambda: table.metadata)


def as_planned(table: IcebergTable, at: int | str, _: By, again: Again) -> CommandResult:
    """An option is looked at as early as a version."""
    return VERSION(table, at, "version", again)


def pinned(metadata: TableMetadata, at: int | str) -> int | str:
    """A branch is a snapshot once the statement was planned, too."""
    planned = PLANNED(metadata, at)
    return dict(metadata.refs)[planned] if isinstance(planned, str) else planned


def not_pinned(metadata: TableMetadata, at: int | str) -> int | str:
    """A tag is looked up when it is scanned, too."""
    PLANNED(metadata, at)
    return at


def without_end(table: IcebergTable, what: Since, start: int, _: int | None, again: Again) -> CommandResult:
    """Until now, whatever end is named."""
    return BETWEEN(table, what, start, None, again)


def nothing_is_no_news(table: IcebergTable, what: Since, start: int, end: int | None, again: Again) -> CommandResult:
    """Where main has not moved there is nothing to be told."""
    metadata = again()
    if metadata.current_snapshot_id == start:
        return CommandResult(start)
    return BETWEEN(table, what, start, end, again)


def as_created(table: IcebergTable, what: Since, start: int, end: int | None, again: Again) -> CommandResult:
    """What a view shows is what there was when it was made."""
    again()
    made = table.metadata
    again()
    return BETWEEN(table, what, start, end, lambda: made)


def on_main(metadata: TableMetadata, start: int, end: int | None) -> list[Snapshot]:
    """The end has to be on main."""
    if end is not None and all(each.snapshot_id != end for each in ancestors(metadata, metadata.current)):
        raise InvalidOperation("expected an end on main")
    return IN_LINE(metadata, start, end)


def once(again: Again, plans: Callable[[TableMetadata], object]) -> TableMetadata:
    """What cannot be planned is refused."""
    metadata = again()
    plans(metadata)
    return metadata


def any_again(table: IcebergTable, what: Since, start: int, end: int | None, again: Again) -> CommandResult:
    """A changelog's files are found when it is planned, too."""
    AT_LAST(again, lambda metadata: signed(changes(table.files, metadata, start, end)))
    return BETWEEN(table, what, start, end, lambda: table.metadata)


def always(self: spark.SparkSql, table: IcebergTable) -> TableMetadata:
    """A table that the session caches is loaded again, too."""
    self.world.notes.intend(spark.TO_SCAN_AGAIN)
    return table.ops.refresh()


def paired_anyway(group: list[Change]) -> list[Change]:
    """Several rows of one id are left as they are."""
    gone = [one for one in group if one.sign == changelog.REMOVED]
    return group if len(gone) > 1 else UPDATED(group)


def _made(name: str, what: str, by: Callable[[list[Change]], list[Change]], why: str) -> Mutant:
    return replaced(name, spark_reads, "MADE_OF_CHANGES", {**MADE_OF_CHANGES, what: by}, why)


SQL_READS: tuple[Mutant, ...] = (
    replaced("what-is-current-is-read", spark, "read_version", what_is_current, "who asks for what was gets what is"),
    replaced("what-was-loaded-is-read", spark, "read_version", as_loaded, "files are read that an expiry deletes"),
    replaced("options-found-when-planned", spark, "read_version", as_planned, "it is refused by another error"),
    replaced("branches-are-pinned", spark_reads, "_planned", pinned, "a branch is read as it was"),
    replaced("tags-are-not-pinned", spark_reads, "_planned", not_pinned, "a tag is read where it was moved to"),
    replaced("refs-found-when-scanned", spark_reads, "_planned", lambda _, at: at, "it is refused by another error"),
    replaced("cached-tables-are-loaded", spark.SparkSql, "_scan_again", always, "a session sees what others did"),
    replaced("no-end", spark, "read_between", without_end, "the next reader is told the same again"),
    replaced("end-is-on-main", incremental, "_between", on_main, "what was read once is refused the second time"),
    replaced("no-news-is-nothing", spark, "read_between", nothing_is_no_news, "who asks too early is not told so"),
    replaced("view-has-rows", spark, "read_between", as_created, "a view misses what came since it was made"),
    replaced("changes-planned-again", spark, "read_between", any_again, "who asks a moment too early is not told so"),
    replaced("planned-once", spark_reads, "_planned_at_last", once, "who asks a moment too early is refused"),
    _made("raw-changes-without-carryovers", "changes", without_carryovers, "fewer rows than the files have"),
    _made("carryovers-stay", "view", list, "rows that nobody has changed are told"),
    _made("net-changes-by-commit", "net changes", without_carryovers, "what has not changed is told"),
    _made("updates-not-paired", "updates", without_carryovers, "an update is a row that goes and another one"),
    replaced("carryovers-of-any-commit", changelog, "_row", lambda one: (one.id, 0, one.value), "changes are missed"),
    replaced("updates-of-any-commit", changelog, "_id", lambda one: (one.id, 0), "two changes are told as one"),
    replaced("equal-rows-are-one", changelog, "_net", lambda group: NET(group)[:1], "the second of two rows is missed"),
    replaced("rows-of-one-id-allowed", changelog, "_updated", paired_anyway, "updates are told as something else"),
)  # fmt: skip
BY_NAME = {mutant.name: mutant for mutant in SQL_READS}
