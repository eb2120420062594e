"""Conflict detection: commits that should have been refused, and refusals that nothing called for.

Source: first committer wins (Berenson et al., SIGMOD 1995): of two overlapping operations that write one key, at most
one commits. Overlap is by stated versions: another operation's version after the start and before the commit.

Choices:
* Table formats detect conflicts by file, by partition or by table, which is coarser than by row. A refusal is called
  spurious only if NO other operation committed anything at all in the window of the refused one, so a refusal for a
  reason that rows do not show is never blamed.
* The window of a refused operation runs from its start version (if it has none, from its invocation) to its completion;
  a version may fall into it if its maker was invoked before that completion. A version of unknown maker may.
* Who waits for a lock in vain is refused because somebody has it, who may be slow, or be refused himself: then it is
  reason enough that another operation was under way meanwhile, whatever came of it.
"""

import re

from checkers.finding import T1, T2, Finding, Findings, Indeterminate, named, one_per_shape
from checkers.histories.history import FAIL, SETUP, Op
from checkers.isolation.certificate import Failure, overlap
from checkers.isolation.resolve import Facts
from checkers.text import plain

_CONFLICT = re.compile(r"conflict|cas ?lost|commit ?failed|validation|already exists|refused|\b409\b", re.IGNORECASE)
_WAITED = re.compile(r"timed?[ -]?out", re.IGNORECASE)


def is_conflict(error: str | None) -> bool:
    """Whether an error text says that a commit was refused because of another one."""
    return error is not None and _CONFLICT.search(error) is not None


def conflict_detection(facts: Facts) -> Findings:
    """First committer wins, per key, between the stated start and the commit."""
    found: list[Failure] = []
    blind = None
    for position in facts.nodes:
        made, start = facts.lineage.made.get(position), facts.ops[position].start
        if made is not None and start is not None:
            overlap(facts, position, start, made, found)
        elif made is not None and made[0] > 0 and facts.ops[position].writes:
            blind = facts.ops[position]
    findings = one_per_shape([_overlapped(facts, failure) for failure in found])
    if not findings and blind is not None:
        return [Indeterminate(f"{named(blind)} does not say which version it started from")]
    return findings


def _overlapped(facts: Facts, failure: Failure) -> Finding:
    says = (
        f"{T1} started from version {facts.ops[failure.op].start} and wrote {plain(failure.key)}",
        f"{T2} had written {plain(failure.key)} in version {failure.at}, after that start and before {T1} committed",
        "The second commit should have been refused (first committer wins)",
    )
    return Finding("undetected-write-conflict", (failure.op, failure.other), (), says)


def no_spurious_refusal(facts: Facts) -> Findings:
    """Whoever was refused for a conflict had somebody who committed in his window, or whom he waited for."""
    found = []
    for position, op in enumerate(facts.ops):
        if op.type == FAIL and is_conflict(op.error) and not (_had_company(facts, position, op) or waited(facts, op)):
            since = "its invocation" if op.start is None else f"version {op.start}"
            says = (
                f"{T1} was refused ({plain(op.error or '')}), but nobody else committed between {since} and the refusal"
            )
            found.append(Finding("spurious-refusal", (position,), (), (says,)))
    return one_per_shape(found)


def _had_company(facts: Facts, position: int, op: Op) -> bool:
    for maker in facts.lineage.makers[1 if op.start is None else op.start + 1 :]:
        if maker == position:
            continue
        if maker < 0:
            return True
        other = facts.ops[maker]
        ended_before = op.start is None and other.completed is not None and other.completed < op.invoked
        if not ended_before and op.completed is not None and other.invoked < op.completed:
            return True
    return False


def waited(facts: Facts, op: Op) -> bool:
    """Whether an operation gave up waiting while another one was under way."""
    if not _WAITED.search(op.error or "") or op.completed is None:
        return False
    return any(
        other.process not in (op.process, SETUP)
        and other.invoked < op.completed
        and (other.completed is None or other.completed > op.invoked)
        for other in facts.ops
    )
