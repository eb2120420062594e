"""Session guarantees, by key: monotonic reads, read your writes, monotonic writes, writes follow reads, and their sum.

Source: Terry et al., "Session guarantees for weakly consistent replicated data" (PDIS 1994). With a version order each
is one scan of a session: no read below the newest version of the key that the session has read, or written.

Choices:
* A session is a process. Only acknowledged operations oblige: after an unknown outcome nothing is promised.
* A session may have transactions of several operations, from a `begin` to a `commit` or an `abort`. What it wrote in
  one is owed until its end, and after it only if the commit was acknowledged.
* What a session wrote later must be a later version, and later than what the session had read of the key. Who sees a
  later write of a session must see its earlier ones (monotonic writes) and what it had seen before it (writes follow
  reads), or something newer.
* Rows that vanished without a deletion count as going backwards.
"""

from collections.abc import Sequence

from checkers.finding import T1, T2, Finding, Findings, one_per_shape, shown, unresolved
from checkers.histories.history import OK, Op
from checkers.isolation.resolve import LOST, UNBORN, Facts, Seen
from checkers.text import plain


def monotonic_reads(facts: Facts) -> Findings:
    """A session never sees an older version of a key than it has seen before."""
    found: list[Finding] = []
    for session in facts.sessions().values():
        if len(session) < 2:
            continue
        newest: dict[str, tuple[int, int]] = {}
        for position in session:
            for seen in facts.reads[position]:
                if seen.place < LOST:
                    continue
                version, reader = newest.get(seen.key, (UNBORN, position))
                if seen.version < version:
                    found.append(_backwards(seen, version, reader, position))
                elif seen.place != LOST:
                    newest[seen.key] = (seen.version, position)
    return one_per_shape(found) or unresolved(facts, _alone(facts))


def _alone(facts: Facts) -> list[str]:
    """Processes with one operation, as the final reader is: a session has at least two."""
    return [process for process, session in facts.sessions().items() if len(session) < 2]


def _backwards(seen: Seen, version: int, reader: int, position: int) -> Finding:
    anomaly = "vanished-row" if seen.place == LOST else "non-monotonic-read"
    says = f"{T1} saw {plain(seen.key)} as of version {version}, and {T2} then saw {_state(seen)}"
    return Finding(anomaly, (reader, position), (), (says,))


def read_your_writes(facts: Facts) -> Findings:
    """A session sees its own acknowledged writes, or something newer."""
    found: list[Finding] = []
    made, undone = facts.lineage.made, _undone(facts.ops)
    for session in facts.sessions().values():
        if len(session) < 2:
            continue
        written: dict[str, list[tuple[int, int]]] = {}
        for position in session:
            for seen in facts.reads[position]:
                owed = [write for write in written.get(seen.key, ()) if undone.get(write[1], position) >= position]
                mine = max(owed, default=None)
                if mine is not None and seen.place >= LOST and seen.version < mine[0]:
                    wrote = f"{T1} wrote {plain(seen.key)} in version {mine[0]}"
                    says = f"{wrote}, and {T2} then saw {_state(seen)}"
                    found.append(Finding("missed-own-write", (mine[1], position), (), (says,)))
            op = facts.ops[position]
            if op.type == OK and position in made:
                for key, _ in op.writes:
                    written.setdefault(key, []).append((made[position][-1], position))
    return one_per_shape(found) or unresolved(facts, _alone(facts))


def _undone(ops: Sequence[Op]) -> dict[int, int]:
    """The operations of transactions that did not commit for sure, each with its transaction's end."""
    undone: dict[int, int] = {}
    open_at: dict[str, list[int]] = {}
    for position, op in enumerate(ops):
        if op.f == "begin":
            undone.update(dict.fromkeys(open_at.get(op.process, ()), position))
            open_at[op.process] = []
        elif op.process in open_at:
            open_at[op.process].append(position)
            if op.f in ("commit", "abort"):
                mine = open_at.pop(op.process)
                if op.f == "abort" or op.type != OK:
                    undone.update(dict.fromkeys(mine, position))
    return undone


def _state(seen: Seen) -> str:
    if seen.place == LOST:
        return "it absent, although nobody deleted it"
    return f"it {shown(seen.value)}, " + (
        "from before its first version" if seen.place == UNBORN else f"as of version {seen.version}"
    )
