"""What consumers of an Iceberg table are told, who do not read what is current: what came since the race began, or
what was.

Such a read has no reads of its own in a history (`checkers.iceberg.told`); `start` is the version that it found. The
rows of a version are what the lineage says: what its makers wrote, one after the other. Rows of versions carry the
snapshot's operation in `arg`.

Source: of what is promised, `api/IncrementalAppendScan.java` ("append operations"), `IncrementalChangelogScan.java`
("changed rows"), `Scan.useRef`, `TableScan.useSnapshot` of 1.11.0; documentation, Spark Procedures,
`create_changelog_view` (carry-over rows, net changes, pre and post images); specification, Snapshots (immutable).

Choices: values are unique, so a row is known by its value. An overwrite may carry rows over, which the Java API and
`t.changes` tell as gone and as new; a transaction may be all of them. Who has a table that was dropped since may read
it on. Who is refused is told nothing; that is the table's fault only where nobody did what may cut its past off, and,
as Spark SQL refuses who asks for news where there are none, rows were written before.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from checkers.finding import T1, T2, Check, Finding, Findings, Indeterminate, one_per_shape, shown
from checkers.histories.history import FAIL, OK, Op
from checkers.histories.told_rows import Row
from checkers.iceberg.told import (
    APPENDS,
    AT,
    CHANGES,
    CONSUMING,
    NET,
    NEWS,
    OF_RACE,
    UPDATES,
    Told,
    Versions,
    told,
)
from checkers.isolation.lineage import NOBODY
from checkers.isolation.resolve import Facts
from checkers.scope import is_client

APPEND, NO_TABLE = "append", "no table"
BEFORE = re.compile(r"\d+ back|.* h ago")
HARMLESS = frozenset(CONSUMING).union(
    "append, overwrite, replace, replace partitions, remove, remove where, delete, delete where, upsert, change, copy,"
    " compact, cluster manifests, set, add column, drop column, append to branch, overwrite to branch, stage,"
    " create tag, create branch, replace tag, remove tag, remove branch, cherry-pick, sort, move, set statistics,"
    " remove statistics, read, insert, update, merge, merge missing, insert overwrite, truncate".split(", ")
)
"""What leaves main's past as it is, and makes one snapshot."""
KEEPS = re.compile(r"all but (\d+).*")


def news_are_new(facts: Facts) -> Findings:
    """No row is told as new that was there when the race began, none twice, and no net change is undone."""
    versions, found = Versions(facts), []
    first = versions.rows(0)
    for one in told(facts, *NEWS):
        times, gone = Counter(one.added), one.gone
        between = [row for row in times if row in gone] if one.op.f == NET else []
        carried = one.op.f == CHANGES and versions.carries(one.op.start)
        old = [row for row in times if row in first] if one.is_of_race and not carried else []
        twice = [row for row in times if times[row] > 1] if not carried else []
        if old:
            found.append(_finding("told-again", one, f"told of {_words(old)} as new, which was there before"))
        elif between:
            found.append(
                _finding("told-between", one, f"told of {_words(between)} as come and as gone, which is no change")
            )
        elif twice:
            found.append(_finding("told-twice", one, f"told of {_words(twice)} more than once"))
    return _judged(facts, found)


def news_are_whole(facts: Facts) -> Findings:
    """Appends are told with all of their rows, and no others; changes lead from what was there to what is, and an
    update is told as one; main has the rows of the version at which it is read."""
    versions, found = Versions(facts), []
    for one in told(facts, *CONSUMING):
        if one.op.start is not None and not one.is_ended:
            wrong = _TOLD.get(one.op.f, _changes_told)(one, versions, one.op.start)
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
    known = one.is_of_race and not unclear
    wrong = [row for row in one.rows if row not in news | perhaps and (row in other or known)]
    return ("no-append", f"told of {_words(wrong)}, which no append up to its version added") if wrong else None


def _changes_told(one: Told, versions: Versions, until: int) -> tuple[str, str] | None:
    if not one.is_of_race:
        return None
    left, there = versions.rows(0), versions.rows(until)
    left.update(one.added)
    left.subtract(one.gone)
    wrong = [row for row in sorted([*left, *there]) if left[row] != there[row]]
    if not wrong:
        return _updates_told(one, versions, until) if one.op.f == UPDATES else None
    row = wrong[0]
    says = f"told of changes by which {_words(wrong[:1])} is there {left[row]} times, and is there {there[row]} times"
    return "changes-astray", says


def _updates_told(one: Told, versions: Versions, until: int) -> tuple[str, str] | None:
    """A row that one commit has changed is told as it was and as it is; and so is no other."""
    for key in dict.fromkeys([key for key, _ in one.rows]):
        told_so = sum(of == key and value.startswith("to ") for of, value in one.rows)
        made = sum(None not in step for step in pairwise(versions.past(key, until)))
        if told_so != made:
            says = f"told of {told_so} updates of {key}, of which {made} were made up to its version {until}"
            return "update-astray", says
    return None


def _main_told(one: Told, versions: Versions, until: int) -> tuple[str, str] | None:
    if one.asked != "main" or Counter(one.rows) == versions.rows(until):
        return None
    return "main-astray", f"told other rows of main than it has at version {until}"


_TOLD = {APPENDS: _appends_told, AT: _main_told}


def past_stays(facts: Facts) -> Findings:
    """A snapshot, a ref that nobody moves, and what came before the race began are the same whenever they are read."""
    versions, found = Versions(facts), []
    first = versions.rows(0)
    made = [version for version in range(1, len(versions.kinds)) if not versions.is_back(version)]
    since = {row for version in made for row in versions.brought(version)}
    seen: dict[tuple[str, str], Told] = {}
    for one in told(facts, *CONSUMING):
        if not one.is_ended and (one.op.f != AT or (not BEFORE.fullmatch(one.asked) and _is_touched(facts, one.asked))):
            continue
        if one.asked == "0 back" and Counter(one.rows) != first:
            found.append(_finding("past-changed", one, "told other rows than the table had when the race began"))
        if late := [row for row in one.added if one.is_ended and row in since]:
            found.append(_finding("past-changed", one, f"told of {_words(late)}, which was written since"))
        before = seen.setdefault((one.op.f, one.asked), one)
        if Counter(before.rows) != Counter(one.rows):
            says = f"{T1} and {T2} read {one.asked}, which nobody has changed, and were told different rows"
            found.append(Finding("past-changed", (before.at, one.at), (), (says,)))
    return _judged(facts, found)


def _is_touched(facts: Facts, ref: str) -> bool:
    """Whether somebody may have changed where a ref points to; main moves."""
    others = [op.arg or "" for op in facts.ops if op.f not in CONSUMING]
    return ref == "main" or any(ref in re.split(r"\W+", arg) for arg in others)


def consumers_keep_up(facts: Facts) -> Findings:
    """Consumers find what was acknowledged before they asked, and are refused appends only where main's past may have
    been cut off."""
    found = []
    made = [(max(of), facts.ops[at]) for at, of in facts.lineage.made.items() if facts.ops[at].type == OK]
    dropped = _dropped_from(facts)
    for one in told(facts, *CONSUMING):
        if one.op.start is None or (one.op.completed or 0) > dropped:
            continue
        done = [version for version, op in made if op.completed is not None and op.completed < one.op.invoked]
        if max(done, default=0) > one.op.start:
            says = f"on version {one.op.start}, though version {max(done)} had been acknowledged before it asked"
            found.append(_finding("stale-consumer", one, says))
    for at, op in enumerate(facts.ops):
        before = [version for version, by in made if by.writes and (by.completed or 0) < op.invoked]
        if any(before) and _is_refused(facts, op):
            says = f"{T1} was refused ({op.error}), though nobody took anything of main's past away"
            found.append(Finding("consumer-refused", (at,), (), (says,)))
    return _judged(facts, found)


def _is_refused(facts: Facts, op: Op) -> bool:
    """Whether he was refused what was appended since the race began, of which all was there."""
    asked = facts.history.events[op.invoked].arg
    refused = op.type == FAIL and (op.error or "").startswith("InvalidOperation")
    return refused and op.f == APPENDS and asked == OF_RACE and _is_whole(facts)


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


def _finding(anomaly: str, one: Told, says: str) -> Finding:
    return Finding(anomaly, (one.at,), (), (f"{T1} was {says}",))


def _words(rows: Sequence[Row]) -> str:
    return ", ".join([f"{key} = {shown(value)}" for key, value in rows])


def _judged(facts: Facts, found: list[Finding]) -> Findings:
    """What was found, or that nobody asked."""
    if not any(op.f in CONSUMING for op in facts.ops):
        return [Indeterminate("no consumer asked for anything", unseen=True)]
    return one_per_shape(found)


CONSUMER_CHECKS: dict[str, Check] = {
    "news-are-new": news_are_new,
    "news-are-whole": news_are_whole,
    "past-stays": past_stays,
    "consumers-keep-up": consumers_keep_up,
}
"""Asked where somebody reads what came since, or what was."""
