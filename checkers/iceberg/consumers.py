"""What consumers of an Iceberg table are told, who do not read what is current: what came since the race began, or
what was.

Such a read has no reads of its own in a history: its completion says in words what it was told, as "3 = x, 1 = -a", and
its invocation what it asked for; `start` is the version that it found. The rows of a version are what the lineage says:
what its makers wrote, one after the other. Rows of versions carry the snapshot's operation in `arg`.

Source: of what is promised, `api/IncrementalAppendScan.java` ("append operations"), `IncrementalChangelogScan.java`
("changed rows"), `Scan.useRef`, `TableScan.useSnapshot` of 1.11.0; specification, Snapshots (immutable).

Choices: values are unique, so a row is known by its value. An overwrite may carry rows over, which are told as gone and
as new; a transaction may be all of them. Who has a table that was dropped since may read it on. Who is refused is told
nothing; that is the table's fault only where nobody did what may cut its past off.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from checkers.finding import T1, T2, Check, Finding, Findings, Indeterminate, one_per_shape, shown
from checkers.histories.history import FAIL, OK, Op
from checkers.isolation.lineage import NOBODY
from checkers.isolation.resolve import Facts
from checkers.scope import is_client

APPENDS, CHANGES, AT = "read appends", "read changes", "read at"
ADDED = "+"
APPEND, OVERWRITE, SEVERAL, NO_TABLE = "append", "overwrite", "transaction", "no table"
BEFORE = re.compile(r"\d+ back|.* h ago")
HARMLESS = frozenset(
    "append, overwrite, replace, replace partitions, remove, remove where, delete, delete where, upsert, change, copy,"
    " compact, cluster manifests, set, add column, drop column, append to branch, overwrite to branch, stage,"
    " create tag, create branch, replace tag, remove tag, remove branch, cherry-pick, sort, move, set statistics,"
    " remove statistics, read, read appends, read changes, read at, insert".split(", ")
)
"""What leaves main's past as it is, and makes one snapshot."""
KEEPS = re.compile(r"all but (\d+).*")
Row = tuple[str, str]


class Told(NamedTuple):
    """What a consumer was told: his operation's position, what he asked for, and the rows, of which those of changes
    begin with their sign."""

    at: int
    op: Op
    asked: str
    rows: tuple[Row, ...]

    @property
    def added(self) -> Iterator[Row]:
        """The rows that he was told have come."""
        if self.op.f == APPENDS:
            yield from self.rows
        yield from [(key, value[1:]) for key, value in self.rows if self.op.f == CHANGES and value[0] == ADDED]


class Versions:
    """The rows of each version, and who brought a row."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.kinds = [row.arg for row in facts.history.versions]

    def rows(self, version: int) -> Counter[Row]:
        """The rows of a version."""
        chains = self._facts.lineage.chains.items()
        last = {key: chain.values[chain.at(version)] for key, chain in chains if chain.at(version) >= 0}
        return Counter([(key, value) for key, value in last.items() if value is not None])

    def brought(self, version: int) -> set[Row]:
        """What its maker has written."""
        maker = self._facts.lineage.makers[version]
        writes = self._facts.ops[maker].writes if maker != NOBODY else ()
        return {(key, value) for key, value in writes if value is not None}

    def is_mixed(self, version: int) -> bool:
        """Whether more than what its operation says may have been done in it."""
        maker = self._facts.lineage.makers[version]
        return maker == NOBODY or self._facts.ops[maker].f.startswith(SEVERAL)

    def carries(self, until: int | None) -> bool:
        """Whether a version up to this one (None: it is not known) may have rows anew that were there."""
        since = range(1, len(self.kinds) if until is None else until + 1)
        return any(self.kinds[at] == OVERWRITE or self.is_mixed(at) for at in since)


def news_are_new(facts: Facts) -> Findings:
    """No row is told as new that was there when the race began, and none twice."""
    told, versions = _told(facts, APPENDS, CHANGES), Versions(facts)
    first, found = versions.rows(0), []
    for one in told:
        if one.op.f == CHANGES and versions.carries(one.op.start):
            continue
        times = Counter(one.added)
        old, twice = [row for row in times if row in first], [row for row in times if times[row] > 1]
        if old:
            found.append(_finding("told-again", one, f"told of {_words(old)} as new, which was there before"))
        elif twice:
            found.append(_finding("told-twice", one, f"told of {_words(twice)} more than once"))
    return _judged(facts, found)


def news_are_whole(facts: Facts) -> Findings:
    """Appends are told with all of their rows, and no others; changes lead from what was there to what is."""
    versions, found = Versions(facts), []
    for one in _told(facts, APPENDS, CHANGES):
        if one.op.start is not None:
            told = _appends_told if one.op.f == APPENDS else _changes_told
            wrong = told(one, versions, one.op.start)
            found += [] if wrong is None else [_finding(wrong[0], one, wrong[1])]
    return _judged(facts, found)


def _appends_told(one: Told, versions: Versions, until: int) -> tuple[str, str] | None:
    since = range(1, until + 1)
    unclear = [at for at in since if versions.is_mixed(at)]
    brought = {at: versions.brought(at) for at in since}
    news = {row for at in since if at not in unclear and versions.kinds[at] == APPEND for row in brought[at]}
    other = {row for at in since if at not in unclear and versions.kinds[at] != APPEND for row in brought[at]}
    perhaps = {row for at in unclear for row in brought[at]}
    if missed := sorted(news.difference(one.rows)):
        return "missed-append", f"not told of {_words(missed)}, which was appended up to its version {until}"
    wrong = [row for row in one.rows if row not in news | perhaps and (row in other or not unclear)]
    return ("no-append", f"told of {_words(wrong)}, which no append up to its version added") if wrong else None


def _changes_told(one: Told, versions: Versions, until: int) -> tuple[str, str] | None:
    left, there = versions.rows(0), versions.rows(until)
    for key, value in one.rows:
        left[key, value[1:]] += 1 if value[0] == ADDED else -1
    wrong = [row for row in sorted([*left, *there]) if left[row] != there[row]]
    if not wrong:
        return None
    row = wrong[0]
    says = f"told of changes by which {_words(wrong[:1])} is there {left[row]} times, and is there {there[row]} times"
    return "changes-astray", says


def past_stays(facts: Facts) -> Findings:
    """A snapshot, and a ref that nobody moves, has the same rows whenever it is read."""
    told, found = _told(facts, AT), []
    first = Counter(Versions(facts).rows(0))
    seen: dict[str, Told] = {}
    for one in told:
        if not BEFORE.fullmatch(one.asked) and _is_touched(facts, one.asked):
            continue
        if one.asked == "0 back" and Counter(one.rows) != first:
            found.append(_finding("past-changed", one, "told other rows than the table had when the race began"))
        before = seen.setdefault(one.asked, one)
        if Counter(before.rows) != Counter(one.rows):
            says = f"{T1} and {T2} read {one.asked}, which nobody has changed, and were told different rows"
            found.append(Finding("past-changed", (before.at, one.at), (), (says,)))
    return _judged(facts, found)


def _is_touched(facts: Facts, ref: str) -> bool:
    """Whether somebody may have changed where a ref points to; main moves."""
    others = [op.arg or "" for op in facts.ops if op.f not in (APPENDS, CHANGES, AT)]
    return ref == "main" or any(ref in re.split(r"\W+", arg) for arg in others)


def consumers_keep_up(facts: Facts) -> Findings:
    """Consumers find what was acknowledged before they asked, and are refused appends only where main's past may have
    been cut off."""
    told, found = _told(facts, APPENDS, CHANGES, AT), []
    made = [(max(of), facts.ops[at]) for at, of in facts.lineage.made.items() if facts.ops[at].type == OK]
    dropped = _dropped_from(facts)
    for one in told:
        if one.op.start is None or (one.op.completed or 0) > dropped:
            continue
        done = [version for version, op in made if op.completed is not None and op.completed < one.op.invoked]
        if max(done, default=0) > one.op.start:
            says = f"on version {one.op.start}, though version {max(done)} had been acknowledged before it asked"
            found.append(_finding("stale-consumer", one, says))
    for at, op in enumerate(facts.ops):
        if op.type == FAIL and op.f == APPENDS and (op.error or "").startswith("InvalidOperation") and _is_whole(facts):
            says = f"{T1} was refused ({op.error}), though nobody took anything of main's past away"
            found.append(Finding("consumer-refused", (at,), (), (says,)))
    return _judged(facts, found)


def _dropped_from(facts: Facts) -> int:
    """The row from which on the table may be dropped; beyond the history, if nobody drops it."""
    makers, rows = facts.lineage.makers, facts.history.versions
    drops = [makers[version] for version, row in enumerate(rows) if row.arg == NO_TABLE]
    return min([facts.ops[at].invoked if at != NOBODY else 0 for at in drops], default=len(facts.history))


def _is_whole(facts: Facts) -> bool:
    """Whether nobody has moved main back, and no expiry has taken what came since the race began."""
    return all(op.f in HARMLESS or _keeps_all(facts, op) or not is_client(op.process, op.f) for op in facts.ops)


def _keeps_all(facts: Facts, op: Op) -> bool:
    """Whether it is an expiry that keeps as many snapshots as can have come until it was done."""
    keeps = KEEPS.fullmatch(op.arg or "") if op.f == "expire" else None
    until = len(facts.history) if op.completed is None else op.completed
    came = [maker for maker in facts.lineage.makers[1:] if maker == NOBODY or facts.ops[maker].invoked < until]
    return keeps is not None and int(keeps[1]) >= max(len(came), 1)


def _told(facts: Facts, *kinds: str) -> list[Told]:
    events = facts.history.events
    return [
        Told(at, op, events[op.invoked].arg or "", _rows(op.arg or ""))
        for at, op in enumerate(facts.ops)
        if op.type == OK and op.f in kinds
    ]


def _rows(words: str) -> tuple[Row, ...]:
    """Example: "3 = x, 1 = -a" is row:3 and row:1."""
    told = [text.partition(" = ") for text in words.split(", ") if " = " in text]
    return tuple([(f"row:{key}", value) for key, _, value in told])


def _finding(anomaly: str, one: Told, says: str) -> Finding:
    return Finding(anomaly, (one.at,), (), (f"{T1} was {says}",))


def _words(rows: Sequence[Row]) -> str:
    return ", ".join([f"{key} = {shown(value)}" for key, value in rows])


def _judged(facts: Facts, found: list[Finding]) -> Findings:
    """What was found, or that nobody asked."""
    if not any(op.f in (APPENDS, CHANGES, AT) for op in facts.ops):
        return [Indeterminate("no consumer asked for anything", unseen=True)]
    return one_per_shape(found)


CONSUMER_CHECKS: dict[str, Check] = {
    "news-are-new": news_are_new,
    "news-are-whole": news_are_whole,
    "past-stays": past_stays,
    "consumers-keep-up": consumers_keep_up,
}
"""Asked where somebody reads what came since, or what was."""
