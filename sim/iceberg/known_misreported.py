"""What it comes to where a commit is applied, and its client is told that it was not: no news, by any catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.iceberg import VARIANTS
from model.iceberg.tables import IN_FOLDERS
from sim.generation.causes import Known
from sim.iceberg.known_operations import MANAGING, OF_ROWS, TABLES

Parameters = tuple[tuple[str, tuple[str, ...]], ...]
MISREPORTED = ("409-after", "429-after", "503-after-retry", "resend")
"""A commit is applied, and its client is told that it was not, or sends it again by itself."""
ON_JDBC = (("catalog", ("jdbc",)),)
ON_HADOOP = (("catalog", IN_FOLDERS),)


def without(repaired: str) -> tuple[str, ...]:
    """The rules but for those in which a finding is repaired."""
    return tuple([name for name in VARIANTS if name != repaired])


SURVIVE, ANY_FAULT = "acknowledged-writes-survive", ("",)
MISREPORTS: tuple[Known, ...] = (
    Known("iceberg/update-reply-faults", "readable", "unreadable-table", OF_ROWS, MISREPORTED),
    Known("iceberg/update-reply-faults", "no-aborted-reads", "aborted-read", OF_ROWS, MISREPORTED),
    Known("iceberg/update-reply-faults", "no-aborted-reads", "refused-commit-visible", OF_ROWS, MISREPORTED),
    Known("iceberg/update-reply-faults", "table-invariants", "history", OF_ROWS, MISREPORTED),
    Known("iceberg/update-reply-faults", "table-invariants", "dangling-delete", OF_ROWS, MISREPORTED),
    Known("iceberg/insert-insert-misreported", SURVIVE, "", OF_ROWS, MISREPORTED),
    Known("iceberg/insert-insert-misreported", "no-aborted-reads", "vanished-write-read", OF_ROWS, MISREPORTED),
    Known("iceberg/insert-insert-misreported", "no-unasked-changes", "moved", OF_ROWS, MISREPORTED),
)
"""Who looks for its own snapshot first is saved by it where it tries again."""
BROKEN = ("drop-after", "late", "partition")
"""A connection to the database breaks, or its client is cut off, when a statement was carried out, or will be."""
AS_ON_JDBC = {
    "iceberg/update-reply-faults": "iceberg/jdbc-change-broken",
    "iceberg/insert-insert-misreported": "iceberg/jdbc-append-broken",
}


def misreported_by(named: Mapping[str, str], faults: tuple[str, ...], where: Parameters) -> tuple[Known, ...]:
    """The same on a catalog where other faults have a commit taken for lost. Args: `named`: what it is called there."""
    return tuple([
        replace(one, scenario=named[one.scenario], faults=faults, where=where, operations=operations,
                rules=without("self-check-first"), beside=ANY_FAULT)
        for one in MISREPORTS for operations in (OF_ROWS, TABLES, MANAGING)
    ])  # fmt: skip


RUN_AGAIN = misreported_by(AS_ON_JDBC, BROKEN, ON_JDBC)
"""What a statement of the JDBC catalog does that is run again."""
AS_ON_HADOOP = {
    "iceberg/update-reply-faults": "iceberg/hadoop-change-unanswered",
    "iceberg/insert-insert-misreported": "iceberg/hadoop-append-unanswered",
}
NOT_ANSWERED = ("drop-after", "partition")
"""A rename of a file system is made, and its client is told of an error."""
RENAME_FAILED = misreported_by(AS_ON_HADOOP, NOT_ANSWERED, ON_HADOOP)
"""What a rename does that was made and is taken for a lost race."""
