"""Refusals of an Iceberg table whose every row is in a data file of its own: there, files conflict only if rows do.

Source: iceberg/4 (the unit of conflict is a file or a filter, never a row).

Choices: `no-spurious-refusal` never blames a refusal while anybody else commits, since on most tables rows share files.
Here they do not, so a refused operation must share a row with a commit in its window. A commit of unknown maker may be
the reason, and is taken for it; so may, for one that waited for a lock in vain, whoever was at work meanwhile.
"""

from checkers.finding import T1, Check, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL, Op
from checkers.isolation.conflicts import is_conflict, waited
from checkers.isolation.resolve import Facts


def no_needless_refusal(facts: Facts) -> Findings:
    """Whoever was refused for a conflict shares a row with somebody who committed in his window."""
    found = []
    for position, op in enumerate(facts.ops):
        if op.type == FAIL and is_conflict(op.error) and not (_has_rival(facts, position, op) or waited(facts, op)):
            says = f"{T1} was refused ({op.error}), but nobody who committed since its start touched one of its rows"
            found.append(Finding("needless-refusal", (position,), (), (says,)))
    return one_per_shape(found)


def _has_rival(facts: Facts, position: int, op: Op) -> bool:
    own = _keys(op)
    for maker in facts.lineage.makers[1 if op.start is None else op.start + 1 :]:
        if maker < 0:
            return True
        other = facts.ops[maker]
        began_before = op.completed is None or other.invoked < op.completed
        if maker != position and began_before and not own.isdisjoint(_keys(other)):
            return True
    return False


def _keys(op: Op) -> frozenset[str]:
    return frozenset([read.key for read in op.reads] + [write.key for write in op.writes])


ICEBERG_CHECKS: dict[str, Check] = {"no-needless-refusal": no_needless_refusal}
"""Asked of tables with a file for each row only."""
