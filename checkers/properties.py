"""The properties that can be checked, weakest first, and what each broken one implies.

Choices:
* The order is that of the report: what a user loses first comes first. A table that cannot be read makes all else
  moot; a lost acknowledged write is worse than a broken isolation level; conflict detection is a mechanism, last.
* Implications hold for findings with a cycle, or with a read that nothing explains. A defect against stated versions
  only (`...@stated`) implies nothing about levels that allow any order.
"""

from collections.abc import Mapping

from checkers.finding import Check, Finding
from checkers.isolation.conflicts import conflict_detection, no_spurious_refusal
from checkers.isolation.durability import acknowledged_writes_survive
from checkers.isolation.invariants import no_leaks, table_invariants
from checkers.isolation.isolation import (
    REAL_TIME_ORDER,
    SESSION_ORDER,
    serializable,
    snapshot_isolation,
    strong_serializable,
    strong_snapshot_isolation,
    write_skew,
)
from checkers.isolation.lost_update import lost_update
from checkers.isolation.sessions import monotonic_reads, read_your_writes
from checkers.isolation.visibility import no_aborted_reads, readable

CHECKS: dict[str, Check] = {
    "readable": readable,
    "table-invariants": table_invariants,
    "no-aborted-reads": no_aborted_reads,
    "acknowledged-writes-survive": acknowledged_writes_survive,
    "monotonic-reads": monotonic_reads,
    "read-your-writes": read_your_writes,
    "no-lost-update": lost_update,
    "snapshot-isolation": snapshot_isolation,
    "no-write-skew": write_skew,
    "serializable": serializable,
    "strong-session-snapshot-isolation": strong_snapshot_isolation(*SESSION_ORDER),
    "strong-snapshot-isolation": strong_snapshot_isolation(*REAL_TIME_ORDER),
    "strong-session-serializable": strong_serializable(*SESSION_ORDER),
    "strong-serializable": strong_serializable(*REAL_TIME_ORDER),
    "conflict-detection": conflict_detection,
    "no-spurious-refusal": no_spurious_refusal,
    "no-leaks": no_leaks,
}
PROPERTIES = tuple(CHECKS)
"""Those of any history with versions. Those of one protocol need words or spans that only its histories have."""
RANK = {name: rank for rank, name in enumerate(CHECKS)}

_STRONGER = {
    "no-aborted-reads": ("snapshot-isolation",),
    "no-lost-update": ("snapshot-isolation",),
    "snapshot-isolation": ("serializable", "strong-session-snapshot-isolation"),
    "no-write-skew": ("serializable",),
    "serializable": ("strong-session-serializable",),
    "strong-session-snapshot-isolation": ("strong-snapshot-isolation", "strong-session-serializable"),
    "strong-snapshot-isolation": ("strong-serializable",),
    "strong-session-serializable": ("strong-serializable",),
}
_UNEXPLAINED = (
    "aborted-read thin-air-read vanished-write-read intermediate-read G1a G1b lost-row duplicated-row "
    "internal unrepeatable-read future-read"
).split()


def register(checks: Mapping[str, Check]) -> None:
    """Make the properties of a protocol known by name, stronger than all that are. The second time nothing happens.

    Raises: `ValueError` if a name is taken by another check.
    """
    for name, check in checks.items():
        if CHECKS.setdefault(name, check) is not check:
            raise ValueError(f"property {name!r}: expected a name that is free, got one of another check")
        RANK.setdefault(name, len(RANK))


def implied(name: str, finding: Finding) -> list[str]:
    """The stronger properties that `finding` of property `name` breaks as well."""
    if not finding.cycle and finding.anomaly not in _UNEXPLAINED:
        return []
    found: list[str] = []
    waiting = list(_STRONGER.get(name, ()))
    while waiting:
        stronger = waiting.pop(0)
        if stronger not in found:
            found.append(stronger)
            waiting += _STRONGER.get(stronger, ())
    return found
