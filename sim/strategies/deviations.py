"""Deviation-bounded schedules: keep running the same task, except at a few named places.

The default schedule runs one task until it finishes (or waits) and then the one that has waited longest; draws take
option 0. A deviation is a position on the tape and what happens there instead. Enumerating all schedules with at most
k deviations gives a smallest counterexample and a statement that can be printed. Source: delay bounding (Emmi, Qadeer,
Rakamaric, POPL 2011) and preemption bounding (Musuvathi, Qadeer, PLDI 2007), at the level of port calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.kernel import Kernel
    from sim.task import Call


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """At tape position `at`: the ready call number `option` in default order, or draw `option` (0 is no deviation)."""

    at: int
    option: int


def default_index(ready: Sequence[Call], last: str | None) -> int:
    """Where the default order goes on: with the task that ran last, else with the call that has waited longest."""
    for i, call in enumerate(ready):
        if call.task.name == last:
            return i
    return 0


class Deviations:
    """Plays the default schedule with the given deviations; one that does not apply (nothing to choose) is ignored.

    After a run, `widths[i]` is the number of options at tape position i.
    """

    def __init__(self, deviations: Sequence[Deviation] = ()) -> None:
        self._options = {d.at: d.option for d in deviations}
        self.widths: list[int] = []
        self._last: str | None = None

    def pick(self, ready: Sequence[Call], kernel: Kernel) -> int:
        default = default_index(ready, self._last)
        option = self._options.get(len(self.widths), 0)
        self.widths.append(len(ready))
        index = default
        if 0 < option < len(ready):
            index = option - 1 if option <= default else option  # the default call is option 0, the others keep order
        self._last = ready[index].task.name
        return index

    def choose(self, name: str, options: int) -> int:
        option = self._options.get(len(self.widths), 0)
        self.widths.append(options if name.startswith("fault:") else 1)  # other draws are not enumerated
        return option if option < options else 0
