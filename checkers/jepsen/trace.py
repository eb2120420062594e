"""What a history of Jepsen's says about the order of each key's versions, and what it leaves open.

Values are unique per key, so a read names the version that it saw. `lists.py` and `registers.py` fill in a `Trace`,
`build.py` makes histories of it.

Choices:
* The traced order of a key is its `chain`. A value whose place is not known is `loose`: it comes after the value
  before it, if that is known, and that is all that is claimed of it.
* Chains of several keys that contradict each other are a finding (Adya's G0), and are claimed no more.
* A transaction of unknown outcome has committed if a value of it was seen, else not: nothing then depends on it.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from checkers.finding import Finding
from checkers.jepsen.rows import Txn
from checkers.text import plain

INTERNAL, ORDER = "internal", "version-order"
UNREPEATABLE = "unrepeatable-read"
_LATER = (1 << 62, 0)


class Loose(NamedTuple):
    """A value whose place among the versions of its key is not known, but that it comes after `before` (None: nil)."""

    value: str
    before: str | None


@dataclass(slots=True)
class Trace:
    """Args: `txns` in order of invocation, numbered from 1. The dictionaries are by key or by number.

    `writers[key][value]` is the number of the transaction that wrote a value last; `chains[key]` the traced values;
    `reads` and `writes` have what a transaction saw from outside and what it wrote, in its order.
    """

    txns: Sequence[Txn]
    writers: dict[str, dict[str, int]] = field(default_factory=dict)
    chains: dict[str, list[str]] = field(default_factory=dict)
    loose: dict[str, list[Loose]] = field(default_factory=dict)
    reads: dict[int, list[tuple[str, str | None]]] = field(default_factory=dict)
    writes: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    committed: set[int] = field(default_factory=set)
    findings: list[tuple[str, Finding]] = field(default_factory=list)

    def found(self, name: str, anomaly: str, numbers: Sequence[int], says: str) -> None:
        """Add a finding of the property `name`; `numbers` are those of its transactions."""
        self.findings.append((name, Finding(anomaly, tuple(dict.fromkeys(numbers)), (), (says,))))

    def rank(self, number: int) -> tuple[int, int]:
        """The place of a transaction in the order of completions."""
        return self.txns[number - 1].completed or _LATER

    def makers(self, key: str, values: Iterable[str]) -> list[int]:
        """The transactions that wrote these values of `key`."""
        writers = self.writers[key]
        return [writers[value] for value in values]

    def lineage(self, chains: Mapping[str, Sequence[int]]) -> list[int]:
        """The committed writers in an order that has each chain's order; ties go to who completed first.

        Those on a cycle, and those after it, are missing.
        """
        after: dict[int, list[int]] = {}
        waits = {number: 0 for number in sorted(self.committed) if self.writes.get(number)}
        for chain in chains.values():
            for earlier, later in pairwise(chain):
                after.setdefault(earlier, []).append(later)
                waits[later] += 1
        ready = [(self.rank(number), number) for number, count in waits.items() if not count]
        heapq.heapify(ready)
        ordered: list[int] = []
        while ready:
            _, number = heapq.heappop(ready)
            ordered.append(number)
            for later in after.get(number, ()):
                waits[later] -= 1
                if not waits[later]:
                    heapq.heappush(ready, (self.rank(later), later))
        return ordered

    def untangle(self) -> None:
        """Report cycles of chains, and claim nothing more of the keys on them."""
        while True:
            chains = {key: self.makers(key, values) for key, values in self.chains.items()}
            placed = set(self.lineage(chains))
            steps: dict[int, list[tuple[int, str, int]]] = {}
            for key, chain in chains.items():
                for place, (earlier, later) in enumerate(pairwise(chain)):
                    if later not in placed and earlier not in placed:
                        steps.setdefault(later, []).append((earlier, key, place))
            if not steps:
                return
            self._report(_cycle(steps))

    def _report(self, cycle: list[tuple[int, str, int]]) -> None:
        """Args: `cycle` lists (the later one, the key, the place of the earlier one's value in its chain)."""
        told = []
        for _, key, place in reversed(cycle):
            first, second = self.chains[key][place : place + 2]
            told.append(f"{plain(first)} before {plain(second)} in {plain(key)}")
        says = f"Each wrote over what the next one wrote, and that in a circle: {', '.join(told)}"
        self.found(ORDER, "G0", [number for number, _, _ in reversed(cycle)], says)
        for key in dict.fromkeys(key for _, key, _ in cycle):
            self.loose.setdefault(key, []).extend(Loose(value, None) for value in self.chains.pop(key))


def _cycle(steps: Mapping[int, Sequence[tuple[int, str, int]]]) -> list[tuple[int, str, int]]:
    """A cycle, walked backwards. Everybody in `steps` who lies on one has somebody before it in `steps`."""
    at = next(number for number in steps if any(earlier in steps for earlier, _, _ in steps[number]))
    walked: dict[int, int] = {}
    path: list[tuple[int, str, int]] = []
    while at not in walked:
        walked[at] = len(path)
        earlier, key, place = next(step for step in steps[at] if step[0] in steps)
        path.append((at, key, place))
        at = earlier
    return path[walked[at] :]
