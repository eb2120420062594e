"""History in, verdict out.

    verdict = check(history, ("no-lost-update", "serializable"))
    verdict.outcome            "valid", "invalid" or "unknown"
    verdict.violations[0]      the weakest broken property: property, anomaly, witnesses, cycle, sentences

`judge` answers the same question without words, for searches that ask it thousands of times a second.

Choices:
* A failure outranks an unknown: invalid if anything is broken, else unknown if anything cannot be said, else valid.
  A property that there is nothing to look at for is unknown by itself, and leaves the whole valid if another one is:
  a scenario asks for all that its protocol promises, and not each run has what each promise is about.
* A verdict over nothing is unknown and says what was missing (`checkers.scope`). `judge` does not: one run of a search
  in which nobody was acknowledged is no failure. Whether it was so in all of them is for the search to say.
* Of a history beyond `MOST_EVENTS` only what whole columns, or few operations, show is said: its operations as objects
  would take hours, and more memory than there is. The rest is unknown.
* A reason of one property makes only that one unknown, a reason of the history all that are not broken all the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checkers.explain import explain
from checkers.finding import Finding, Findings, Indeterminate
from checkers.histories.history import Event, History
from checkers.isolation.counters import count
from checkers.isolation.graph import Edge
from checkers.isolation.resolve import Facts
from checkers.properties import CHECKS, PROPERTIES, RANK, implied
from checkers.scope import left_open, nothing_there, out_of_scope
from checkers.text import LINE_CHARACTERS, plain

LARGE_EVENTS, MOST_EVENTS = 20_000, 1_000_000
"""From how many events on whole columns are asked first, and up to how many single operations are asked at all."""
VALID, INVALID, UNKNOWN = "valid", "invalid", "unknown"


class UnknownProperty(ValueError):
    """A property was asked for that no checker knows. The message lists those that are known."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken property. `ops` are operation numbers of the history, in the order in which `sentences` introduce them.

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


def judge(events: Sequence[Event] | History, properties: Iterable[str]) -> tuple[str | None, bool]:
    """Judge a run of a search, without words.

    Returns: the `failure_key` of the weakest broken property, or None; and, if it is None, whether what was recorded
    leaves a property open, so that this run is no good one either. There being nothing to look at (nobody acknowledged,
    nobody read) does not count: other runs may have it. That nobody read or inspected the table at the end does.

    Raises: HistoryError, UnknownProperty.
    """
    facts = Facts(events if isinstance(events, History) else History(events))
    open_ = False
    for name in _ordered(tuple(properties)):
        for finding in CHECKS[name](facts):
            if isinstance(finding, Finding):
                return f"{name}/{plain(finding.anomaly)}", False
            open_ = True
    return None, open_ or left_open(facts) is not None


def quick(events: Sequence[Event] | History, properties: Iterable[str]) -> str | None:
    """The `failure_key` of the weakest broken property; None if none is known to be broken (also if indeterminate).

    Raises: HistoryError, UnknownProperty.
    """
    return judge(events, properties)[0]


def check(history: History, properties: Iterable[str] | None = None) -> Verdict:
    """Check `history` for every property asked for.

    Args: `properties` are names; None asks all of any history, and leaves those out that this one has nothing to say
    about.

    Raises: HistoryError, UnknownProperty.
    """
    names = PROPERTIES if properties is None else ordered(properties)
    found, counters, why = _large(history, names) if len(history) >= LARGE_EVENTS else ({}, {}, "")
    rest = [name for name in names if name not in found]
    facts = Facts(history) if (rest or not found) and len(history) <= MOST_EVENTS else None
    for name in rest:
        found[name] = (facts, CHECKS[name](facts)) if facts is not None else (_NOTHING, [Indeterminate(why)])
    if properties is None:
        found = {name: one for name, one in found.items() if not _unseen(one[0], name, one[1])}
    judged = {name: found[name] for name in names if name in found}
    return _verdict(facts, judged, counters if facts is None else count(facts))


Judged = dict[str, tuple[Facts, Findings]]
"""Of each property what was found, and the facts whose operations the findings are about."""


_NOTHING = Facts(History(()))


def _large(history: History, names: Sequence[str]) -> tuple[Judged, dict[str, int], str]:
    """What whole columns, and few operations, say of a large history, and why no more. Raises: HistoryError."""
    from checkers.histories.storage import StoredHistory, to_table  # with Parquet and numpy: only these wait for them
    from checkers.large import Large

    stored = history if isinstance(history, StoredHistory) else StoredHistory(to_table(history))
    known = Large(stored, names)
    found = {name: (one.facts, one.findings) for name, one in known.decided.items()}
    why = known.reason or "neither whole columns nor the operations on the keys that failed first show it"
    return found, known.counters, f"{why}, and there are too many operations to ask one by one"


def _unseen(facts: Facts, name: str, found: Findings) -> bool:
    if found:
        return all(isinstance(finding, Indeterminate) and finding.unseen for finding in found)
    return out_of_scope(facts, name) is not None


def _verdict(facts: Facts | None, judged: Judged, counters: dict[str, int]) -> Verdict:
    violations: list[Violation] = []
    general = [reason for reason in (nothing_there(facts), left_open(facts)) if reason] if facts is not None else []
    general += [] if judged or general else ["no property was asked for, or none that it has anything about"]
    reasons = dict.fromkeys(general)
    also: dict[str, None] = {}
    results: dict[str, str] = {}
    open_ = bool(general)
    for name, (mine, found) in judged.items():
        broken = [finding for finding in found if isinstance(finding, Finding)]
        doubts = [finding.reason for finding in found if isinstance(finding, Indeterminate)]
        open_ = open_ or bool(doubts)
        missing = None if found or general else out_of_scope(mine, name)
        doubts += [missing] if missing else []
        results[name] = INVALID if broken else UNKNOWN if general or doubts else VALID
        reasons |= dict.fromkeys(doubts)
        for finding in broken:
            violations.append(_violation(mine, name, finding))
            also.update(dict.fromkeys([name, *implied(name, finding)]))
    holds = not open_ and VALID in results.values()
    outcome = INVALID if violations else VALID if holds else UNKNOWN
    weakest = violations[0].property if violations else None
    also_not = tuple(name for name in sorted(also, key=RANK.__getitem__) if name != weakest)
    told = tuple([plain(reason, LINE_CHARACTERS) for reason in reasons])
    return Verdict(outcome, tuple(violations), also_not, told, results, counters)


def _violation(facts: Facts, name: str, finding: Finding) -> Violation:
    numbers = [op.id for op in facts.ops]
    cycle = tuple(edge._replace(source=numbers[edge.source], target=numbers[edge.target]) for edge in finding.cycle)
    ops = tuple(numbers[position] for position in finding.ops)
    return Violation(name, plain(finding.anomaly), ops, cycle, explain(facts, finding))
