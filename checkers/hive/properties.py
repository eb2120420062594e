"""What a metastore with caches promises its sessions, checked on histories alone.

Choices:
* The database keeps a change although its transaction aborts, and shows it before its transaction commits. So nothing
  here forbids to see too much, except from a cache: what a cache serves has been settled.
* A list says something of the table that its session means. A read that is shown another one, or none, because the
  name has changed hands since, is judged by right-incarnation alone.
* External tables (reads without a list) are promised monotonic reads per replica, and convergence.

Source: hive/4.8; the design document, "Consistency Guarantee"; Adya's thesis for the words.
"""

from checkers.finding import T1, T2, T3, T4, Finding, Findings, Indeterminate, one_per_shape, shown
from checkers.histories.history import FINAL, INFO
from checkers.hive.answers import calls_answered
from checkers.hive.drops import drops_as_told
from checkers.hive.facts import NEVER, READS, Change, HiveFacts, Reading, hive_facts, parse_list, words_of
from checkers.hive.locks import locks_exclude
from checkers.hive.once import changes_happen_once, refusals_are_true
from checkers.hive.snapshots import lists_keep_their_snapshot
from checkers.hive.statistics import not_listed
from checkers.hive.truncates import truncates_as_told
from checkers.hive.updates import conflicts_have_a_rival, first_committer_wins, updates_build_on_each_other
from checkers.hive.write_ids import lists_have_the_committed, write_ids_given_once
from checkers.isolation.resolve import LOST, Facts, Seen

NAMING = ("rename", "drop", "create")
"""Changes of which table has which name."""


def freshness(facts: Facts) -> Findings:
    """A read shows every write that its list calls valid, and every one committed before its transaction began."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for reading in _managed(known):
        for change in known.changes:
            if change.table_id == reading.seen_id and _owed(known, change, reading):
                found += [
                    _missed(change, reading, seen)
                    for seen in reading.reads
                    if seen.place >= LOST and seen.version < change.version and _writes(change, seen.key)
                ]
    return one_per_shape(found)


def _managed(known: HiveFacts) -> list[Reading]:
    return [reading for reading in known.readings if reading.writes is not None]


def _owed(known: HiveFacts, change: Change, reading: Reading) -> bool:
    if change.op.completed is None or change.op.completed > (reading.op.completed or 0):
        return False
    assert reading.writes is not None
    ending = known.ending(change.txn)
    listed = reading.is_of_the_meant and reading.writes.has(change.write_id)
    return listed or (ending.completed < reading.began and not ending.aborts)


def _writes(change: Change, key: str) -> bool:
    return any(write.key == key for write in change.op.writes)


def _missed(change: Change, reading: Reading, seen: Seen) -> Finding:
    own = change.txn == reading.txn
    listed = reading.writes is not None and reading.writes.has(change.write_id)
    why = f"which is {T2}'s own transaction" if own else f"which {T2}'s list has" if listed else "long committed"
    says = (
        f"{T1} changed {seen.key} in version {change.version} under write id {change.write_id}, {why}",
        f"{T2} was served {shown(seen.value)} by {reading.at} from its {'cache' if reading.cached else 'database'}",
    )
    return Finding("own-write-missed" if own else "stale-read", (change.position, reading.position), (), says)


def all_or_nothing(facts: Facts) -> Findings:
    """A session whose list has a transaction's write ids never sees some of its changes without the others."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for group in _by_snapshot(_managed(known)):
        for txn in dict.fromkeys(change.txn for change in known.changes if change.write_id):
            whole = [change for change in known.changes if change.txn == txn]
            shows, lacks = _part(whole, group)
            if shows is not None and lacks is not None:
                says = (
                    f"{T1} and {T2} are changes of transaction {txn}, which {T4}'s list has",
                    f"{T3} saw {T1}'s change, and {T4}, of the same snapshot, lacks {T2}'s",
                )
                ops = (shows[0].position, lacks[0].position, shows[1].position, lacks[1].position)
                found.append(Finding("partial-transaction", ops, (), says))
    return one_per_shape(found)


def _by_snapshot(readings: list[Reading]) -> list[list[Reading]]:
    groups: dict[tuple[str, int], list[Reading]] = {}
    for reading in readings:
        groups.setdefault((reading.op.process, reading.txn), []).append(reading)
    return list(groups.values())


def _part(
    whole: list[Change], group: list[Reading]
) -> tuple[tuple[Change, Reading] | None, tuple[Change, Reading] | None]:
    shows = lacks = None
    for reading in group:
        for change in whole:
            if change.table_id != reading.seen_id or change.txn == reading.txn:
                continue
            assert reading.writes is not None
            for seen in reading.reads:
                if seen.place < LOST or not _writes(change, seen.key) or not reading.writes.has(change.write_id):
                    continue
                if seen.version >= change.version:
                    shows = shows or (change, reading)
                elif (change.op.completed or 0) < (reading.op.completed or 0):
                    lacks = lacks or (change, reading)
    return shows, lacks


def right_incarnation(facts: Facts) -> Findings:
    """A read by name never shows a table that lost the name before the reader's transaction began.

    While a change of names has an unknown outcome, nobody knows which table has which name.
    """
    known = hive_facts(facts)
    found: list[Finding] = []
    open_since = min([op.invoked for op in facts.ops if op.type == INFO and op.f in NAMING], default=NEVER)
    for reading in _managed(known):
        if open_since < (reading.op.completed or 0):
            continue
        named = [c for c in known.changes if c.table_id == reading.seen_id and c.op.f in NAMING]
        before = [change for change in named if (change.op.completed or 0) < reading.began]
        if not before or any(change.version > before[-1].version and _binds(change, reading) for change in named):
            continue
        last = before[-1]
        if not _binds(last, reading):
            says = (
                f"{T1} took the name {reading.table} from table {reading.seen_id} before {T2}'s transaction began",
                f"{T2} asked for table {reading.table} (id {reading.table_id}) and {reading.at} gave it the old one",
            )
            found.append(Finding("dead-table-served", (last.position, reading.position), (), says))
    return one_per_shape(found)


def _binds(change: Change, reading: Reading) -> bool:
    return change.op.f != "drop" and change.name == reading.table


def no_dirty_reads(facts: Facts) -> Findings:
    """Lists and tags call nothing committed that is not; caches serve nothing unfinished, nor unlisted statistics."""
    known = hive_facts(facts)
    found: list[Finding] = []
    for reading in _managed(known):
        for change in known.changes:
            if change.table_id in (reading.table_id, reading.seen_id) and change.write_id:
                found += [*_called_committed(known, change, reading), *not_listed(change, reading)]
        found += _unfinished(known, reading) if reading.cached else []
    return one_per_shape(found)


def _called_committed(known: HiveFacts, change: Change, reading: Reading) -> list[Finding]:
    found = []
    ending = known.ending(change.txn)
    listed = reading.writes if reading.is_of_the_meant else None
    for what, ids in (("list", listed), ("tag", reading.tag)):
        if ids is None or not ids.has(change.write_id):
            continue
        own, completed = change.txn == reading.txn, reading.op.completed or 0
        state = ""
        if (
            ending.aborts
            and not (own and ending.silent)
            and ending.invoked < (reading.op.invoked if own else completed)
        ):
            state = "aborted"
        elif ending.invoked > completed and not own:
            state = "open"
        if state:
            made = f"write id {change.write_id} (transaction {change.txn}, {T1})"
            says = f"{T2}'s {what} calls {made} committed; it is {state}"
            found.append(Finding(f"{state}-id-in-{what}", (change.position, reading.position), (), (says,)))
    return found


def _unfinished(known: HiveFacts, reading: Reading) -> list[Finding]:
    found = []
    for change in known.changes:
        still_open = known.ending(change.txn).invoked > (reading.op.completed or 0)
        if not change.write_id or change.txn == reading.txn or not still_open:
            continue
        for seen in reading.reads:
            if seen.place >= 0 and seen.version == change.version and _writes(change, seen.key):
                says = f"{reading.at} served {T2} from its cache what {T1} wrote; {T1}'s transaction was still open"
                found.append(Finding("unfinished-write-served", (change.position, reading.position), (), (says,)))
    return found


def convergence(facts: Facts) -> Findings:
    """When all is quiet, every replica serves every table from its cache, and as the database has it; one that was
    evicted from the database, if not; one that is not to be cached from there alone."""
    final = next((op for op in reversed(facts.ops) if op.process == FINAL), None)
    asked = [position for position, op in enumerate(facts.ops) if op.f == "cached"]
    if final is None or not asked:
        sessions = any(op.f in READS for op in facts.ops)
        empty = final is not None and not any(read.value is not None for read in final.reads)
        return [Indeterminate("no replica was asked at the end")] if sessions and not empty else []
    truth = {read.key: read.value for read in final.reads}
    found = [_state(facts, position, truth) for position in asked]
    return one_per_shape([finding for finding in found if finding is not None])


def _state(facts: Facts, position: int, truth: dict[str, str | None]) -> Finding | None:
    op = facts.ops[position]
    words = words_of(op)
    where = f"{words.get('at')} at the end, table {words.get('table')}"
    if words.get("id") == "0":
        return Finding(
            "phantom-table", (position,), (), (f"{T1}: {where}: cached, and the database has no such table",)
        )
    if words.get("source") != "cache":
        if words.get("cached") == "never" or (words.get("at"), words.get("table")) in hive_facts(facts).evicted:
            return None  # it need not be cached, or not again
        return Finding("never-served", (position,), (), (f"{T1}: {where}: not served from the cache any more",))
    if words.get("seen") != words.get("id"):
        return Finding("dead-table-kept", (position,), (), (f"{T1}: {where}: the entry is of another table",))
    late = _aborted_but_open(hive_facts(facts), words)
    if late is not None:
        says = f"{T2}: {where}: the tag calls write id {late.write_id} open; {T1}'s transaction was aborted"
        return Finding("aborted-id-open-in-tag", (late.position, position), (), (says,))
    for key, value, *_ in op.reads:
        if truth.get(key) != value:
            says = f"{T1}: {where}: {key} is cached as {shown(value)}, the database has {shown(truth.get(key))}"
            return Finding("stale-entry", (position,), (), (says,))
    return None


def _aborted_but_open(known: HiveFacts, words: dict[str, str]) -> Change | None:
    if "tag" not in words:
        return None
    tag = parse_list(words["tag"], "at the end")
    for change in known.changes:
        if (
            words.get("seen") == str(change.table_id)
            and change.write_id in tag.open
            and known.ending(change.txn).aborts
        ):
            return change
    return None


def monotonic_reads_per_replica(facts: Facts) -> Findings:
    """A session never sees an older version of a key than it has seen before at the same replica.

    It is about what was shown, whoever wrote it: a change that the session itself has aborted counts, for the database
    keeps it, and so does one whose transaction was open when it was shown.
    """
    newest: dict[tuple[str, str, str], tuple[int, int]] = {}
    found: list[Finding] = []
    for reading in hive_facts(facts).readings:
        for seen in reading.reads:
            if seen.place < LOST:
                continue
            who = (reading.op.process, reading.at, seen.key)
            version, before = newest.get(who, (LOST, reading.position))
            if seen.version < version:
                says = (
                    f"{reading.at} showed {T1} {seen.key} as of version {version}, and {T2} then version {seen.version}"
                )
                found.append(Finding("non-monotonic-read", (before, reading.position), (), (says,)))
            else:
                newest[who] = (seen.version, reading.position)
    return one_per_shape(found)


HIVE_CHECKS = {
    "right-incarnation": right_incarnation,
    "freshness": freshness,
    "all-or-nothing": all_or_nothing,
    "no-dirty-reads": no_dirty_reads,
    "first-committer-wins": first_committer_wins,
    "monotonic-reads-per-replica": monotonic_reads_per_replica,
    "convergence": convergence,
    "calls-answered": calls_answered,
    "locks-exclude": locks_exclude,
    "lists-keep-their-snapshot": lists_keep_their_snapshot,
    "lists-have-the-committed": lists_have_the_committed,
    "write-ids-given-once": write_ids_given_once,
    "drops-as-told": drops_as_told,
    "truncates-as-told": truncates_as_told,
    "changes-happen-once": changes_happen_once,
    "refusals-are-true": refusals_are_true,
    "updates-build-on-each-other": updates_build_on_each_other,
    "conflicts-have-a-rival": conflicts_have_a_rival,
}
