"""How many slices the next wave has: as many as fit into its time, by what those of their configurations took before.

Configurations differ by ten times and more, so a mean over all of them would make waves of a minute or of ten. What has
not been timed yet is tried a few slices at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from real_backend.pipeline.schema import SliceRow
from real_backend.pipeline.slices import Slice

UNTIMED = 4
"""How many slices of configurations that were never timed a wave has at most, for each core."""


class Pace:
    """The slices of a campaign, wave by wave.

    Args: `slices` are those that are left; `seconds` is the campaign's time (None: until they are over), a wave takes
    about `wave_s`, on so many `cores`; `now` tells seconds.
    """

    def __init__(
        self, slices: Iterable[Slice], seconds: float | None, wave_s: float, cores: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._left: Iterator[Slice] = iter(slices)
        self._held = list(islice(self._left, 1))
        self._now = now
        self._end = None if seconds is None else now() + seconds
        self._wave_s = wave_s
        self._cores = cores
        self._cpu_s: dict[tuple[str, str], float] = {}
        self._slower = 1.0

    def measured(self, rows: Sequence[SliceRow], wall_s: float) -> None:
        """Note what the slices of a wave cost, and the wave itself."""
        self._cpu_s |= {(row.protocol, row.configuration): row.cpu_s for row in rows}
        self._slower = wall_s * self._cores / max(1e-9, sum(row.cpu_s for row in rows))

    def next(self) -> list[Slice]:
        """Returns: the slices of the next wave; none if the time, or the slices, are over."""
        left_s = float("inf") if self._end is None else self._end - self._now()
        if left_s <= 0:
            return []
        wave: list[Slice] = []
        untimed, budget_s = 0, min(self._wave_s, left_s) * self._cores
        least = self._cores if left_s >= self._wave_s or not self._cpu_s else 0
        while self._held:
            one = self._held[0]
            cpu_s = self._cpu_s.get((one.protocol, one.configuration))
            untimed += cpu_s is None
            budget_s -= self._slower * (self._most(one.protocol) if cpu_s is None else cpu_s)
            if len(wave) >= least and (budget_s < 0 or untimed > UNTIMED * self._cores):
                break
            wave.append(one)
            self._held = list(islice(self._left, 1))
        return wave

    def _most(self, protocol: str) -> float:
        """The most that a slice of the protocol is known to have cost, or of any; before the first wave, a wave's."""
        known = [cpu_s for (of, _), cpu_s in self._cpu_s.items() if of == protocol] or self._cpu_s.values()
        return max(known, default=self._wave_s * self._cores)
