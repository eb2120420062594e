"""Which version wrote what a read saw.

A read names its version, or is resolved: the version at the operation's start if it holds the value that was seen;
else the one version of the key that holds it. A row seen absent is read from the newest deletion at or before the
start, or as not yet born; if the table held it from version 0 on and nobody deleted it, it is lost.

Source: Elle's rw-register (values are unique per key); Adya's thesis (1999), section 4.4.1 for unborn versions.

Choices:
* Operations that were refused are no transactions; what they read is not judged.
* Acknowledged operations, and unknown ones that the lineage knows, are committed. A refused operation that the lineage
  knows is committed in fact, and is a violation of its own (visibility.py).
* A value written more than once, seen by an operation without start: ambiguous, counted, and never guessed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from checkers.histories.history import OK, History, Op
from checkers.isolation.lineage import Chain, Lineage

UNBORN, LOST, FOREIGN, AMBIGUOUS = -1, -2, -3, -4
_EMPTY = Chain()


class Seen(NamedTuple):
    """A resolved read. `place` is the place in the key's chain, or UNBORN, LOST, FOREIGN, AMBIGUOUS."""

    key: str
    value: str | None
    place: int
    chain: Chain

    @property
    def version(self) -> int:
        """The table version that wrote what was seen, or the code."""
        return self.chain.versions[self.place] if self.place >= 0 else self.place


class Facts:
    """A history with its lineage and resolved reads: all that a check needs.

    `nodes` are positions (in `ops`) of committed operations; `reads[position]` is () for others.
    `ambiguous` lists the reads that could not be given one version, with their readers.
    """

    __slots__ = ("ambiguous", "history", "lineage", "nodes", "ops", "reads")

    def __init__(self, history: History) -> None:
        self.history = history
        self.ops: tuple[Op, ...] = history.ops
        self.lineage = Lineage(history)
        made, chains = self.lineage.made, self.lineage.chains
        self.nodes = [position for position, op in enumerate(self.ops) if op.type == OK or position in made]
        self.reads: list[Sequence[Seen]] = [()] * len(self.ops)
        self.ambiguous: list[tuple[Op, Seen]] = []
        for position in self.nodes:
            op = self.ops[position]
            if op.reads:
                self.reads[position] = _resolve(op, chains, self.ambiguous)

    def sessions(self) -> dict[str, list[int]]:
        """Committed operations of each process, in order."""
        sessions: dict[str, list[int]] = {}
        for position in self.nodes:
            sessions.setdefault(self.ops[position].process, []).append(position)
        return sessions


def _resolve(op: Op, chains: dict[str, Chain], ambiguous: list[tuple[Op, Seen]]) -> list[Seen]:
    resolved = []
    start = op.start
    for key, value, stated in op.reads:
        chain = chains.get(key, _EMPTY)
        if stated is not None:
            place = chain.at(stated) if stated >= UNBORN else stated
        elif start is None:
            place = _search(chain, value, None)
        else:
            place = chain.at(start)
            if (chain.values[place] if place >= 0 else None) != value:
                place = _search(chain, value, start)
        seen = Seen(key, value, place, chain)
        resolved.append(seen)
        if place == AMBIGUOUS:
            ambiguous.append((op, seen))
    return resolved


def _search(chain: Chain, value: str | None, start: int | None) -> int:
    places = list(chain.places(value))
    if value is None and not (chain.versions and chain.versions[0] == 0):
        places.insert(0, UNBORN)
    if not places:
        return LOST if value is None else FOREIGN
    if start is not None:
        before = [place for place in places if place <= chain.at(start)]
        if before:
            return before[-1]
        if value is None:
            return LOST
    return places[0] if len(places) == 1 else AMBIGUOUS
