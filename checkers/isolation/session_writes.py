"""Session guarantees about writes: monotonic writes, writes follow reads; and the sum of all four.

A session's later write must not be ordered, or be seen, before what the session did earlier: its own writes (monotonic
writes), or the writes that it had read (writes follow reads). With a version order both are look-ups: by key in the
session itself, and across keys in whoever sees the later write.

Source: Terry et al., "Session guarantees for weakly consistent replicated data" (PDIS 1994).

Choices: as for the guarantees about reads, only acknowledged operations oblige.
"""

from bisect import bisect_left

from checkers.finding import T1, T2, T3, Finding, Findings, one_per_shape, unresolved
from checkers.histories.history import OK
from checkers.isolation.certificate import proved
from checkers.isolation.graph import SO
from checkers.isolation.resolve import UNBORN, Facts, Seen
from checkers.isolation.sessions import monotonic_reads, read_your_writes
from checkers.text import plain

Floor = tuple[int, int, int]
"""Until when in its session, the newest version of a key that it obliges to, and by which operation."""


class _Sessions:
    """For each session and key, the newest version written, or read, up to each of its operations."""

    def __init__(self, facts: Facts, written: bool) -> None:
        self.floors: dict[tuple[str, str], list[Floor]] = {}
        for position in facts.nodes:
            op = facts.ops[position]
            if op.type != OK:
                continue
            made = facts.lineage.made.get(position, ())
            if written:
                touched = [(key, made[-1]) for key, _ in op.writes if made]
            else:
                touched = [(seen.key, seen.version) for seen in facts.reads[position] if seen.place >= 0]
            for key, version in touched:
                floors = self.floors.setdefault((op.process, key), [])
                if not floors or version > floors[-1][1]:
                    floors.append((position, version, position))

    def before(self, process: str, position: int, key: str) -> tuple[int, int] | None:
        """The newest version of `key`, and who is obliged to it, before the operation at `position`."""
        floors = self.floors.get((process, key), ())
        place = bisect_left(floors, (position,)) - 1
        return floors[place][1:] if place >= 0 else None


def monotonic_writes(facts: Facts) -> Findings:
    """A session's writes take effect, and are seen, in its order."""
    return _kept(facts, "monotonic-writes", written=True)


def writes_follow_reads(facts: Facts) -> Findings:
    """A session's write takes effect, and is seen, after what the session had read."""
    return _kept(facts, "writes-follow-reads", written=False)


def session_guarantees(facts: Facts) -> Findings:
    """All four at once."""
    found: Findings = []
    for check in (monotonic_reads, read_your_writes, monotonic_writes, writes_follow_reads):
        found = [finding for finding in check(facts) if isinstance(finding, Finding)]
        if found:
            return found
    return unresolved(facts)


def _kept(facts: Facts, name: str, written: bool) -> Findings:
    if proved(facts, (SO,)):
        return []
    sessions = _Sessions(facts, written)
    found: list[Finding] = []
    for position in facts.nodes:
        op = facts.ops[position]
        made = facts.lineage.made.get(position)
        if made and op.type == OK:
            for key, _ in op.writes:
                owed = sessions.before(op.process, position, key)
                if owed is not None and owed[0] > made[0] and owed[1] != position:
                    found.append(_reordered(name, owed, position, key, made[0], written))
        found += _observed(facts, sessions, position, name, written)
    return one_per_shape(found) or unresolved(facts)


def _observed(facts: Facts, sessions: _Sessions, reader: int, name: str, written: bool) -> list[Finding]:
    """What `reader` missed of what came, in its session, before something that it saw."""
    reads = [seen for seen in facts.reads[reader] if seen.place >= UNBORN]
    writers = dict.fromkeys([seen.chain.writers[seen.place] for seen in reads if seen.place >= 0])
    found = []
    for writer in writers:
        op = facts.ops[writer]
        if writer == reader or op.type != OK:
            continue
        for seen in reads:
            owed = sessions.before(op.process, writer, seen.key)
            if owed is not None and owed[0] > seen.version:
                found.append(_missed(name, owed, writer, reader, seen, written))
    return found


def _reordered(name: str, owed: tuple[int, int], position: int, key: str, made: int, written: bool) -> Finding:
    did = "wrote" if written else "saw"
    says = f"{T1} {did} {plain(key)} in version {owed[0]}, and {T2} then wrote it in version {made}"
    return Finding(_ANOMALIES[name][0], (owed[1], position), (), (says,))


def _missed(name: str, owed: tuple[int, int], writer: int, reader: int, seen: Seen, written: bool) -> Finding:
    did = "wrote" if written else "saw"
    key = plain(seen.key)
    old = "from before its first version" if seen.place == UNBORN else f"as of version {seen.version}"
    says = (
        f"{T1} {did} {key} in version {owed[0]}, and {T2} came after it in the same session",
        f"{T3} saw what {T2} wrote, and {key} {old}",
    )
    return Finding(_ANOMALIES[name][1], (owed[1], writer, reader), (), says)


_ANOMALIES = {
    "monotonic-writes": ("write-behind-own-write", "missed-earlier-write"),
    "writes-follow-reads": ("write-behind-own-read", "missed-earlier-read"),
}
