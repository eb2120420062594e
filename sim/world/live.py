"""The live counterpart of a scenario, as data: what the same question is on real software, and where it can be stepped.

The simulator reads from it at which steps a run has to be shown so that a live system can follow. It never asks the
live system itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Live:
    """A scenario's live counterpart.

    Args: `system` is the live system's name in the table of protocols; `workload` what it is given to run, in its
    protocol's own terms; `yield_points` the sets of operations at which its gates can hold an actor, as the simulator
    names them, the set with the fewest first; `resources` says whether a step needs its resource to be told from
    others of its operation; `faults` what the gates can inject, by operation (None: nobody has said); `untimed` parts
    of the names of helper tasks that act at their own time: a run in which one of them does, other than by being hit by
    a fault, has no live schedule; `joined` operations that are one step with what the same actor does next: a run in
    which somebody else acts in between has none either; `prompt` how steps begin, operation and resource, that come at
    once after what their actor did before: the same; `idle` operations that are no step where they find nothing to do,
    and come at once then: the same; a run on a path of `left_out` (names of counters) has none, for
    the real system does there what is not simulated; `timed` says what depends on how fast real time passes ("":
    nothing): such a run may differ for that alone.
    """

    system: str
    workload: Any
    yield_points: tuple[tuple[str, ...], ...]
    resources: bool = False
    faults: Mapping[str, tuple[str, ...]] | None = None
    untimed: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    timed: str = ""
