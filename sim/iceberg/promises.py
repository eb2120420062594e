"""Which generated race is promised what, and by whom.

A promise may hang on more than settings: on what the writers do, and on what fails. That is told by further keys, which
no user sets: `sim.iceberg.facts` reads them off a race.

Choices: where the original's own words allow an outcome, the property that it breaks is not promised there. Two
DELETEs of one row may both commit (`RowDelta.validateNoConflictingDeleteFiles`: "it is OK to delete a record that is
also deleted concurrently"), which is two writes of one row. An overwrite of the Java API that asks for no validation
has none (iceberg/4.3), nor has an INSERT OVERWRITE or any other statement that asks for none, nor a transaction whose
later steps validate from its own newest snapshot (`transaction-own-start`); one whose steps validate from its begin
is refused for what it has done itself, before it is committed, and leaves the files of the earlier ones, which only a
commit cleans up. An operation of the Java API works on what its client has loaded before the race, and so reads what
was there then; one that reads two snapshots states the first, and nothing is asked of its reads. An upsert depends on
no snapshot: who deletes by position what he has seen of its row, or the file of it, deletes nothing of what it
brings, and is not refused but by the validation of data that was added; so is it beside an overwrite by the filter of
a row. Who may be told of a conflict that never was, by a service or a network that fails, is promised nothing about
refusals, and nothing about files that he leaves behind; nor is who reads the cache of a metastore. A roll-back asks
nothing of what was committed since it was begun (`iceberg/roll-back-append`), and is no statement about rows: beside
what manages snapshots a table is promised to be there, and what nobody took back. Where deletes of rows are not
validated, in format 3, a data file may come to have two deletion vectors, and the table cannot be scanned
(apache/iceberg#17206): what is begun then fails, and leaves files.
"""

from __future__ import annotations

from sim.generation.generator import Promise, Settings
from sim.iceberg.facts import (
    APART,
    BESIDE,
    CONSUMERS,
    CONTRADICTORY,
    DELETED_TWICE,
    FAULTS,
    GIVEN,
    IN_PART,
    LIKE_ROWS,
    LOOSE,
    MANAGED,
    NAMES_MOVE,
    OF_OLDER_FORMAT,
    OWN_WAY,
    PATIENT,
    READERS,
    ROLLED_BACK,
    ROWS_HAVE_IDS,
    STALE,
    STATISTICS,
    TWO_SNAPSHOTS,
    TWO_VECTORS,
    UNSEEN,
    UNVALIDATED,
)
from sim.iceberg.options import CATALOG, CLIENT, DELETE_LEVEL, UPDATE_LEVEL


def _validated(settings: Settings) -> bool:
    return {settings[one] for one in (UNVALIDATED, BESIDE, LIKE_ROWS)} == {"no"}


def _kept(settings: Settings) -> bool:
    return _validated(settings) and (settings[ROLLED_BACK] == "no" or not _java(settings))


def _seen(settings: Settings) -> bool:
    return "no" in (settings[UNVALIDATED], settings[ROLLED_BACK])


def _one_writer_a_row(settings: Settings) -> bool:
    return _validated(settings) and (settings[DELETED_TWICE], settings[MANAGED]) == ("no", "no")


def _at_one_snapshot(settings: Settings) -> bool:
    return _one_writer_a_row(settings) and settings[TWO_SNAPSHOTS] == "no"


def _can_be_scanned(settings: Settings) -> bool:
    return settings[TWO_VECTORS] == "no"


def _needs_company(settings: Settings) -> bool:
    return {settings[one] for one in (FAULTS, UNSEEN, OWN_WAY, IN_PART, MANAGED, TWO_VECTORS, CONTRADICTORY)} == {"no"}


def _serializable(settings: Settings) -> bool:
    levels = (settings[DELETE_LEVEL.key], settings[UPDATE_LEVEL.key])
    return (
        _one_writer_a_row(settings)
        and settings[CLIENT.key] == "spark-sql"
        and all(level == "serializable" for level in levels)
    )


def _reads_anew(settings: Settings) -> bool:
    reads = (settings[READERS], settings[STALE], settings[TWO_SNAPSHOTS])
    return _validated(settings) and settings[MANAGED] == "no" and reads == ("yes", "no", "no")


def _needs_no_refusal(settings: Settings) -> bool:
    files = (settings[APART], settings[PATIENT], settings[UNVALIDATED])
    return _needs_company(settings) and files == ("yes", "yes", "no")


def _java(settings: Settings) -> bool:
    return settings[CLIENT.key] != "pyiceberg"


def _cleans_up(settings: Settings) -> bool:
    unclean = (FAULTS, OWN_WAY, IN_PART, MANAGED, TWO_VECTORS, STATISTICS, CONTRADICTORY, GIVEN, OF_OLDER_FORMAT)
    return _java(settings) and {settings[one] for one in unclean} == {"no"}


def _rows_have_ids(settings: Settings) -> bool:
    return _java(settings) and settings[ROWS_HAVE_IDS] == "yes"


def _keeps_versions(settings: Settings) -> bool:
    return _java(settings) and settings[CATALOG.key] in ("in-memory", "rest", "jdbc")


def _told(settings: Settings) -> bool:
    return (settings[CONSUMERS], settings[FAULTS]) == ("yes", "no")


def _told_once(settings: Settings) -> bool:
    return _told(settings) and settings[LIKE_ROWS] == "no"


def _told_in_order(settings: Settings) -> bool:
    return _told(settings) and settings[ROLLED_BACK] == "no"


def _keep_up(settings: Settings) -> bool:
    return _told_in_order(settings) and settings[NAMES_MOVE] == "no"


def _told_all(settings: Settings) -> bool:
    return _told(settings) and _validated(settings) and settings[MANAGED] == "no"


VERSIONS_KEPT = "Java, on a catalog that keeps all versions here: in memory, REST, JDBC"
SPEC, PAGE = "Iceberg table specification, Optimistic Concurrency", "Iceberg documentation, Reliability"
VALIDATED = (
    "no statement leaves its validation out or deletes by position beside upserts, no row is inserted by two of them"
)
UNMANAGED = "nobody manages snapshots"
ONCE = f"no row is deleted by two statements, no transaction upserts what another step of it reads, and {UNMANAGED}"
ANEW = f"{UNMANAGED}, somebody reads, one snapshot at a time, and every load is answered with the newest"
ONE_VECTOR = "deletes in format 3 are validated"
ALONE = (
    f"nothing fails, {UNMANAGED}, every commit makes a snapshot, no transaction validates its own, no filter matches a"
    f" file in part, no call contradicts itself, {ONE_VECTOR}"
)
CONSUMED = "somebody reads what came since, or what was, and nothing fails"
PROMISES = (
    Promise("readable", SPEC, _can_be_scanned, ONE_VECTOR),
    Promise(
        "table-invariants", SPEC, lambda s: _java(s) and s[LOOSE] == "no",
        "the files are looked through: Java; deletes of rows are validated",
    ),
    Promise("no-aborted-reads", PAGE, _seen, f"{VALIDATED}, or none moves main back"),
    Promise("acknowledged-writes-survive", PAGE, _kept, f"{VALIDATED}, and none moves main back but PyIceberg"),
    Promise("monotonic-reads", PAGE, _reads_anew, ANEW),
    Promise("read-your-writes", PAGE, _reads_anew, ANEW),
    Promise("no-lost-update", PAGE, _one_writer_a_row, f"{VALIDATED}, {ONCE}"),
    Promise(
        "snapshot-isolation", "TableProperties, isolation levels", _at_one_snapshot,
        f"{VALIDATED}, {ONCE}; nobody reads two snapshots",
    ),
    Promise(
        "serializable", "TableProperties, isolation levels", _serializable,
        "Spark SQL, both levels are serializable, and no row is deleted by two statements",
    ),
    Promise("conflict-detection", SPEC, _one_writer_a_row, f"{VALIDATED}, {ONCE}"),
    Promise("no-spurious-refusal", SPEC, _needs_company, ALONE),
    Promise(
        "no-needless-refusal", "iceberg/4: the unit of conflict is a file or a filter", _needs_no_refusal,
        f"every row has a file of its own, retries suffice, {ALONE}",
    ),
    Promise(
        "no-leaks", "SnapshotProducer, clean-up; BaseTransaction, clean-up in commitTransaction", _cleans_up,
        f"Java, nothing fails, {UNMANAGED}, no transaction is refused for what it has done itself, no filter matches a"
        f" file in part; no call contradicts itself, nobody sets statistics or gives manifests to a transaction, "
        "or rewrites position deletes beside a change of the format, "
        f"{ONE_VECTOR}",
    ),
    Promise(
        "news-are-new", "IncrementalAppendScan, IncrementalChangelogScan", _told_once,
        f"{CONSUMED}; no row is inserted by two statements",
    ),
    Promise(
        "news-are-whole", "IncrementalAppendScan, IncrementalChangelogScan", _told_all,
        f"{CONSUMED}; {VALIDATED}, {UNMANAGED}",
    ),
    Promise("past-stays", "Iceberg table specification, Snapshots", _told, CONSUMED),
    Promise("no-unasked-changes", SPEC, _keeps_versions, VERSIONS_KEPT),
    Promise(
        "row-lineage", "Iceberg table specification, Row Lineage", _rows_have_ids,
        "Java, format 3",
    ),
    Promise("consumers-keep-up", "Scan", _keep_up, f"{CONSUMED}; none moves main back, or the name of a table"),
    Promise(
        "done-as-told", "Iceberg table specification, Snapshot Retention Policy; HiveTableOperations", _java,
        "Java; what an expiry leaves is looked for where a catalog keeps all versions here, locks where it has them",
    ),
)  # fmt: skip
