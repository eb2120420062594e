"""Promises of Hudi's multi-writer protocol and of early conflict detection, from what was recorded of a run.

Besides what clients asked and were told, a history may hold spans: operations of processes named `<actor>/<what>` with
`what` as `f` and the subject as argument. `hold` (a lock; argument: its name), `instant` (the life of an instant, from
its requested file to COMPLETED; failed = its writer gave up), `mark` (the check for early conflicts and the marker that
follows; argument: instant and "partition/file group"; failed = early conflict). What an inspection found lying about at
the end are operations `leftover`, one per file.

Source: Hudi spec/9 (I1, I5 to I7, I9); RFC-56.

Choices: file groups are keys of reads and writes (`group:<file id>`), so that lost updates per group, and readers'
snapshots of groups, are found by the checks for rows. A span that never ended belongs to a process that died: it holds
nothing any more, and is not judged.
"""

import re

from checkers.finding import Check, Doubt, Finding, Findings, one_per_shape
from checkers.history import FAIL, OK, Op
from checkers.invariants import INSPECT
from checkers.resolve import Facts

HOLD, INSTANT, MARK, LEFTOVER = "hold", "instant", "mark", "leftover"
WRITES = ("upsert", "insert")
_EARLY = re.compile(r"early conflict: (?P<group>\S+) (?P<how>is being written|was changed) by (?P<instant>\d+)")
_LATE = re.compile(r"write conflict: (?P<groups>.+) was changed by (?P<instant>\d+)")
_CROWDED_OUT = re.compile(r"was changed by|being written by|is not older than|LockFailed|InstantExists")


def _spans(facts: Facts, what: str) -> list[tuple[int, Op]]:
    return [(position, op) for position, op in enumerate(facts.ops) if op.f == what and "/" in op.process]


def _actor(op: Op) -> str:
    return op.process.split("/", 1)[0]


def one_lock_holder(facts: Facts) -> Findings:
    """No two clients are in the critical section of one lock at once."""
    found = []
    held: dict[str | None, list[tuple[int, Op]]] = {}
    for position, op in _spans(facts, HOLD):
        if op.completed is None:
            continue
        for other, earlier in held.setdefault(op.arg, []):
            if earlier.completed is not None and earlier.completed > op.invoked:
                says = f"T1 held {op.arg} when T2 was granted it"
                found.append(Finding("two-lock-holders", (other, position), (), (says,)))
        held[op.arg].append((position, op))
    return one_per_shape(found)


def somebody_finishes(facts: Facts) -> Findings:
    """Of writers that stop each other, at least one commits (RFC-56: not "failing together")."""
    writes = [(position, op) for position, op in enumerate(facts.ops) if op.f in WRITES and op.process != "setup"]
    failed = [(position, op) for position, op in writes if op.type == FAIL]
    if not failed or len(failed) < len(writes) or not all(_CROWDED_OUT.search(op.error or "") for _, op in failed):
        return []
    says = tuple(f"T{n} was refused ({op.error})" for n, (_, op) in enumerate(failed, 1))
    return [Finding("nobody-finished", tuple(position for position, _ in failed), (), (*says, "nobody committed"))]


def sound_early_aborts(facts: Facts) -> Findings:
    """An early abort names an instant that is alive, or completed since the write began, and that marked the group."""
    found = []
    lives = {op.arg: (position, op) for position, op in _spans(facts, INSTANT)}
    marked = {op.arg for _, op in _spans(facts, MARK) if op.type != FAIL}
    for position, op in _spans(facts, MARK):
        match = _EARLY.search(op.error or "") if op.type == FAIL else None
        if match is None:
            continue
        life = lives.get(match["instant"])
        wrong = _unsound(facts, op, match, life[1] if life else None, marked)
        if wrong is not None:
            shape, says = wrong
            found.append(
                Finding(shape, (position, *([life[0]] if life else [])), (), (f"T1 was refused: {op.error}", says))
            )
    return one_per_shape(found)


def _unsound(
    facts: Facts, op: Op, match: re.Match[str], life: Op | None, marked: set[str | None]
) -> tuple[str, str] | None:
    instant = match["instant"]
    if life is None:
        return None  # begun before the recording: nothing is known of it
    began = max(
        (other.invoked for other in facts.ops if other.process == _actor(op) and other.invoked < op.invoked), default=0
    )
    if life.completed is not None and life.type == OK and life.completed < began:
        return (
            "aborted-by-finished-instant",
            f"instant {instant} (T2) was completed before the write began: no conflict",
        )
    if life.completed is not None and life.type == FAIL and life.completed < op.invoked:
        return "aborted-by-dead-instant", f"the writer of {instant} (T2) had given up ({life.error}): nobody is writing"
    if match["how"] == "is being written" and f"{instant} {match['group']}" not in marked:
        return "aborted-without-marker", f"instant {instant} (T2) never marked {match['group']}"
    return None


def tries_do_not_stop_each_other(facts: Facts) -> Findings:
    """A try that began when nobody else was at work is not why a later try is refused: else there may be no end."""
    found = []
    lives = {op.arg: (position, op) for position, op in _spans(facts, INSTANT)}
    for position, op in _spans(facts, MARK):
        match = _EARLY.search(op.error or "") if op.type == FAIL else None
        named = lives.get(match["instant"]) if match else None
        if match is None or named is None or named[1].type != FAIL or not _alone(facts, named[1], op):
            continue
        says = f"{match['instant']} (T2) began, and was refused, when nobody else was at work"
        found.append(Finding("refused-by-lonely-try", (position, named[0]), (), (f"T1 was refused: {op.error}", says)))
    return one_per_shape(found)


def _alone(facts: Facts, life: Op, until: Op) -> bool:
    """Whether no write of others was under way between the beginnings of `life` and of `until`."""
    return not any(
        op.f in WRITES and op.process not in (_actor(life), "setup") and op.invoked < until.invoked
        and (op.completed is None or op.completed > life.invoked)
        for op in facts.ops
    )  # fmt: skip


def marker_checks_exclusive(facts: Facts) -> Findings:
    """Only one writer checks for, and creates, a marker of one file group at a time (RFC-56)."""
    found = []
    spans = [(position, op) for position, op in _spans(facts, MARK) if op.completed is not None]
    for index, (position, op) in enumerate(spans):
        for other, earlier in spans[:index]:
            if _group(earlier) == _group(op) and earlier.completed is not None and earlier.completed > op.invoked:
                says = f"T2 began to check {_group(op)} while T1 was between its check and its marker"
                found.append(Finding("two-in-marker-check", (other, position), (), (says,)))
    return one_per_shape(found)


def _group(op: Op) -> str:
    return (op.arg or "").split(" ", 1)[-1]


def _instant(op: Op) -> str:
    return (op.arg or "").split(" ", 1)[0]


def early_conflicts_noticed(facts: Facts) -> Findings:
    """Of two living instants that mark one file group, the second is refused (RFC-56: "no conflict is missed")."""
    found = []
    lives = {op.arg: op for _, op in _spans(facts, INSTANT)}
    spans = [(position, op) for position, op in _spans(facts, MARK) if op.type == OK and op.completed is not None]
    for first, one in spans:
        for second, two in spans:
            if _group(one) != _group(two) or _instant(one) == _instant(two) or not _before(one, two):
                continue
            life = lives.get(_instant(one))
            if life is None or (life.completed is not None and life.completed < (two.completed or 0)):
                continue
            race = one.completed is not None and one.completed > two.invoked
            shape = "missed-in-race" if race else "missed-larger-instant" if _instant(one) > _instant(two) else "missed"
            says = f"T1 and T2 both made a marker of {_group(one)}, and {_instant(one)} was alive at T2"
            found.append(Finding(shape, (first, second), (), (says,)))
    return one_per_shape(found)


def _before(one: Op, two: Op) -> bool:
    return one.completed is not None and two.completed is not None and one.completed < two.completed


def visible_conflicts_found_early(facts: Facts) -> Findings:
    """A conflict with a commit that was there when the marker was made is found then, not at the commit (figure 4)."""
    found = []
    lives = {op.arg: op for _, op in _spans(facts, INSTANT)}
    for position, op in enumerate(facts.ops):
        match = _LATE.search(op.error or "") if op.f in WRITES and op.type == FAIL else None
        life = lives.get(match["instant"]) if match else None
        if match is None or life is None or life.completed is None or life.type != OK:
            continue
        for span, mark in _spans(facts, MARK):
            mine = _actor(mark) == op.process and op.invoked < mark.invoked < (op.completed or 0)
            passed = mine and mark.type == OK and _group(mark) in match["groups"].split(", ")
            if passed and life.completed < mark.invoked:
                there = f"{match['instant']} had completed when T2 looked for conflicts on {_group(mark)}"
                found.append(
                    Finding("visible-conflict-found-late", (position, span), (), (f"{there}, and T1 went on",))
                )
    return one_per_shape(found)


def rollback_is_final(facts: Facts) -> Findings:
    """An instant whose rollback has completed is never completed afterwards (I9)."""
    kind = "completed-after-rollback"
    found = [
        Finding(kind, (position,), (), (f"T1 found {op.arg.partition(': ')[2]}",))
        for position, op in enumerate(facts.ops)
        if op.f == INSPECT and op.arg and op.arg.startswith(kind)
    ]
    looked = any(op.f == INSPECT for op in facts.ops)
    return one_per_shape(found) if looked else [Doubt("nobody inspected the table at the end")]


def all_writes_commit(facts: Facts) -> Findings:
    """No write is refused, for whatever reason: not a promise, but what a check that is too strict breaks."""
    found = []
    for position, op in enumerate(facts.ops):
        if op.f in WRITES and op.type == FAIL:
            reason = (op.error or "").split(":", 1)[0]
            found.append(Finding(f"refused-{reason}", (position,), (), (f"T1 was refused ({op.error})",)))
    return one_per_shape(found)


def no_early_refusals(facts: Facts) -> Findings:
    """No write is refused early: not a promise, but the question for a schedule in which one is."""
    return _refused(facts, _EARLY, "refused-early")


def no_late_refusals(facts: Facts) -> Findings:
    """No write is refused at its commit, when all its work is done: the question for a schedule in which one is."""
    return _refused(facts, _LATE, "refused-at-commit")


def _refused(facts: Facts, pattern: re.Pattern[str], shape: str) -> Findings:
    found = []
    for position, op in enumerate(facts.ops):
        if op.f in WRITES and op.type == FAIL and pattern.search(op.error or ""):
            found.append(Finding(shape, (position,), (), (f"T1 was refused ({op.error})",)))
    return one_per_shape(found)


def clean_at_quiescence(facts: Facts) -> Findings:
    """When all have ended and a cleaner has run, no file is left that no completed instant needs."""
    found: Findings = []
    if all(op.f != LEFTOVER for op in facts.ops):
        return [Doubt("nobody looked at the files at the end")]
    for position, op in enumerate(facts.ops):
        if op.f == LEFTOVER and op.arg:
            kind, _, path = op.arg.partition(": ")
            found.append(Finding(f"leftover-{kind}", (position,), (), (f"T1 found {path}",)))
    return found


HUDI_CHECKS: dict[str, Check] = {
    "one-lock-holder": one_lock_holder,
    "somebody-finishes": somebody_finishes,
    "sound-early-aborts": sound_early_aborts,
    "tries-do-not-stop-each-other": tries_do_not_stop_each_other,
    "marker-checks-exclusive": marker_checks_exclusive,
    "early-conflicts-noticed": early_conflicts_noticed,
    "visible-conflicts-found-early": visible_conflicts_found_early,
    "clean-at-quiescence": clean_at_quiescence,
    "rollback-is-final": rollback_is_final,
    "all-writes-commit": all_writes_commit,
    "no-early-refusals": no_early_refusals,
    "no-late-refusals": no_late_refusals,
}
SPANS: dict[str, tuple[str, ...]] = {
    "one-lock-holder": (HOLD,),
    "sound-early-aborts": (MARK, INSTANT),
    "tries-do-not-stop-each-other": (MARK, INSTANT),
    "marker-checks-exclusive": (MARK,),
    "early-conflicts-noticed": (MARK, INSTANT),
    "visible-conflicts-found-early": (MARK, INSTANT),
}
"""Which spans a property needs to have been recorded."""
