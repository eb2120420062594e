"""Early conflict detection, from the spans of markers and instants (see `checkers.hudi.properties`): RFC-56.

A refusal names a living rival, a conflict that can be seen is found, and tries do not stand in each other's way.
"""

import re

from checkers.finding import T1, T2, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL, OK, Op
from checkers.isolation.resolve import Facts

INSTANT, MADE, MARK = "instant", "made", "mark"
WRITES = (
    "upsert", "update", "delete", "insert", "bulk_insert", "insert_overwrite", "insert_overwrite_table",
    "delete_partition", "cluster", "compact", "log_compact",
)  # fmt: skip
EARLY = re.compile(r"early conflict: (?P<group>\S+) (?P<how>is being written|was changed) by (?P<instant>\d+)")
UNANSWERED = "expected an acknowledgement"
"""What is said of a marker that may have been made."""
LATE = re.compile(r"write conflict: (?P<groups>.+) was changed by (?P<instant>\d+)")


def spans(facts: Facts, what: str) -> list[tuple[int, Op]]:
    """The spans of this kind, with their positions in the history."""
    return [(position, op) for position, op in enumerate(facts.ops) if op.f == what and "/" in op.process]


def _actor(op: Op) -> str:
    return op.process.split("/", 1)[0]


def sound_early_aborts(facts: Facts) -> Findings:
    """An early abort names a smaller instant that is alive and marked the group, or one that has completed since.

    Source: RFC-56: "only looks at the instants smaller than the current writer", so that two writers do not find each
    other and fail together.
    """
    found = []
    lives = {op.arg: (position, op) for position, op in spans(facts, INSTANT)}
    marked = {op.arg for _, op in spans(facts, MARK) if op.type != FAIL or UNANSWERED in (op.error or "")}
    for position, op in spans(facts, MARK):
        match = EARLY.search(op.error or "") if op.type == FAIL else None
        if match is None:
            continue
        life = lives.get(match["instant"])
        wrong = _unsound(facts, op, match, life[1] if life else None, marked)
        if wrong is not None:
            anomaly, says = wrong
            found.append(
                Finding(anomaly, (position, *([life[0]] if life else [])), (), (f"{T1} was refused: {op.error}", says))
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
            f"instant {instant} ({T2}) was completed before the write began: no conflict",
        )
    if life.completed is not None and life.type == FAIL and life.completed < op.invoked:
        return (
            "aborted-by-dead-instant",
            f"the writer of {instant} ({T2}) had given up ({life.error}): nobody is writing",
        )
    if match["how"] == "is being written" and f"{instant} {match['group']}" not in marked:
        return "aborted-without-marker", f"instant {instant} ({T2}) never marked {match['group']}"
    if match["how"] == "is being written" and int(instant) > int(_instant(op)):
        return "aborted-by-larger-instant", f"instant {instant} ({T2}) is larger: it is the one to give way"
    return None


def tries_do_not_stop_each_other(facts: Facts) -> Findings:
    """A try that began when nobody else was at work is not why a later try is refused: else there may be no end."""
    found = []
    lives = {op.arg: (position, op) for position, op in spans(facts, INSTANT)}
    for position, op in spans(facts, MARK):
        match = EARLY.search(op.error or "") if op.type == FAIL else None
        named = lives.get(match["instant"]) if match else None
        if match is None or named is None or named[1].type != FAIL or not _alone(facts, named[1], op):
            continue
        says = f"{match['instant']} ({T2}) began, and was refused, when nobody else was at work"
        found.append(
            Finding("refused-by-lonely-try", (position, named[0]), (), (f"{T1} was refused: {op.error}", says))
        )
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
    marked = [(position, op) for position, op in spans(facts, MARK) if op.completed is not None]
    for index, (position, op) in enumerate(marked):
        for other, earlier in marked[:index]:
            if _group(earlier) == _group(op) and earlier.completed is not None and earlier.completed > op.invoked:
                says = f"{T2} began to check {_group(op)} while {T1} was between its check and its marker"
                found.append(Finding("two-in-marker-check", (other, position), (), (says,)))
    return one_per_shape(found)


def _group(op: Op) -> str:
    return (op.arg or "").split(" ", 1)[-1]


def _instant(op: Op) -> str:
    return (op.arg or "").split(" ", 1)[0]


def early_conflicts_noticed(facts: Facts) -> Findings:
    """Of two living instants that mark one file group, the second is refused (RFC-56: "no conflict is missed")."""
    found = []
    lives = {op.arg: op for _, op in spans(facts, INSTANT)}
    marked = [(position, op) for position, op in spans(facts, MARK) if op.type == OK and op.completed is not None]
    for first, one in marked:
        for second, two in marked:
            if _group(one) != _group(two) or _instant(one) == _instant(two) or not _before(one, two):
                continue
            life = lives.get(_instant(one))
            if life is None or (life.completed is not None and life.completed < (two.completed or 0)):
                continue
            race = one.completed is not None and one.completed > two.invoked
            anomaly = (
                "missed-in-race" if race else "missed-larger-instant" if _instant(one) > _instant(two) else "missed"
            )
            says = f"{T1} and {T2} both made a marker of {_group(one)}, and {_instant(one)} was alive at {T2}"
            found.append(Finding(anomaly, (first, second), (), (says,)))
    return one_per_shape(found)


def made_markers_noticed(facts: Facts) -> Findings:
    """Who begins to look when a smaller living instant's marker of the file group is there is refused (RFC-56)."""
    found = []
    lives = {op.arg: op for _, op in spans(facts, INSTANT)}
    made = [each for what in (MADE, MARK) for each in spans(facts, what) if each[1].type == OK and each[1].completed]
    for second, two in spans(facts, MARK):
        if two.type != OK or two.completed is None:
            continue
        for first, one in made:
            if _group(one) != _group(two) or _instant(one) >= _instant(two) or (one.completed or 0) > two.invoked:
                continue
            life = lives.get(_instant(one))
            if life is not None and (life.completed is None or life.completed > two.completed):
                says = f"{_instant(one)} had made its marker ({T1}) when {T2} began to look, and lived on"
                found.append(Finding("unnoticed-marker", (first, second), (), (says,)))
    return one_per_shape(found)


def _before(one: Op, two: Op) -> bool:
    return one.completed is not None and two.completed is not None and one.completed < two.completed


def visible_conflicts_found_early(facts: Facts) -> Findings:
    """A conflict with a commit that was there when the marker was made is found then, not at the commit (figure 4)."""
    found = []
    lives = {op.arg: op for _, op in spans(facts, INSTANT)}
    for position, op in enumerate(facts.ops):
        match = LATE.search(op.error or "") if op.f in WRITES and op.type == FAIL else None
        life = lives.get(match["instant"]) if match else None
        if match is None or life is None or life.completed is None or life.type != OK:
            continue
        for span, mark in spans(facts, MARK):
            mine = _actor(mark) == op.process and op.invoked < mark.invoked < (op.completed or 0)
            passed = mine and mark.type == OK and _group(mark) in match["groups"].split(", ")
            if passed and life.completed < mark.invoked:
                there = f"{match['instant']} had completed when {T2} looked for conflicts on {_group(mark)}"
                found.append(
                    Finding("visible-conflict-found-late", (position, span), (), (f"{there}, and {T1} went on",))
                )
    return one_per_shape(found)
