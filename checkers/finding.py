"""What a check hands back: a finding (a broken property, its witnesses), or that it is indeterminate, and why."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from checkers.histories.history import Op
from checkers.isolation.graph import Edge
from checkers.isolation.resolve import PERHAPS, Facts, Seen
from checkers.text import plain, quoted
from checkers.words import argument_words

T1, T2, T3, T4 = "\x01", "\x02", "\x03", "\x04"
"""Where a sentence names its operations, for which `checkers.explain` puts who did what; no other text has these."""


class Finding(NamedTuple):
    """A broken property. `ops` are positions; `says` calls them `T1`, `T2`, ... in this order.

    With a `cycle` the sentences come from its edges; `says` then only adds to them.
    """

    anomaly: str
    ops: tuple[int, ...]
    cycle: tuple[Edge, ...] = ()
    says: tuple[str, ...] = ()


class Indeterminate(NamedTuple):
    """Why the property can be called neither kept nor broken.

    `unseen`: nobody looked at what it is about, as opposed to: what was seen has several explanations.
    """

    reason: str
    unseen: bool = False


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


def too_large(facts: Facts) -> Indeterminate:
    """What a search says that was ended by its bound."""
    return Indeterminate(f"the search among {len(facts.nodes):,} operations was ended before it had found anything")


def unresolved(facts: Facts, without: Collection[str] = ()) -> Findings:
    """Indeterminate if some read could have been of several versions, or of one that nobody knows.

    Args: `without` are processes whose reads the check does not look at.
    """
    reads = [(op, seen) for op, seen in facts.ambiguous if op.process not in without]
    return [_open_read(*reads[0])] if reads else []


def unknown_versions(facts: Facts) -> Findings:
    """Indeterminate if some read may be of a version that nobody knows."""
    if not facts.ambiguous:
        return []
    unknown = [(op, seen) for op, seen in facts.ambiguous if seen.place == PERHAPS]
    return [_open_read(*unknown[0])] if unknown else []


def _open_read(op: Op, seen: Seen) -> Indeterminate:
    what = f"{plain(seen.key)} = {shown(seen.value)}"
    if seen.place == PERHAPS:
        return Indeterminate(f"{named(op)} saw {what}, which an operation or a version that is not known may have made")
    return Indeterminate(f"several versions hold {what}, and {named(op)} may have read any")


def shown(value: str | None) -> str:
    """A row's value in a sentence."""
    return "absent" if value is None else quoted(value)


def named(op: Op) -> str:
    """An operation in a sentence: what, and by whom."""
    return plain(f"{op.f}{f' {argument_words(op.arg)}' if op.arg else ''}") + f" by {plain(op.process)}"
