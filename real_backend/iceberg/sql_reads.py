"""What Spark SQL reads that is not current: as of a version, by names inside the table, by options, from a changelog.

Choices: `VERSION AS OF` is parsed by Spark's own parser: Hudi's extension, if it is in the session, takes every such
relation for its own. Options are said by the reader that they are documented for: SQL has no place for them.
"""

from collections.abc import Iterable
from typing import Any

from real_backend.iceberg.live_run import sorted_rows
from real_backend.iceberg.sql_managing import Known, time_text
from real_backend.jvm.session import Session
from sim.iceberg.ages import time_before
from sim.iceberg.incremental import OfPast, ReadAt, ReadSince
from sim.iceberg.workload import Rows

SIGNS = {"INSERT": "+", "DELETE": "-", "UPDATE_BEFORE": "from ", "UPDATE_AFTER": "to "}
VIEWS = {"view": "", "net changes": ", net_changes => true", "updates": ", identifier_columns => array('id')"}


def read_past(session: Session, reads: OfPast, actor: str, table: str, known: Known) -> tuple[Rows]:
    """What came since, or what was, in the words of the model. Raises: what Spark throws.

    Args: `table` as "catalog.namespace.table"; `known`: the table as it was when the race began.
    """
    if isinstance(reads, ReadAt):
        return (sorted_rows((row.id, row.v) for row in _at(session, reads, table, known)),)
    options = {"start-snapshot-id": str(known.snapshots.below(reads.back))}
    if reads.until == "before":
        options["end-snapshot-id"] = str(known.snapshots.head)
    if reads.what == "appends":
        found = session.spark.read.options(**options).table(table).select("id", "v").collect()
        return (sorted_rows((row.id, row.v) for row in found),)
    return (_signed(_changes(session, reads, f"changes_of_{actor}", table, options)),)


def _at(session: Session, reads: ReadAt, table: str, known: Known) -> Iterable[Any]:
    if reads.age_h is not None:
        return _as_of(session, reads, reads.age_h, table, known)
    version = known.snapshots.below(reads.back)
    kind = "tag" if reads.ref in known.tags else "branch"
    match reads.by:
        case "name":
            inside = f"{kind}_{reads.ref}" if reads.ref else f"snapshot_id_{version}"
            return session.sql(f"SELECT id, v FROM {table}.{inside}")
        case "option":
            option, value = (kind, reads.ref) if reads.ref else ("snapshot-id", str(version))
            return list(session.spark.read.option(option, value).table(table).select("id", "v").collect())
        case "version":
            said = f"'{reads.ref}'" if reads.ref else str(version)
            return session.parsed_by_spark(f"SELECT id, v FROM {table} VERSION AS OF {said}")


def _as_of(session: Session, reads: ReadAt, age_h: float, table: str, known: Known) -> Iterable[Any]:
    at_ms = time_before(age_h, known.begun_ms)
    match reads.by:
        case "name":
            return session.sql(f"SELECT id, v FROM {table}.at_timestamp_{at_ms}")
        case "option":
            found = session.spark.read.option("as-of-timestamp", str(at_ms)).table(table)
            return list(found.select("id", "v").collect())
        case "version":
            said = time_text(known, age_h)
            return session.parsed_by_spark(f"SELECT id, v FROM {table} TIMESTAMP AS OF '{said}'")


def _changes(session: Session, reads: ReadSince, view: str, table: str, options: dict[str, str]) -> Iterable[Any]:
    if reads.what == "changes":
        return list(session.spark.read.options(**options).table(f"{table}.changes").collect())
    catalog, _, name = table.partition(".")
    told = ", ".join([f"'{key}', '{value}'" for key, value in options.items()])
    session.sql(
        f"CALL {catalog}.system.create_changelog_view(table => '{name}', changelog_view => '{view}',"
        f" options => map({told}){VIEWS[reads.what]})"
    )
    return list(session.spark.table(view).collect())


def _signed(found: Iterable[Any]) -> Rows:
    told = sorted([(row["_change_ordinal"], row["id"], f"{SIGNS[row['_change_type']]}{row['v']}") for row in found])
    return tuple([(key, value) for _, key, value in told])
