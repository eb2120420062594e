"""What consumers of a Hudi table are told, who read again and again what has come since they read last.

What one is told stands in the argument of his operation: "3 = x, 4 = y", or "nothing". The first one begins with what
was there when the race began.

Source: of what is promised, Hudi documentation, incremental queries, and `hoodie.datasource.read.begin.instanttime` of
1.2.0.

Choices: values are unique, so a row is known by its value; but one that is tried again is written again, and is told as
often as versions have it. A row that was written over, or taken out, before a consumer asked again is no news to him
any more; nor is he told that a row has gone, or is what a restore has brought back. Of versions that were still being
made while he asked nothing is known; who waits for a write that is pending states up to which version he has come.
"""

from typing import NamedTuple

from checkers.finding import T1, T2, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.histories.history import OK, Op
from checkers.histories.told_rows import Row, rows_in
from checkers.isolation.lineage import NOBODY
from checkers.isolation.resolve import Facts
from checkers.text import plain

READ_NEWS, RESTORE = "read news", "restore"


class _Told(NamedTuple):
    """What a consumer was told: his operation, with its position, the rows, and those of his earlier ones."""

    at: int
    op: Op
    rows: tuple[Row, ...]
    before: dict[Row, int]


def news_told_once(facts: Facts) -> Findings:
    """No row is told again to one consumer, nor one that was there when the race began, unless it was written again."""
    first = {(key, chain.values[0]) for key, chain in facts.lineage.chains.items() if chain.versions[0] == 0}
    found = []
    for each in _told(facts):
        for row in each.rows:
            if _written(facts, row) > 1:
                continue
            if row in each.before:
                says = f"{T1} was told of {_words(row)}, and {T2} again"
                found.append(Finding("told-twice", (each.before[row], each.at), (), (says,)))
            elif row in first:
                says = f"{T1} was told of {_words(row)} as new, which was there when the race began"
                found.append(Finding("told-again", (each.at,), (), (says,)))
    return _judged(facts, found)


def no_news_missed(facts: Facts) -> Findings:
    """A consumer has been told of the newest value of each row that was acknowledged before he asked."""
    found = []
    for each in _told(facts):
        known = {*each.before, *each.rows}
        for key in [key for key in facts.lineage.chains if key.startswith("row:")]:
            expected = _newest(facts, key, each.op)
            if expected is not None and (key, expected[1]) not in known:
                maker, value = expected
                says = f"{T1} had written {plain(key)} = {value}, of which {T2}, and who was before, was not told"
                found.append(Finding("missed-news", (maker, each.at), (), (says,)))
    return _judged(facts, found)


def news_are_committed(facts: Facts) -> Findings:
    """What is told was committed."""
    found = []
    for each in _told(facts):
        for key, value in each.rows:
            chain = facts.lineage.chains.get(key)
            if chain is None or not chain.places(value):
                says = f"{T1} was told of {_words((key, value))}, which no version of the table has"
                found.append(Finding("dirty-news", (each.at,), (), (says,)))
    return _judged(facts, found)


def _written(facts: Facts, row: Row) -> int:
    """How many versions have written a row with this value."""
    chain = facts.lineage.chains.get(row[0])
    return len(chain.places(row[1])) if chain is not None else 0


def _newest(facts: Facts, key: str, asks: Op) -> tuple[int, str] | None:
    """Who wrote the newest value of a row that was acknowledged before somebody `asks`, and what; None if it was there
    at first, is gone, or somebody may just then have written over it."""
    chain = facts.lineage.chains[key]
    for place in reversed(range(len(chain.versions))):
        writer = chain.writers[place]
        if writer == NOBODY or chain.versions[place] == 0 or facts.ops[writer].f == RESTORE:
            return None
        op, value = facts.ops[writer], chain.values[place]
        if asks.start is not None and chain.versions[place] > asks.start:
            continue
        if op.type == OK and op.completed is not None and op.completed < asks.invoked:
            return None if value is None else (writer, value)
        if op.invoked < (asks.completed or 0):
            return None
    return None


def _told(facts: Facts) -> list[_Told]:
    found: list[_Told] = []
    known: dict[str, dict[Row, int]] = {}
    for at, op in enumerate(facts.ops):
        if op.f == READ_NEWS and op.type == OK:
            rows, before = rows_in(op.arg or ""), known.get(op.process, {})
            found.append(_Told(at, op, rows, before))
            known[op.process] = {**before, **dict.fromkeys(rows, at)}
    return found


def _words(row: Row) -> str:
    return f"{plain(row[0])} = {row[1]}"


def _judged(facts: Facts, found: list[Finding]) -> Findings:
    """What was found, or that nobody asked."""
    if not any(op.f == READ_NEWS for op in facts.ops):
        return [Indeterminate("no consumer asked for anything", unseen=True)]
    return one_per_shape(found)


NEWS_CHECKS: dict[str, Check] = {
    "news-are-committed": news_are_committed,
    "no-news-missed": no_news_missed,
    "news-told-once": news_told_once,
}
"""Asked where somebody reads incrementally."""
