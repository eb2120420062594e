"""Statements that go by time, of the Java API and, but for `Retain`, of Spark SQL.

Ages are hours before the race's beginning (`sim.iceberg.aging`).

Source: `api/ExpireSnapshots.java`, `api/ManageSnapshots.java` of 1.11.0.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.iceberg.clock_rule import EPOCH_MS, HOUR_MS
from model.iceberg.metadata import RefRetention


@dataclass(frozen=True, slots=True)
class ExpireOlder:
    """`expireSnapshots().expireOlderThan` an age, `retainLast` the newest `keep` of each branch; None: it is not told,
    and the table's properties say it (`history.expire.*`). Spark SQL: `CALL system.expire_snapshots(t, older_than,
    retain_last)`."""

    age_h: float | None
    keep: int | None = 1


@dataclass(frozen=True, slots=True)
class RollBackToTime:
    """`manageSnapshots().rollbackToTime` of so many hours ago; `CALL system.rollback_to_timestamp`."""

    age_h: float


@dataclass(frozen=True, slots=True)
class Retain:
    """What a ref says about ages: `setMinSnapshotsToKeep`, `setMaxSnapshotAgeMs`, `setMaxRefAgeMs`; None: not set."""

    name: str
    keep: int | None = None
    max_snapshot_age_h: float | None = None
    max_ref_age_h: float | None = None

    @property
    def retention(self) -> RefRetention:
        """The same in milliseconds."""
        return RefRetention(self.name, self.keep, _ms(self.max_snapshot_age_h), _ms(self.max_ref_age_h))


OfTimes = ExpireOlder | RollBackToTime | Retain


def _ms(hours: float | None) -> int | None:
    return None if hours is None else int(hours * HOUR_MS)


def describe(statement: OfTimes) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case ExpireOlder(age, keep):
            told = "as properties say" if age is None else f"{age:g} h"
            return "expire by age", told if keep is None else f"{told}, all but {keep}"
        case RollBackToTime(age):
            return "roll back to a time", f"{age:g} h ago"
        case Retain(name):
            return "set retention", f"{name}: {retention_words(statement.retention)}"


def retention_words(said: RefRetention) -> str:
    """Example: "keeps 3 snapshots, snapshots up to 5 h"."""
    words = [] if said.min_snapshots_to_keep is None else [f"keeps {said.min_snapshots_to_keep}"]
    for what, most in (("snapshots", said.max_snapshot_age_ms), ("itself", said.max_ref_age_ms)):
        words += [] if most is None else [f"{what} up to {most / HOUR_MS:g} h"]
    return ", ".join(words)


def time_before(age_h: float, begun_ms: int = EPOCH_MS) -> int:
    """The time so many hours before a race that begins then."""
    return begun_ms - int(age_h * HOUR_MS)
