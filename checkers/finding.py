"""What a check hands back: a finding (a broken property, its witnesses), or that it is indeterminate, and why."""

from collections.abc import Callable
from typing import NamedTuple

from checkers.histories.history import Op
from checkers.isolation.graph import Edge
from checkers.isolation.resolve import Facts
from checkers.words import argument_words


class Finding(NamedTuple):
    """A broken property. `ops` are positions; `says` calls them T1, T2, ... in this order.

    With a `cycle` the sentences come from its edges; `says` then only adds to them.
    """

    anomaly: str
    ops: tuple[int, ...]
    cycle: tuple[Edge, ...] = ()
    says: tuple[str, ...] = ()


class Indeterminate(NamedTuple):
    """Why the property can be called neither kept nor broken."""

    reason: str


Findings = list[Finding | Indeterminate]
Check = Callable[[Facts], Findings]


def of_cycle(anomaly: str, cycle: tuple[Edge, ...]) -> Finding:
    """A finding whose witnesses are the operations of `cycle`, in its order."""
    return Finding(anomaly, tuple(dict.fromkeys(edge.source for edge in cycle)), cycle)


def one_per_shape(found: list[Finding]) -> Findings:
    """The first finding of each anomaly: the others say the same again."""
    first: dict[str, Finding] = {}
    for finding in found:
        first.setdefault(finding.anomaly, finding)
    return list(first.values())


def unresolved(facts: Facts) -> Findings:
    """Indeterminate if some read could have been of several versions."""
    if not facts.ambiguous:
        return []
    op, seen = facts.ambiguous[0]
    return [Indeterminate(f"several versions hold {seen.key} = {shown(seen.value)}, and {named(op)} may have read any")]


def shown(value: str | None) -> str:
    """A row's value in a sentence."""
    return "absent" if value is None else repr(value)


def named(op: Op) -> str:
    """An operation in a sentence: what, and by whom."""
    return f"{op.f}{f' {argument_words(op.arg)}' if op.arg else ''} by {op.process}"
