"""Snapshot isolation, serializability, their session and real-time variants, and write skew.

Snapshot isolation is tested against the stated versions first (certificate.py). If that fails, the product graph says
whether any order would do: a cycle names the anomaly, no cycle means that the system broke only its own statement.
Serializability means any order; the commit order is tried first because it is the cheapest to try.

Source: Cerone and Gotsman (PODC 2016); Adya's thesis; Fekete et al. (TODS 2005) for write skew.

Choices:
* "strong-session" adds the order of each process's own operations, "strong" adds real time, as Elle names them. The
  plain levels have neither: a session may fall behind there, which monotonic-reads and read-your-writes look after.
* A value that no committed version explains breaks every level, before any graph.
* A read that states a version which holds another value breaks snapshot isolation by stated versions, as do edges that
  run against them; whether some order explains the value is the other levels' question.
"""

from checkers.finding import T1, T2, Finding, Findings, of_cycle, one_per_shape, shown, too_large, unresolved
from checkers.isolation import certificate
from checkers.isolation.cycle import (
    SI_FORBIDS,
    SMALL_NODES,
    WRITE_SKEW,
    Exhausted,
    cheapest,
    fork,
    product_core,
    shortest,
)
from checkers.isolation.graph import WR, build
from checkers.isolation.resolve import FOREIGN, FUTURE_READ, INTERNAL, LOST, UNREPEATABLE, Facts, Inside
from checkers.isolation.visibility import intermediate
from checkers.text import plain


def unexplained(facts: Facts, repeatable: bool = True) -> Findings:
    """Reads that saw what no version of the lineage holds, or that contradict their own operation.

    Args: `repeatable` says whether what was read once must be read again.
    """
    found = [_contradicted(one) for one in facts.inside if repeatable or one.anomaly != UNREPEATABLE]
    for position in facts.nodes:
        for key, value, place, _ in facts.reads[position]:
            if place == LOST:
                held = "a version at or before its start held it and none deleted it"
                says = f"{T1} saw {plain(key)} absent, although {held}"
                found.append(Finding("lost-row", (position,), (), (says,)))
            elif place == FOREIGN:
                found.append(_foreign(facts, position, key, value))
    return one_per_shape(found)


def _contradicted(inside: Inside) -> Finding:
    what = f"{plain(inside.key)} = {shown(inside.value)}"
    why = {
        INTERNAL: "after it had itself written something else there",
        UNREPEATABLE: "after it had itself seen something else there",
        FUTURE_READ: "before it wrote that itself",
    }[inside.anomaly]
    return Finding(inside.anomaly, (inside.op,), (), (f"{T1} saw {what} {why}",))


def _foreign(facts: Facts, position: int, key: str, value: str | None) -> Finding:
    what = f"{plain(key)} = {shown(value)}"
    if value is not None and "|" in value:
        return Finding("duplicated-row", (position,), (), (f"{T1} saw {what}, which no version of the table holds",))
    writer = intermediate(facts, key, value)
    if writer is not None:
        says = f"{T1} saw {what}, which {T2} wrote and then wrote over itself"
        return Finding("G1b", (position, writer), (), (says,))
    return Finding("G1a", (position,), (), (f"{T1} saw {what}, which no version of the table holds",))


def snapshot_isolation(facts: Facts) -> Findings:
    """No cycle without two adjacent rw edges, and no edge against the stated versions."""
    found = unexplained(facts)
    if facts.false:
        found += _false_versions(facts)
    failed = certificate.failures(facts)
    if not failed and certificate.stated(facts):
        facts.proofs[False] = not found
        return found or unresolved(facts)
    found += snapshot_cycle(facts) or one_per_shape([_stated(facts, failure) for failure in failed])
    return found or unresolved(facts)


def _false_versions(facts: Facts) -> Findings:
    found: Findings = []
    for position, (key, value, version) in facts.false[:1]:
        what = f"{plain(key)} = {shown(value)}"
        says = f"{T1} says that it saw {what} as of version {version}, which has another value"
        found.append(Finding("false-version@stated", (position,), (), (says,)))
    return found


def snapshot_cycle(facts: Facts, orders: tuple[str, ...] = ()) -> Findings:
    """The cheapest cycle that snapshot isolation forbids."""
    graph = build(facts, orders)
    if len(graph.nodes) > SMALL_NODES:
        graph = graph.only(product_core(graph))
    cycle = cheapest(graph, SI_FORBIDS)
    return [of_cycle(*cycle)] if cycle else []


def _stated(facts: Facts, failure: certificate.Failure) -> Finding:
    key, at, start = plain(failure.key), failure.at, facts.ops[failure.op].start
    if failure.seen is None:
        says = f"{T1} wrote {key} from version {start}, but {T2} had written it in version {at}, before {T1} committed"
    else:
        what = "from before" if failure.anomaly == certificate.STALE else "written by"
        saw = f"{T1} worked on version {start} but saw {key} = {shown(failure.seen.value)}"
        says = f"{saw}, {what} {T2} in version {at}"
    return Finding(failure.anomaly, (failure.op, failure.other), (), (says,))


def out_of_order(facts: Facts, real_time: bool) -> Findings:
    """An operation that started from before what its session, or anybody, had been told of earlier."""
    failure = certificate.out_of_order(facts, real_time)
    if failure is None:
        return []
    own = "the same session" if failure.anomaly == certificate.SESSION else "real time"
    before = f"{T2} had been told of version {failure.at}"
    says = f"{before}, and after it, in {own}, {T1} started from version {facts.ops[failure.op].start}"
    return [Finding(failure.anomaly, (failure.op, failure.other), (), (says,))]


def long_fork(facts: Facts) -> Findings:
    """No two readers of which each saw a write that the other one missed."""
    if certificate.proved(facts, ()):
        return []
    graph = build(facts)
    nodes = product_core(graph, (), (WR,))
    try:
        cycle = fork(graph.only(nodes)) if nodes else None
    except Exhausted:
        return [too_large(facts)]
    return [of_cycle("long-fork", cycle)] if cycle else unresolved(facts)


def write_skew(facts: Facts) -> Findings:
    """No cycle of rw edges alone: operations that each overwrote what the next one, or the other one, had read."""
    if certificate.proved(facts, (), serial=True):
        return []
    try:
        cycle = shortest(build(facts), WRITE_SKEW)
    except Exhausted:
        return [too_large(facts)]
    if cycle is None:
        return unresolved(facts)
    return [of_cycle("write-skew" if len(cycle) == 2 else "write-skew-ring", cycle)]
