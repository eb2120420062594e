"""Properties of Hudi's multi-writer protocol and of early conflict detection, from what was recorded of a run.

Besides what clients asked and were told, a history may hold spans: operations of processes named `<actor>/<what>` with
`what` as `f` and the subject as argument. `hold` (a lock; argument: its name), `instant` (the life of an instant, from
its requested file to COMPLETED; failed = its writer gave up), `mark` (the check for early conflicts and the marker that
follows; argument: instant and "partition/file group"; failed = early conflict, or no answer), `made` (the making of
that marker alone), `watch` (how long a timeline server's checker is there for an instant; argument: instant, first
delay and period in ms, "commits"). What an inspection found lying about at the end are operations `leftover`, one per
file; what it missed of what savepoints are to keep are operations `kept`; what the metadata table says that is not so,
or does not say, are operations `listed`.

Source: hudi/9; RFC-56.

Choices: file groups are keys of reads and writes (`group:<file id>`), so that lost updates per group, and readers'
snapshots of groups, are found by the checks for rows. A span that never ended belongs to a process that died: it holds
nothing any more, and is not judged.
"""

import re

from checkers.finding import T1, T2, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.histories.history import FAIL, Op
from checkers.hudi.early import (
    EARLY,
    INSTANT,
    LATE,
    MADE,
    MARK,
    WRITES,
    early_conflicts_noticed,
    made_markers_noticed,
    marker_checks_exclusive,
    sound_early_aborts,
    spans,
    tries_do_not_stop_each_other,
    visible_conflicts_found_early,
)
from checkers.hudi.events import events_in_order
from checkers.hudi.prompt import WATCH, prompt_early_aborts
from checkers.isolation.invariants import INSPECT
from checkers.isolation.resolve import Facts

HOLD, LEFTOVER, KEPT, LISTED = "hold", "leftover", "kept", "listed"
_CROWDED_OUT = re.compile(r"was changed by|being written by|is not older than|InstantExists|LockFailed(?!.* an answer)")


def one_lock_holder(facts: Facts) -> Findings:
    """No two clients are in the critical section of one lock at once."""
    found = []
    held: dict[str | None, list[tuple[int, Op]]] = {}
    for position, op in spans(facts, HOLD):
        if op.completed is None:
            continue
        for other, earlier in held.setdefault(op.arg, []):
            if earlier.completed is not None and earlier.completed > op.invoked:
                says = f"{T1} held {op.arg} when {T2} was granted it"
                found.append(Finding("two-lock-holders", (other, position), (), (says,)))
        held[op.arg].append((position, op))
    return one_per_shape(found)


def somebody_finishes(facts: Facts) -> Findings:
    """Of writers that stop each other, at least one commits (RFC-56: not "failing together")."""
    writes = [(position, op) for position, op in enumerate(facts.ops) if op.f in WRITES and op.process != "setup"]
    failed = [(position, op) for position, op in writes if op.type == FAIL]
    if not failed or len(failed) < len(writes) or not all(_CROWDED_OUT.search(op.error or "") for _, op in failed):
        return []
    says = tuple(f"{op.process} was refused ({op.error})" for _, op in failed)
    return [Finding("nobody-finished", tuple(position for position, _ in failed), (), (*says, "nobody committed"))]


def rollback_is_final(facts: Facts) -> Findings:
    """An instant whose rollback has completed is never completed afterwards."""
    kind = "completed-after-rollback"
    found = [
        Finding(kind, (position,), (), (f"{T1} found {op.arg.partition(': ')[2]}",))
        for position, op in enumerate(facts.ops)
        if op.f == INSPECT and op.arg and op.arg.startswith(kind)
    ]
    looked = any(op.f == INSPECT for op in facts.ops)
    return one_per_shape(found) if looked else [Indeterminate("nobody inspected the table at the end")]


def all_writes_commit(facts: Facts) -> Findings:
    """No write is refused, for whatever reason: not a property, but what a check that is too strict breaks."""
    found = []
    for position, op in enumerate(facts.ops):
        if op.f in WRITES and op.type == FAIL:
            reason = (op.error or "").split(":", 1)[0]
            found.append(Finding(f"refused-{reason}", (position,), (), (f"{T1} was refused ({op.error})",)))
    return one_per_shape(found)


def no_early_refusals(facts: Facts) -> Findings:
    """No write is refused early: not a property, but the question for a schedule in which one is."""
    return _refused(facts, EARLY, "refused-early")


def no_late_refusals(facts: Facts) -> Findings:
    """No write is refused at its commit, when all its work is done: the question for a schedule in which one is."""
    return _refused(facts, LATE, "refused-at-commit")


def _refused(facts: Facts, pattern: re.Pattern[str], anomaly: str) -> Findings:
    found = []
    for position, op in enumerate(facts.ops):
        if op.f in WRITES and op.type == FAIL and pattern.search(op.error or ""):
            found.append(Finding(anomaly, (position,), (), (f"{T1} was refused ({op.error})",)))
    return one_per_shape(found)


def clean_at_quiescence(facts: Facts) -> Findings:
    """When all have ended and a cleaner has run, no file is left that no completed instant needs."""
    found = _looked_at(facts, LEFTOVER, "leftover")
    return [Indeterminate("nobody looked at the files at the end")] if found is None else [*found]


def savepoint_kept(facts: Facts) -> Findings:
    """What a savepoint names, and that is the whole table as of its commit, is there until the savepoint is deleted."""
    found = _looked_at(facts, KEPT, "savepoint")
    if found is None:
        return [Indeterminate("nobody looked for the files of savepoints at the end")]
    return one_per_shape(found)


def committed_files_listed(facts: Facts) -> Findings:
    """A file that a completed commit names, and that is there, is in the metadata table."""
    return _listed(facts, "file-unlisted")


def listed_files_exist(facts: Facts) -> Findings:
    """A file that the metadata table lists is there, unless a clean is to delete it."""
    return _listed(facts, "file-gone")


def _listed(facts: Facts, kind: str) -> Findings:
    found = _looked_at(facts, LISTED, "metadata")
    if found is None:
        return [Indeterminate("nobody compared the metadata table with the files at the end")]
    return one_per_shape([each for each in found if each.anomaly == f"metadata-{kind}"])


def _looked_at(facts: Facts, f: str, prefix: str) -> list[Finding] | None:
    """What a look at the end has found, each told as "kind: text"; None if nobody looked."""
    looks = [(position, op.arg) for position, op in enumerate(facts.ops) if op.f == f]
    if not looks:
        return None
    told = [(position, *arg.partition(": ")[::2]) for position, arg in looks if arg]
    return [Finding(f"{prefix}-{kind}", (position,), (), (f"{T1} found {text}",)) for position, kind, text in told]


HUDI_CHECKS: dict[str, Check] = {
    "one-lock-holder": one_lock_holder,
    "somebody-finishes": somebody_finishes,
    "sound-early-aborts": sound_early_aborts,
    "tries-do-not-stop-each-other": tries_do_not_stop_each_other,
    "marker-checks-exclusive": marker_checks_exclusive,
    "early-conflicts-noticed": early_conflicts_noticed,
    "made-markers-noticed": made_markers_noticed,
    "visible-conflicts-found-early": visible_conflicts_found_early,
    "prompt-early-aborts": prompt_early_aborts,
    "clean-at-quiescence": clean_at_quiescence,
    "savepoint-kept": savepoint_kept,
    "committed-files-listed": committed_files_listed,
    "listed-files-exist": listed_files_exist,
    "rollback-is-final": rollback_is_final,
    "events-in-order": events_in_order,
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
    "made-markers-noticed": (MADE, MARK, INSTANT),
    "visible-conflicts-found-early": (MARK, INSTANT),
    "prompt-early-aborts": (MARK, INSTANT, WATCH),
}
"""Which spans a property needs to have been recorded."""
