"""Which version wrote what a read saw.

A read is of the version that it states, if that one holds the value that was seen; else of the version at the
operation's start, if that one does; else of the one version of the key that holds it. A row seen absent is read from
the newest deletion at or before the start, or as not yet born; if the table held it from version 0 on and nobody
deleted it, it is lost.

Source: Elle's rw-register (values are unique per key); Adya's thesis (1999), section 4.4.1 for unborn versions.

Choices:
* Operations that were refused are no transactions; what they read is not judged.
* Acknowledged operations, and unknown ones that the lineage knows, are committed. A refused operation that the lineage
  knows is committed in fact, and is a violation of its own (visibility.py).
* A value written more than once, seen by an operation without start: ambiguous, counted, and never guessed.
* A value that no version holds may be of a version whose maker is unknown; without lineage rows it may be of an
  operation of unknown outcome that wrote it. Such a read is open: neither explained nor from nowhere.
* Where an operation says in which order it read and wrote, a read behind its own write of the key is inside: it must
  see that write, is no dependency, and says nothing about others. Without the order, a value that the operation wrote
  itself and wrote over is taken for such a read. A read that sees its own later write has seen the future.
* A version that a read states is from -1 (before the first). One whose value is another is false: the read is resolved
  by its value, and the statement is a finding of its own (isolation.py).
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, OK, History, Op, Read
from checkers.isolation.lineage import NOBODY, Chain, Lineage, row_of
from checkers.text import plain

UNBORN, LOST, FOREIGN, AMBIGUOUS, PERHAPS = -1, -2, -3, -4, -5
_EMPTY = Chain()


INTERNAL, UNREPEATABLE, FUTURE_READ = "internal", "unrepeatable-read", "future-read"


class Inside(NamedTuple):
    """A read that contradicts what its own operation had written, had read, or was still to write."""

    anomaly: str
    op: int
    key: str
    value: str | None


class Seen(NamedTuple):
    """A resolved read. `place` is the place in the key's chain, or UNBORN, LOST, FOREIGN, AMBIGUOUS, PERHAPS."""

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

    `nodes` are positions (in `ops`) of committed operations; `reads[position]` is () for others. `ambiguous` lists the
    reads that could not be given one version, with their readers (AMBIGUOUS: several known ones; PERHAPS: an unknown
    one); `false` those that state a version which holds something else, by reader; `inside` those that contradict what
    the operation itself had written or seen.
    """

    __slots__ = (
        "_sessions", "ambiguous", "false", "graphs", "history", "inside", "lineage", "nodes", "ops", "proofs", "reads",
    )  # fmt: skip

    def __init__(self, history: History, lineage: Lineage | None = None) -> None:
        self.history = history
        self.ops: tuple[Op, ...] = history.ops
        self.lineage = Lineage(history) if lineage is None else lineage
        made, chains = self.lineage.made, self.lineage.chains
        self.nodes = [position for position, op in enumerate(self.ops) if op.type == OK or position in made]
        self.reads: list[Sequence[Seen]] = [()] * len(self.ops)
        self.ambiguous: list[tuple[Op, Seen]] = []
        self.false: list[tuple[int, Read]] = []
        self.inside: list[Inside] = []
        self.graphs: dict[tuple[str, ...], Any] | None = None
        self.proofs: dict[Any, bool] = {}
        self._sessions: dict[str, list[int]] | None = None
        for position in self.nodes:
            op = self.ops[position]
            if op.reads:
                self.reads[position] = self._resolved(position, op, chains)
        if len(self.nodes) < len(self.ops):
            self._check_others()

    def _check_others(self) -> None:
        for position, op in enumerate(self.ops):
            for key, _, stated in () if op.type == OK or position in self.lineage.made else op.reads:
                if stated is not None and not UNBORN <= stated < self.lineage.limit:
                    raise self._no_version(op, key, stated)

    def _no_version(self, op: Op, key: str, stated: int) -> HistoryError:
        return HistoryError(row_of(op), f"a version of {plain(key)} in -1..{self.lineage.limit - 1}", str(stated))

    def _resolved(self, position: int, op: Op, chains: dict[str, Chain]) -> list[Seen]:
        resolved: list[Seen] = []
        start, limit = op.start, self.lineage.limit
        for key, value, stated in op.reads if op.order is None else self._from_outside(position, op):
            chain = chains.get(key, _EMPTY)
            named = start if stated is None else stated
            if stated is not None and not UNBORN <= stated < limit:
                raise self._no_version(op, key, stated)
            place = UNBORN if named is None else chain.at(named)
            if named is None or (chain.values[place] if place >= 0 else None) != value:
                place = self._searched(chain, key, value, start)
                if stated is not None and place >= UNBORN:
                    self.false.append((position, Read(key, value, stated)))
                if place == FOREIGN and (key, value) in op.writes:
                    if op.order is not None:
                        self.inside.append(Inside(FUTURE_READ, position, key, value))
                    continue
            if op.order is not None and place >= 0 and chain.writers[place] == position:
                self.inside.append(Inside(FUTURE_READ, position, key, value))
                continue
            seen = Seen(key, value, place, chain)
            resolved.append(seen)
            if place <= AMBIGUOUS:
                self.ambiguous.append((op, seen))
        return resolved

    def _from_outside(self, position: int, op: Op) -> Iterator[Read]:
        """The reads of what others wrote; what contradicts the operation's own reads and writes goes to `inside`."""
        order = op.order or ""
        if sorted(order) != ["r"] * len(op.reads) + ["w"] * len(op.writes):
            raise HistoryError(row_of(op), f"an order of {len(op.reads)} r and {len(op.writes)} w", repr(order))
        reads, writes = iter(op.reads), iter(op.writes)
        written: dict[str, str | None] = {}
        seen: dict[str, str | None] = {}
        for letter in order:
            if letter == "w":
                write = next(writes)
                written[write.key] = write.value
                continue
            read = next(reads)
            if read.key in written:
                if read.value != written[read.key]:
                    self.inside.append(Inside(INTERNAL, position, read.key, read.value))
            elif read.key not in seen or seen[read.key] != read.value:
                if read.key in seen:
                    self.inside.append(Inside(UNREPEATABLE, position, read.key, read.value))
                seen[read.key] = read.value
                yield read

    def _searched(self, chain: Chain, key: str, value: str | None, start: int | None) -> int:
        place = _search(chain, value, start)
        if place >= UNBORN and value is not None and self.lineage.stated:
            return place
        unclear = self._unknown_version(key, value) if place < UNBORN or value is None else False
        return PERHAPS if unclear or self._unknown_writer(key, value) else place

    def _unknown_version(self, key: str, value: str | None) -> bool:
        """Whether a version of unknown maker may hold this; values are unique, so not if a known maker wrote it."""
        if NOBODY not in self.lineage.makers:
            return False
        unknown = self.lineage.unknown()
        if value is None:
            return any(unknown)  # version 0, the initial content, deletes nothing
        if not unknown or "|" in value:
            return False
        made = self.lineage.made
        return not any(
            (op.type == FAIL or position in made) and (key, value) in op.writes for position, op in enumerate(self.ops)
        )

    def _unknown_writer(self, key: str, value: str | None) -> bool:
        """Whether, without lineage rows, an operation that wrote this may have made a version that nobody claims."""
        made = self.lineage.made
        return not self.lineage.stated and any(
            op.type != FAIL and position not in made and (key, value) in op.writes
            for position, op in enumerate(self.ops)
        )

    def sessions(self) -> dict[str, list[int]]:
        """Committed operations of each process, in order. They are found once: nobody changes them."""
        if self._sessions is None:
            self._sessions = {}
            for position in self.nodes:
                self._sessions.setdefault(self.ops[position].process, []).append(position)
        return self._sessions


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
