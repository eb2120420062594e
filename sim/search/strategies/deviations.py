"""Deviation-bounded schedules: keep running the same task, except at a few named places.

The default schedule runs one task until it finishes or sleeps and then the one that has waited longest; a sleep ends
when nothing else can run; draws take option 0. A deviation is a position on the tape and what happens there instead.
Enumerating all schedules with at most k deviations gives a smallest counterexample and a statement that can be printed.

Source: delay bounding (Emmi, Qadeer, Rakamaric, POPL 2011) and preemption bounding (Musuvathi, Qadeer, PLDI 2007), at
the level of port calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.task import Call


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """At tape position `at`: the ready call number `option` in default order, or draw `option` (0 is no deviation)."""

    at: int
    option: int


def default_index(ready: Sequence[Call], so_far: SoFar) -> int:
    """Where the default order goes on: the task that ran last, else who has waited longest, else the shortest sleep."""
    last = so_far.trace[-1][1] if so_far.trace else None
    longest = None
    for i, call in enumerate(ready):
        if call.due_ms is None:
            if call.task.name == last:
                return i
            if longest is None:
                longest = i
    return longest if longest is not None else min(range(len(ready)), key=lambda i: ready[i].due_ms or 0)


class Deviations:
    """Plays the default schedule with the given deviations; one that does not apply (nothing to choose) is ignored.

    After a run, `widths[i]` is the number of options at tape position i.
    """

    def __init__(self, deviations: Sequence[Deviation] = ()) -> None:
        self._options = {d.at: d.option for d in deviations}
        self.widths: list[int] = []

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        default = default_index(ready, so_far)
        option = self._options.get(len(self.widths), 0)
        self.widths.append(len(ready))
        index = default
        if 0 < option < len(ready):
            index = option - 1 if option <= default else option  # the default call is option 0, the others keep order
        return index

    def choose(self, name: str, options: int) -> int:
        option = self._options.get(len(self.widths), 0)
        self.widths.append(options if name.startswith("fault:") else 1)  # other draws are not enumerated
        return option if option < options else 0
