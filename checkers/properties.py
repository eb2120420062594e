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
from checkers.isolation.isolation import long_fork, write_skew
from checkers.isolation.levels import LEVELS, level_checks
from checkers.isolation.lost_update import lost_update
from checkers.isolation.session_writes import monotonic_writes, session_guarantees, writes_follow_reads
from checkers.isolation.sessions import monotonic_reads, read_your_writes
from checkers.isolation.visibility import no_aborted_reads, readable

_LEVELS = {name: level_checks(name) for name in LEVELS}
CHECKS: dict[str, Check] = {
    "readable": readable,
    "table-invariants": table_invariants,
    "no-aborted-reads": no_aborted_reads,
    "acknowledged-writes-survive": acknowledged_writes_survive,
    "monotonic-reads": monotonic_reads,
    "read-your-writes": read_your_writes,
    "monotonic-writes": monotonic_writes,
    "writes-follow-reads": writes_follow_reads,
    "session-guarantees": session_guarantees,
    "read-committed": _LEVELS["read-committed"]["read-committed"],
    "read-atomic": _LEVELS["read-atomic"]["read-atomic"],
    "causal": _LEVELS["causal"]["causal"],
    "no-lost-update": lost_update,
    "no-long-fork": long_fork,
    "prefix": _LEVELS["prefix"]["prefix"],
    "parallel-snapshot-isolation": _LEVELS["parallel-snapshot-isolation"]["parallel-snapshot-isolation"],
    "snapshot-isolation": _LEVELS["snapshot-isolation"]["snapshot-isolation"],
    "no-write-skew": write_skew,
    "serializable": _LEVELS["serializable"]["serializable"],
    **{f"strong-session-{name}": checks[f"strong-session-{name}"] for name, checks in _LEVELS.items()},
    **{f"strong-{name}": checks[f"strong-{name}"] for name, checks in _LEVELS.items()},
    "conflict-detection": conflict_detection,
    "no-spurious-refusal": no_spurious_refusal,
    "no-leaks": no_leaks,
}
PROPERTIES = tuple(CHECKS)
"""Those of any history with versions. Those of one protocol need words or spans that only its histories have."""
RANK = {name: rank for rank, name in enumerate(CHECKS)}

_NEXT = {
    "read-committed": ("read-atomic",),
    "read-atomic": ("causal",),
    "causal": ("prefix", "parallel-snapshot-isolation"),
    "prefix": ("snapshot-isolation",),
    "parallel-snapshot-isolation": ("snapshot-isolation",),
    "snapshot-isolation": ("serializable",),
    "serializable": (),
}
STRONGER: dict[str, tuple[str, ...]] = {
    "no-aborted-reads": ("read-committed",),
    "no-lost-update": ("parallel-snapshot-isolation",),
    "no-long-fork": ("prefix",),
    "no-write-skew": ("serializable",),
    "monotonic-writes": ("session-guarantees",),
    "writes-follow-reads": ("session-guarantees",),
    "monotonic-reads": ("session-guarantees",),
    "read-your-writes": ("session-guarantees",),
    **{name: (*above, f"strong-session-{name}") for name, above in _NEXT.items()},
    **{
        f"strong-session-{name}": (*(f"strong-session-{one}" for one in above), f"strong-{name}")
        for name, above in _NEXT.items()
    },
    **{f"strong-{name}": tuple(f"strong-{one}" for one in above) for name, above in _NEXT.items()},
}
"""What is the next stronger: whoever breaks a property breaks these, if not against stated versions alone."""
_UNEXPLAINED = (
    "aborted-read thin-air-read vanished-write-read intermediate-read G1a G1b lost-row duplicated-row "
    "internal unrepeatable-read future-read"
).split()
_PROMISED = ("session-snapshot-isolation", "strong-snapshot-isolation", "serializable")


def register(checks: Mapping[str, Check]) -> None:
    """Make the properties of a protocol known by name, stronger than all that are. The second time nothing happens.

    Raises: `ValueError` if a name is taken by another check.
    """
    for name, check in checks.items():
        if CHECKS.setdefault(name, check) is not check:
            raise ValueError(f"property {name!r}: expected a name that is free, got one of another check")
        RANK.setdefault(name, len(RANK))


def implied(name: str, finding: Finding) -> list[str]:
    """The stronger properties that `finding` of property `name` breaks as well.

    Of the many levels with sessions or in real time only those of the two that systems promise.
    """
    if not finding.cycle and finding.anomaly not in _UNEXPLAINED:
        return []
    return [one for one in stronger(name) if not one.startswith("strong-") or one.endswith(_PROMISED)]


def stronger(name: str) -> list[str]:
    """Every property that is stronger than `name`, nearest first."""
    found: list[str] = []
    waiting = list(STRONGER.get(name, ()))
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting += STRONGER.get(one, ())
    return found
