"""Snapshot isolation against the versions that the system states: each edge alone, no graph.

An operation that states that it started at version s and committed version c has read each key as of s, and nobody
else made a version of a key that it writes after s and before c. Equivalently: commit(a) <= start(b) for every ww and
wr edge a -> b, and start(a) < commit(b) for every rw edge. If this holds for all edges, so does snapshot isolation: a
dependency followed by an rw edge strictly raises the commit version, and cannot close a cycle.

Source: Adya's G-SI; the axioms EXT and NOCONFLICT of Chronos (ICDE 2025), as tests on edges.

Choices:
* An edge that fails is a defect of the system as it describes itself; whether any other order would explain the
  history is the graph's question (cycle.py), and the name of the anomaly keeps the two apart: `...@stated`.
* Sessions and real time are stated, too: who was told of version 3 does not start from version 2 afterwards
  (`out_of_order`), whether or not what it reads shows it.
* A reader's serial place is its start, a writer's its commit (`serial_by_commit`).
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from checkers.histories.history import OK, SETUP
from checkers.isolation.graph import RT
from checkers.isolation.resolve import UNBORN, Facts, Seen

STALE, FUTURE, OVERLAP = "stale-read@stated", "future-read@stated", "write-overlap@stated"
SESSION, REAL_TIME = "session-order@stated", "real-time-order@stated"


class Failure(NamedTuple):
    """An edge that runs against the stated versions. `other` is the operation on its far side, `at` its version."""

    anomaly: str
    op: int
    other: int
    key: str
    at: int
    seen: Seen | None


def stated(facts: Facts) -> bool:
    """Whether every committed operation says what it started from and made one version at most."""
    made = facts.lineage.made
    for position in facts.nodes:
        op = facts.ops[position]
        if op.start is None and op.process != SETUP and (op.reads or op.writes):
            return False
        if len(made.get(position, ())) > 1:
            return False
    return True


def failures(facts: Facts) -> list[Failure]:
    """The edges that fail, by operation. Operations without a start are not judged."""
    found: list[Failure] = []
    for position in facts.nodes:
        start = facts.ops[position].start
        if start is None:
            continue
        for seen in facts.reads[position]:
            if seen.place >= UNBORN:
                _check_read(position, start, seen, found)
        made = facts.lineage.made.get(position)
        if made is not None:
            overlap(facts, position, start, made, found)
    return found


def _check_read(position: int, start: int, seen: Seen, found: list[Failure]) -> None:
    key, _, place, chain = seen
    versions, writers = chain.versions, chain.writers
    if place >= 0 and versions[place] > start:
        if writers[place] != position:
            found.append(Failure(FUTURE, position, writers[place], key, versions[place], seen))
        return
    if place + 1 < len(versions) and versions[place + 1] <= start and writers[place + 1] != position:
        found.append(Failure(STALE, position, writers[place + 1], key, versions[place + 1], seen))


def overlap(facts: Facts, position: int, start: int, made: list[int], found: list[Failure]) -> None:
    """Add the keys that somebody else wrote between `start` and the versions that this operation made."""
    for key, _ in facts.ops[position].writes:
        chain = facts.lineage.chains[key]
        for commit in made:
            place = bisect_left(chain.versions, commit) - 1
            if place >= 0 and chain.versions[place] > start and chain.writers[place] != position:
                found.append(Failure(OVERLAP, position, chain.writers[place], key, chain.versions[place], None))


def out_of_order(facts: Facts, real_time: bool) -> Failure | None:
    """The first operation that started from before a version that an earlier one had been acknowledged for.

    Earlier are those of the same session, or in `real_time` all that had completed when it was invoked. An operation
    that only read is taken to have been acknowledged for its own start. Who has no answer obliges nobody, and without
    lineage rows nobody does if the makers of versions are not all known.
    """
    if not facts.lineage.stated and facts.lineage.unknown():
        return None
    known: dict[str, tuple[int, int]] = {}
    for _, is_end, position in sorted(_moments(facts)):
        op = facts.ops[position]
        session = "" if real_time else op.process
        newest, other = known.get(session, (-1, -1))
        if not is_end:
            if op.start is not None and op.start < newest:
                return Failure(REAL_TIME if real_time else SESSION, position, other, "", newest, None)
            continue
        made = facts.lineage.made.get(position)
        at = made[-1] if made else op.start
        if at is not None and at > newest:
            known[session] = at, position
    return None


def _moments(facts: Facts) -> Iterator[tuple[int, int, int]]:
    for position in facts.nodes:
        op = facts.ops[position]
        yield op.invoked, 0, position
        if op.completed is not None and op.type == OK:
            yield op.completed, 1, position


def proved(facts: Facts, orders: tuple[str, ...], serial: bool = False) -> bool:
    """Whether an order that the system states shows every level up to snapshot isolation; with `serial`, all levels.

    Args: `orders` are those of sessions and real time that the order must keep, too.
    """
    if facts.inside or facts.ambiguous:
        return False
    known = facts.proofs
    if serial not in known:
        by_starts = not serial and _explained(facts) and stated(facts) and not failures(facts)
        known[serial] = by_starts or (serial and serial_by_commit(facts))
    if known[serial]:
        kept = (serial, *orders)
        if orders and kept not in known:
            real_time = RT in orders
            known[kept] = _serial_in(facts, real_time) if serial else out_of_order(facts, real_time) is None
        if not orders or known[kept]:
            return True
    return not serial and proved(facts, orders, serial=True)


def _explained(facts: Facts) -> bool:
    return not facts.false and all(seen.place >= UNBORN for reads in facts.reads for seen in reads)


def _serial_in(facts: Facts, real_time: bool) -> bool:
    """Whether `serial_by_commit` keeps the order of sessions, or of real time."""
    newest: dict[str, int] = {}
    for _, is_end, position in sorted(_moments(facts)):
        session = "" if real_time else facts.ops[position].process
        made, start = facts.lineage.made.get(position), facts.ops[position].start
        at = 2 * made[0] if made else -1 if start is None else 2 * start + 1
        if is_end:
            newest[session] = max(newest.get(session, -1), at)
        elif -1 < at < newest.get(session, -1):
            return False
    return True


def serial_by_commit(facts: Facts) -> bool:
    """Whether the commit order itself is a serial order: nothing that was read was overwritten before the commit."""
    for position in facts.nodes:
        made = facts.lineage.made.get(position, ())
        start = facts.ops[position].start
        if len(made) > 1:
            return False
        if made:
            at = 2 * made[0]
        elif start is not None:
            at = 2 * start + 1
        elif facts.reads[position]:
            return False
        for _, _, place, chain in facts.reads[position]:
            versions, writers = chain.versions, chain.writers
            if place < UNBORN:
                return False
            if place >= 0 and writers[place] != position and 2 * versions[place] >= at:
                return False
            following = place + 1
            if following < len(versions) and 2 * versions[following] < at and writers[following] != position:
                return False
    return True
