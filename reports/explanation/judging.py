"""A history's verdict for a report: the checkers' answer, the lineage, and every row as expected and as read."""

from collections.abc import Iterable

from checkers.finding import named, shown
from checkers.histories.history import OK, SETUP, History
from checkers.isolation.durability import final_read
from checkers.isolation.resolve import Facts
from checkers.text import plain
from checkers.verdict import LARGE_EVENTS, Verdict, check
from reports.record import Finding, Judged, Row, Version


def judge(history: History, properties: Iterable[str] | None) -> Judged:
    """Check a history; None: for all that it has something to say about. Raises: `HistoryError`, `UnknownProperty`."""
    return judged(history, check(history, properties))


def told(history: History, verdict: Verdict) -> Judged:
    """A verdict as a terminal shows it: without the lineage, and of a large history without the rows of the final read,
    which take longer than the verdict; a row that is wrong is told in the sentences."""
    return stated(verdict, rows=final_rows(Facts(history)) if len(history) < LARGE_EVENTS else ())


def judged(history: History, verdict: Verdict) -> Judged:
    """A verdict with what stands around it. `also_not` has only properties that were not asked for."""
    facts = Facts(history)
    return stated(verdict, _lineage(facts), final_rows(facts))


def stated(verdict: Verdict, lineage: tuple[Version, ...] = (), rows: tuple[Row, ...] = ()) -> Judged:
    """A verdict as a report has it, of a history that nobody has in memory, say."""
    return Judged(
        verdict.outcome,
        dict(verdict.results),
        tuple(Finding(v.property, v.anomaly, v.sentences) for v in verdict.violations),
        tuple(name for name in verdict.also_not if name not in verdict.results),
        verdict.reasons,
        lineage,
        rows,
    )


def _lineage(facts: Facts) -> tuple[Version, ...]:
    rows = {event.commit: event for event in facts.history.versions}
    versions = []
    for number, maker in enumerate(facts.lineage.makers):
        row, op = rows.get(number), facts.ops[maker] if maker >= 0 else None
        who = (
            "no client that knows of it" if op is None else "the initial content" if op.process == SETUP else named(op)
        )
        if op is not None and op.type != "ok":
            who += {"fail": ", which was told that it failed", "info": ", which does not know"}[op.type]
        snapshot, parent = row.snapshot if row else op.snapshot if op else None, row.parent if row else None
        versions.append(Version(f"s{number}", plain(snapshot or ""), plain(parent or ""), who))
    return tuple(versions)


def final_rows(facts: Facts) -> tuple[Row, ...]:
    """Each key: the value that the last version of it has in the lineage, and what the final read saw.

    A key that no version has, but an acknowledged operation wrote, must be what that one wrote. Empty if there was no
    final read; every row is "unreadable" if it failed.
    """
    at = final_read(facts)
    if at is None:
        return ()
    read = facts.ops[at]
    seen = {entry.key: entry.value for entry in read.reads}
    told = {w.key: w.value for op in facts.ops if op.type == OK for w in op.writes}
    rows = []
    for key in dict.fromkeys([*facts.lineage.chains, *seen]):
        chain = facts.lineage.chains.get(key)
        wanted = chain.values[-1] if chain else told.get(key)
        got = shown(seen.get(key)) if read.type == "ok" else "unreadable"
        rows.append(Row(plain(key), shown(wanted), got, read.type == "ok" and seen.get(key) == wanted))
    return tuple(rows)
