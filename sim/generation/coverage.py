"""What a run has shown that no run before it had: pairs of accesses, in the order in which they met."""

from __future__ import annotations

from collections.abc import Sequence

from sim.kernel.trace import Row

Pair = tuple[str, str, str]
"""A step of one task, a step of another, and the resource on which the second one followed the first."""


def pairs_of(trace: Sequence[Row]) -> set[Pair]:
    """Collect, for each resource, which step of a task came right after which step of another one.

    Returns: the pairs, as ("w1.load", "w2.commit", "db.t"); those of two tasks that only look are among them.
    """
    last: dict[str, tuple[str, str]] = {}
    pairs: set[Pair] = set()
    for _, task, operation, resource, *_ in trace:
        before = last.get(resource)
        if before is not None and before[0] != task:
            pairs.add((before[1], f"{task}.{operation}", resource))
        last[resource] = task, f"{task}.{operation}"
    return pairs


def kinds_of(pairs: set[Pair]) -> set[str]:
    """The pairs without names of tasks and resources: what can be compared between scenarios ("load, commit")."""
    return {f"{one.partition('.')[2]}, {other.partition('.')[2]}" for one, other, _ in pairs}
