"""Isolation levels from read committed to serializability; each plain, with the order of sessions, and in real time.

| level | forbids |
| --- | --- |
| read committed | reads of what was refused, or written over by its own writer; cycles of ww and wr (Adya's PL-2) |
| read atomic | seeing one write of an operation and missing another; reading a key twice with two results |
| causal | missing a write that comes before something that was seen, by any chain of reads |
| prefix | seeing something and missing what comes before it in one order of all writes |
| parallel snapshot isolation | cycles with one rw edge (PL-2+): causal, and no lost update |
| snapshot isolation | cycles without two rw edges in a row |
| serializable | all cycles |

Every level forbids what those above it do, save that snapshot isolation does not imply what parallel snapshot isolation
and prefix forbid the other way round: each of these two is weaker than it, and they are not comparable.

Source: Adya's thesis (1999) for PL-2 and PL-2+; Cerone, Bernardi and Gotsman (CONCUR 2015) and Biswas and Enea (OOPSLA
2019) for the axioms of read atomic, causal and prefix, with the versions' order as the order of commits; Cerone and
Gotsman (PODC 2016) for snapshot isolation. Names with "strong-session-" and "strong-" as in Elle.

Choices:
* An order that the system states is tried first: if it explains the history, so is every level explained that it
  serves (certificate.py). Otherwise a witness is sought, the shortest of the cheapest class.
* Read atomic and causal look at the direct, or at all, predecessors by wr (and by sessions or real time, where asked
  for) of each reader; writing later (ww) makes nothing visible there.
"""

from functools import partial

from checkers.finding import Check, Findings, of_cycle, too_large, unresolved
from checkers.isolation.certificate import proved
from checkers.isolation.cycle import (
    PREFIX_FORBIDS,
    PSI_FORBIDS,
    RC_FORBIDS,
    SER_FORBIDS,
    SI_FORBIDS,
    SMALL_NODES,
    Anomaly,
    Exhausted,
    cheapest,
    product_core,
    suffix,
)
from checkers.isolation.graph import RT, SO, build
from checkers.isolation.isolation import out_of_order, snapshot_isolation, unexplained
from checkers.isolation.resolve import Facts
from checkers.isolation.visible import missed

SESSION_ORDER, REAL_TIME_ORDER = (SO,), (SO, RT)
SNAPSHOT, SERIALIZABLE = "snapshot-isolation", "serializable"
LEVELS: dict[str, tuple[Anomaly, ...]] = {
    "read-committed": RC_FORBIDS,
    "read-atomic": RC_FORBIDS,
    "causal": RC_FORBIDS,
    "prefix": PREFIX_FORBIDS,
    "parallel-snapshot-isolation": PSI_FORBIDS,
    SNAPSHOT: SI_FORBIDS,
    SERIALIZABLE: SER_FORBIDS,
}
"""The cycles that each level forbids, weakest level first."""
_HOPS = {"read-atomic": 1, "causal": None}
"""How far back a reader must know what came before it, where that is no matter of a class of cycles."""
_ANOMALIES = {"read-atomic": "fractured-read", "causal": "causality-violation"}


def level_checks(name: str) -> dict[str, Check]:
    """The checks of one level by their names: plain, per session, in real time."""
    plain: Check = snapshot_isolation if name == SNAPSHOT else partial(_check, name, ())
    return {
        name: plain,
        f"strong-session-{name}": partial(_check, name, SESSION_ORDER),
        f"strong-{name}": partial(_check, name, REAL_TIME_ORDER),
    }


def _check(name: str, orders: tuple[str, ...], facts: Facts) -> Findings:
    if proved(facts, orders, serial=name == SERIALIZABLE):
        if name != SNAPSHOT or facts.proofs.get((False, *orders)):
            return []
        return out_of_order(facts, RT in orders)
    found = unexplained(facts, repeatable=name != "read-committed")
    try:
        found += _broken(name, orders, facts)
    except Exhausted:
        return found or [too_large(facts)]
    if name == SNAPSHOT and not found:
        found = out_of_order(facts, RT in orders)
    return found or unresolved(facts)


def _broken(name: str, orders: tuple[str, ...], facts: Facts) -> Findings:
    graph = build(facts, orders)
    forbidden = LEVELS[name]
    before = forbidden[-1].before if len(forbidden) > 2 else ()
    if len(graph.nodes) > SMALL_NODES and name != SERIALIZABLE:
        graph = graph.only(product_core(graph, orders, before))
    cycle = cheapest(graph, forbidden)
    if cycle is None and name in _HOPS:
        witness = missed(facts, orders, _HOPS[name])
        return [of_cycle(_ANOMALIES[name] + suffix(witness), witness)] if witness else []
    return [of_cycle(*cycle)] if cycle else []
