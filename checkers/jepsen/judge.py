"""The verdict on a history of Jepsen's: what holds, what is broken, and what hangs on an order that nobody knows.

What a likely order shows to hold, holds: it is tried first, with snapshots that nobody stated, for with them a proof is
one pass over all reads. Of the rest, a property is broken if what all orders have in common breaks it, or if each of
all orders does. It holds if it holds in one of them, for that explains all that was seen. Else it is unknown.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from checkers.errors import HistoryError
from checkers.explain import explain
from checkers.finding import Finding, one_per_shape
from checkers.histories.history import History
from checkers.isolation.resolve import Facts
from checkers.jepsen.build import certain, likely, orders
from checkers.jepsen.lists import trace_lists
from checkers.jepsen.registers import trace_registers
from checkers.jepsen.rows import APPEND, READ, WRITE, Txn, read_rows
from checkers.jepsen.trace import INTERNAL, ORDER, UNREPEATABLE, Trace
from checkers.properties import RANK, implied, stronger
from checkers.text import plain
from checkers.verdict import INVALID, UNKNOWN, VALID, Verdict, Violation, check

MAX_ORDERS = 200
MAX_EVENTS = 200_000
OWN = {INTERNAL: "a transaction sees what its own steps before make it see",
       ORDER: "the versions of all keys have an order that agrees with every read"}  # fmt: skip
_MECHANISMS = ("conflict-detection", "no-spurious-refusal", "no-leaks")
"""The properties that only histories of Jepsen's can break: what they say."""


def read_jepsen(path: str | os.PathLike[str]) -> Trace:
    """Read a history in EDN or JSON and infer its orders. Raises: HistoryError, one line, naming the file."""
    txns = read_rows(path)
    for number, txn in enumerate(txns, 1):
        txn.number = number
    try:
        return trace_of(txns)
    except HistoryError as error:
        raise error.within(str(path)) from None


def trace_of(txns: Sequence[Txn]) -> Trace:
    """Infer the orders of transactions numbered from 1. Raises: HistoryError."""
    kinds = {mop.kind for txn in txns for mop in txn.mops}
    if {APPEND, WRITE} <= kinds:
        raise HistoryError("transactions", "either lists to append to or registers to write", "both")
    lists = any(isinstance(mop.value, tuple) for txn in txns for mop in txn.mops if mop.kind == READ)
    return trace_lists(txns) if APPEND in kinds or (lists and WRITE not in kinds) else trace_registers(txns)


def check_trace(trace: Trace, properties: Iterable[str] | None = None) -> tuple[Verdict, History]:
    """Check what was inferred for `properties` (None: all that it has something to say about).

    Returns: the verdict, and the history that its witnesses are operations of.
    """
    history = certain(trace)
    asked = None if properties is None else [name for name in properties if name not in OWN]
    explained = likely(trace)
    proof = check(explained, asked) if explained is not None else None
    if proof is not None and asked is None:
        proof = _without_mechanisms(proof)
        asked = list(proof.results)
    proved = [name for name, found in proof.results.items() if found == VALID] if proof is not None else []
    left = asked if asked is None else [name for name in asked if name not in proved]
    verdict = proof if proof is not None and not left else _judged(trace, history, left)
    results = {**dict.fromkeys(proved, VALID), **verdict.results}
    ordered = {name: results[name] for name in sorted(results, key=RANK.__getitem__)}
    verdict = replace(verdict, outcome=_outcome(ordered) if ordered else verdict.outcome, results=ordered)
    return _with_own(trace, verdict, history, properties), history


def _judged(trace: Trace, history: History, asked: Sequence[str] | None) -> Verdict:
    """The verdict for what no likely order shows to hold. Args: `history` has what all orders have in common."""
    verdict = check(history, asked)
    if asked is None:
        verdict = _without_mechanisms(verdict)
    return _settled(trace, verdict, asked, len(history)) if trace.loose else verdict


def _without_mechanisms(verdict: Verdict) -> Verdict:
    """The verdict without what is about starts and clean-up, of which Jepsen's histories say nothing."""
    results = {name: found for name, found in verdict.results.items() if name not in _MECHANISMS}
    reasons = verdict.reasons if UNKNOWN in results.values() or not results else ()
    violations = tuple([one for one in verdict.violations if one.property in results])
    return replace(verdict, outcome=_outcome(results), violations=violations, reasons=reasons, results=results)


def _settled(trace: Trace, verdict: Verdict, asked: Sequence[str] | None, events: int) -> Verdict:
    """The verdict on what all orders have in common, settled for each property by trying orders."""
    histories, whole = orders(trace, max(1, min(MAX_ORDERS, MAX_EVENTS // max(1, events))))
    results = {name: INVALID for name, found in verdict.results.items() if found == INVALID}
    witnesses: dict[str, tuple[Violation, ...]] = {}
    waiting = asked
    for history in histories:
        if history is None:
            continue
        tried = check(history, waiting)
        tried = _without_mechanisms(tried) if waiting is None else tried
        for name, found in tried.results.items():
            witnesses.setdefault(name, tuple([one for one in tried.violations if one.property == name]))
            if found == VALID and name not in results:
                results[name] = VALID
        waiting = [name for name in tried.results if name not in results]
        if not waiting:
            break
    left = [name for name in (verdict.results if waiting is None else waiting) if name not in results]
    for name in left:
        results[name] = INVALID if whole and witnesses.get(name) else UNKNOWN
    broken = [one for name in left if results[name] == INVALID for one in witnesses[name]]
    doubts = [_doubt(trace)] if UNKNOWN in results.values() and not verdict.reasons else []
    return replace(
        verdict,
        outcome=_outcome(results),
        violations=tuple(sorted((*verdict.violations, *broken), key=lambda one: RANK[one.property])),
        reasons=(*verdict.reasons, *doubts),
        results={name: results[name] for name in sorted(results, key=RANK.__getitem__)},
    )


def _outcome(results: Mapping[str, str]) -> str:
    """As of any verdict: a failure outranks an unknown, and an unknown outranks success."""
    return next((outcome for outcome in (INVALID, UNKNOWN) if outcome in results.values()), VALID)


def _doubt(trace: Trace) -> str:
    key, values = next(iter(trace.loose.items()))
    some = ", ".join(plain(one.value, 20) for one in values[:3])
    count = sum(len(values) for values in trace.loose.values())
    return (
        f"nobody saw in which order {count:,} of the values came ({plain(key)}: {some}), and no order tried decides it"
    )


def _broken_by(finding: Finding) -> list[str]:
    """The levels that what was found when reading breaks: read committed may read a key twice and see two values."""
    weakest = "read-atomic" if finding.anomaly == UNREPEATABLE else "read-committed"
    return [weakest, *stronger(weakest)]


def _with_own(trace: Trace, verdict: Verdict, history: History, properties: Iterable[str] | None) -> Verdict:
    """The verdict with what was found when the history was read, which breaks every isolation level as well."""
    found = {name: [finding for about, finding in trace.findings if about == name] for name in OWN}
    asked = list(OWN) if properties is None else [name for name in OWN if name in properties]
    levels = {level for _, finding in trace.findings for level in _broken_by(finding)}
    spoilt = [name for name in verdict.results if name in levels]
    names = list(OWN) if spoilt else asked
    facts = Facts(history) if trace.findings else None
    own = [
        Violation(name, finding.anomaly, finding.ops, (), explain(facts, finding))
        for name in names
        for finding in one_per_shape(found[name])
        if facts is not None and isinstance(finding, Finding)
    ]
    nothing = not any(found == VALID for found in verdict.results.values()) and verdict.outcome == UNKNOWN
    results = {name: INVALID if found[name] else UNKNOWN if nothing else VALID for name in asked}
    results |= {name: INVALID if name in spoilt else outcome for name, outcome in verdict.results.items()}
    promised = implied("no-aborted-reads", Finding("G1a", ())) if own else []
    also = dict.fromkeys([*verdict.also_not, *(name for name in promised if name in levels)])
    return replace(
        verdict,
        outcome=INVALID if own else verdict.outcome if verdict.results else _outcome(results),
        violations=(*own, *verdict.violations),
        also_not=tuple(also),
        results=results,
    )
