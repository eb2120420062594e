"""Which generated race is promised what, and by whom.

A promise may hang on more than settings: on what the writers do, and on what fails. That is told by further keys, which
no user sets: `facts_of` reads them off a race.

Choices: where the original's own words allow an outcome, the property that it breaks is not promised there. Two DELETEs
of one row may both commit (`RowDelta.validateNoConflictingDeleteFiles`: "it is OK to delete a record that is also
deleted concurrently"), which is two writes of one row. An overwrite of the Java API that asks for no validation has
none (iceberg/4.3). Who may be told of a conflict that never was, by a service or a network that fails, is promised
nothing about refusals, and nothing about files that he leaves behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.generator import Promise, Settings
from sim.iceberg.options import CLIENT, DELETE_LEVEL, RETRIES, TIMEOUT, UPDATE_LEVEL
from sim.iceberg.workload import Delete, DeleteRow, Overwrite, Replace, Rows, Select, Statement
from sim.world.scenario import FaultSpace

Writers = Sequence[Sequence[Statement]]
UNVALIDATED, DELETED_TWICE, FAULTS, STALE, READERS, APART, PATIENT = (
    "an unvalidated overwrite", "a row deleted twice", "faults", "stale reads", "readers",
    "one row a file", "retries enough",
)  # fmt: skip


def facts_of(writers: Writers, files: Sequence[Rows], settings: Settings, faults: FaultSpace) -> Settings:
    """What promises hang on beside settings.

    Args: `writers` are the statements of each, `files` the rows of each data file at the start (none: nobody knows).

    Returns: "yes" or "no" by the names above.
    """
    done = [statement for statements in writers for statement in statements]
    deleted = [statement.id for statement in done if isinstance(statement, Delete | DeleteRow)]
    deleted += [key for one in done if isinstance(one, Replace) for key, value in one.effects if value is None]
    hit = faults.kinds if faults.limit else {}
    facts = {
        UNVALIDATED: any(isinstance(one, Overwrite) and not one.validate for one in done),
        DELETED_TWICE: len(set(deleted)) < len(deleted),
        FAULTS: bool(hit),
        STALE: any("stale" in kinds for kinds in hit.values()),
        READERS: any(isinstance(one, Select) for one in done),
        APART: bool(files) and all(len(rows) < 2 for rows in files) and not _joins_rows(done),
        PATIENT: int(settings[RETRIES.key]) >= len(done) - 1 and settings[TIMEOUT.key] == TIMEOUT.values[0],
    }
    return {name: "yes" if fact else "no" for name, fact in facts.items()}


def _joins_rows(done: Sequence[Statement]) -> bool:
    """Whether a statement writes a file of several rows."""
    return any(len(getattr(one, "rows", ())) > 1 or isinstance(one, Overwrite) for one in done)


def _validated(settings: Settings) -> bool:
    return settings[UNVALIDATED] == "no"


def _one_writer_a_row(settings: Settings) -> bool:
    return _validated(settings) and settings[DELETED_TWICE] == "no"


def _serializable(settings: Settings) -> bool:
    levels = (settings[DELETE_LEVEL.key], settings[UPDATE_LEVEL.key])
    return (
        _one_writer_a_row(settings)
        and settings[CLIENT.key] == "spark-sql"
        and all(level == "serializable" for level in levels)
    )


def _reads_anew(settings: Settings) -> bool:
    return _validated(settings) and settings[READERS] == "yes" and settings[STALE] == "no"


def _needs_no_refusal(settings: Settings) -> bool:
    return (settings[APART], settings[PATIENT], settings[FAULTS], settings[UNVALIDATED]) == ("yes", "yes", "no", "no")


def _java(settings: Settings) -> bool:
    return settings[CLIENT.key] != "pyiceberg"


SPEC, PAGE = "Iceberg table specification, Optimistic Concurrency", "Iceberg documentation, Reliability"
VALIDATED, ONCE = "no overwrite leaves its validation out", "and no row is deleted by two statements"
PROMISES = (
    Promise("readable", SPEC),
    Promise("table-invariants", SPEC, _java, "the files are looked through: Java"),
    Promise("no-aborted-reads", PAGE),
    Promise("acknowledged-writes-survive", PAGE, _validated, VALIDATED),
    Promise("monotonic-reads", PAGE, _reads_anew, "somebody reads, and every load is answered with the newest"),
    Promise("read-your-writes", PAGE, _reads_anew, "somebody reads, and every load is answered with the newest"),
    Promise("no-lost-update", PAGE, _one_writer_a_row, f"{VALIDATED}, {ONCE}"),
    Promise("snapshot-isolation", "TableProperties, isolation levels", _one_writer_a_row, f"{VALIDATED}, {ONCE}"),
    Promise(
        "serializable", "TableProperties, isolation levels", _serializable,
        "Spark SQL, both levels are serializable, and no row is deleted by two statements",
    ),
    Promise("conflict-detection", SPEC, _one_writer_a_row, f"{VALIDATED}, {ONCE}"),
    Promise("no-spurious-refusal", SPEC, lambda s: s[FAULTS] == "no", "nothing fails"),
    Promise(
        "no-needless-refusal", "iceberg/4: the unit of conflict is a file or a filter", _needs_no_refusal,
        "every row has a file of its own, retries suffice, nothing fails",
    ),
    Promise(
        "no-leaks", "SnapshotProducer, clean-up", lambda s: _java(s) and s[FAULTS] == "no",
        "Java, and nothing fails",
    ),
)  # fmt: skip
