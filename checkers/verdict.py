"""History in, verdict out.

    verdict = check(history, ("no-lost-update", "serializable"))
    verdict.outcome            "valid", "invalid" or "unknown"
    verdict.violations[0]      the weakest broken property: property, anomaly, witnesses, cycle, sentences

`quick` answers the same question without words, for searches that ask it thousands of times a second.

Choices:
* A failure outranks an unknown: invalid if anything is broken, else unknown if anything cannot be said, else valid.
* `counters` say what the verdict rests on. A verdict over nothing is valid and shows zeros; it is for the caller to
  refuse it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checkers.explain import explain
from checkers.finding import Finding, Findings, Indeterminate, named
from checkers.histories.history import INFO, Event, History
from checkers.isolation.counters import count
from checkers.isolation.graph import Edge
from checkers.isolation.resolve import Facts
from checkers.properties import CHECKS, RANK, implied

LARGE_EVENTS = 20_000
VALID, INVALID, UNKNOWN = "valid", "invalid", "unknown"


class UnknownProperty(ValueError):
    """A property was asked for that no checker knows. The message lists those that are known."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken property. `ops` are operation numbers of the history, called T1, T2, ... in `sentences` in this order.

    `cycle` has operation numbers too; it is empty where the witness is no cycle.
    """

    property: str
    anomaly: str
    ops: tuple[int, ...]
    cycle: tuple[Edge, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer. `violations` weakest broken property first; `also_not` the stronger properties that fall with them.

    `results` has the outcome of every property that was asked for; `reasons` why something is unknown.
    """

    outcome: str
    violations: tuple[Violation, ...]
    also_not: tuple[str, ...]
    reasons: tuple[str, ...]
    results: dict[str, str]
    counters: dict[str, int]


def failure_key(violation: Violation) -> str:
    """Property and anomaly: equal for two histories that show the same defect. Used to deduplicate and to shrink."""
    return f"{violation.property}/{violation.anomaly}"


def ordered(properties: Iterable[str]) -> tuple[str, ...]:
    """`properties` weakest first. Raises: UnknownProperty."""
    try:
        return tuple(sorted(dict.fromkeys(properties), key=RANK.__getitem__))
    except KeyError as error:
        known = ", ".join(CHECKS)
        raise UnknownProperty(f"property: expected one of {known}, got {error.args[0]!r}") from None


_ordered = lru_cache(ordered)
"""The same for a search, which asks for the same properties in each of thousands of runs."""


def quick(events: Sequence[Event] | History, properties: Iterable[str]) -> str | None:
    """The `failure_key` of the weakest broken property; None if none is known to be broken (also if indeterminate).

    Raises: HistoryError, UnknownProperty.
    """
    facts = Facts(events if isinstance(events, History) else History(events))
    for name in _ordered(tuple(properties)):
        for finding in CHECKS[name](facts):
            if isinstance(finding, Finding):
                return f"{name}/{finding.anomaly}"
    return None


def check(history: History, properties: Iterable[str]) -> Verdict:
    """Check `history` for every property asked for. Raises: HistoryError, UnknownProperty."""
    names = ordered(properties)
    if len(history) >= LARGE_EVENTS and names == ("snapshot-isolation",):
        from checkers.histories.storage import to_table  # with Parquet and numpy: only large histories wait for them
        from checkers.isolation import columns

        certified = columns.certify(to_table(history))
        if certified.holds:
            return Verdict(VALID, (), (), (), {names[0]: VALID}, certified.counters)
    facts = Facts(history)
    return _verdict(facts, {name: CHECKS[name](facts) for name in names})


def _verdict(facts: Facts, findings: dict[str, Findings]) -> Verdict:
    violations: list[Violation] = []
    reasons: list[str] = _history_reasons(facts)
    also: dict[str, None] = {}
    results: dict[str, str] = {}
    for name, found in findings.items():
        results[name] = UNKNOWN if reasons else VALID
        for finding in found:
            if isinstance(finding, Indeterminate):
                reasons += [finding.reason] if finding.reason not in reasons else []
                results[name] = UNKNOWN if results[name] == VALID else results[name]
            else:
                results[name] = INVALID
                violations.append(_violation(facts, name, finding))
                also.update(dict.fromkeys([name, *implied(name, finding)]))
    outcome = INVALID if violations else UNKNOWN if reasons else VALID
    weakest = violations[0].property if violations else None
    also_not = tuple(name for name in sorted(also, key=RANK.__getitem__) if name != weakest)
    return Verdict(outcome, tuple(violations), also_not, tuple(reasons), results, count(facts))


def _history_reasons(facts: Facts) -> list[str]:
    for op in facts.ops:
        if op.type == INFO and op.writes and not facts.lineage.stated:
            return [f"the outcome of {named(op)} is unknown, and the history has no lineage to tell"]
    return []


def _violation(facts: Facts, name: str, finding: Finding) -> Violation:
    numbers = [op.id for op in facts.ops]
    cycle = tuple(edge._replace(source=numbers[edge.source], target=numbers[edge.target]) for edge in finding.cycle)
    ops = tuple(numbers[position] for position in finding.ops)
    return Violation(name, finding.anomaly, ops, cycle, explain(facts, finding))
