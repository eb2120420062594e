"""Cycles of a large history whose reads are all explained by their starts: a graph of what can be on one, and no more.

Every operation has a place in the order of commits (a reader, behind its start), and every dependency leads forward in
it, but for reads that were overtaken before their own commit. A cycle goes back somewhere, so it lies where such
backward edges, as intervals of places, cover each other: all else falls apart into segments of one operation. What is
left of the graph is small, and is searched as any graph is.
"""

from collections.abc import Iterator

import numpy as np

from checkers.histories.pairing import Ints, in_turn
from checkers.isolation.columns import Proofs
from checkers.isolation.cycle import SER_FORBIDS, SI_FORBIDS, Anomaly
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge, Graph
from checkers.isolation.table import DONE, Operations, Small

MAX_EDGES = 1_000_000

Kept = tuple[str, Small, Small, Small | Ints | None]
"""Edges of one kind: their sources, their targets, and the codes of their keys."""


class Segments:
    """The segments of a history, and the edges inside them. `graph` is None if these are too many."""

    def __init__(self, found: Operations, proofs: Proofs) -> None:
        self.found = found
        self.segment = _segments(found, proofs)
        self.several = np.bincount(self.segment)[self.segment] > 1
        self.kept = [one for edges in _edges(proofs) for one in self._inside(*edges)]

    def _inside(self, kind: str, source: Small, target: Small, key: Small | Ints | None) -> Iterator[Kept]:
        maybe = np.flatnonzero(self.several.take(source))
        before, after = source.take(maybe), target.take(maybe)
        inside = np.flatnonzero((self.segment.take(before) == self.segment.take(after)) & (before != after))
        if len(inside):
            yield kind, before[inside], after[inside], None if key is None else key[maybe[inside]]

    def graph(self, order: str = "") -> Graph | None:
        """The edges that can be on a cycle; each edge's key is the code of its key, as text. None if they are too many.

        Args: `order` adds that of sessions (`SO`), or real time (`RT`), which must lead forward (`Proofs.forward`).
        """
        kept = [*self.kept, *(self._inside(*_in_sessions(self.found)) if order == SO else ())]
        if sum(len(source) for _, source, _, _ in kept) > MAX_EDGES:
            return None
        edges = []
        for kind, source, target, key in kept:
            codes = [None] * len(source) if key is None else [str(code) for code in key.tolist()]
            rows = zip(source.tolist(), target.tolist(), codes, strict=True)
            edges += [Edge(kind, before, after, code) for before, after, code in rows]
        nodes = np.unique(np.concatenate([np.zeros(0, np.int32), *(end for one in kept for end in one[1:3])]))
        if order == RT:
            return _with_real_time(self.found, nodes, edges)
        return Graph(nodes.tolist(), edges)


def left(isolated: bool) -> tuple[Anomaly, ...]:
    """The classes of cycles that may break serializability: where snapshot isolation was shown, the last one alone."""
    return SER_FORBIDS[len(SI_FORBIDS) :] if isolated else SER_FORBIDS


def _with_real_time(found: Operations, nodes: Ints, edges: list[Edge]) -> Graph:
    """The graph with a chain of ticks, one a completion: an operation leads to its own, a tick to who comes after it.

    Real time between two operations leads over ticks, so that there are few edges; nothing else leads to them.
    """
    done = nodes[found.kind[nodes] == DONE]
    done = done[np.argsort(found.completed[done], kind="stable")]
    ticks = len(found.kind) + np.arange(len(done))
    last = np.searchsorted(found.completed[done], found.invoked[nodes]) - 1
    edges += [Edge(RT, before, after) for before, after in zip(done.tolist(), ticks.tolist(), strict=True)]
    edges += [Edge(RT, before, before + 1) for before in ticks[:-1].tolist()]
    after = zip(ticks[last[last >= 0]].tolist(), nodes[last >= 0].tolist(), strict=True)
    edges += [Edge(RT, before, node) for before, node in after]
    return Graph([*nodes.tolist(), *ticks.tolist()], edges)


def _segments(found: Operations, proofs: Proofs) -> Ints:
    """The number of each operation's segment."""
    size = 2 * found.versions + 2
    place = np.maximum(proofs.place, 0)
    steps = np.zeros(size + 1, np.int64)
    reads, by = proofs.late
    np.add.at(steps, place[by], 1)
    np.add.at(steps, place[found.reads.op[reads]], -1)
    apart = np.cumsum(steps) == 0
    number = np.concatenate([[0], np.cumsum(apart)[:-1]])
    return np.asarray(number[place])


def _edges(proofs: Proofs) -> Iterator[Kept]:
    for block in proofs.places.blocks():
        again = ~block.first[1:]
        yield WW, block.op[:-2][again], block.op[1:-1][again], block.key[1:][again]
        born, followed = block.before >= 0, block.after >= 0
        yield WR, block.op.take(block.before[born]), block.reader[born], block.read_key[born]
        yield RW, block.reader[followed], block.op.take(block.after[followed]), block.read_key[followed]


def _in_sessions(found: Operations) -> Kept:
    chosen = np.flatnonzero(found.counted & (found.kind == DONE))
    order = chosen[in_turn(found.session[chosen])].astype(np.int32)
    follows = found.session[order[1:]] == found.session[order[:-1]]
    return SO, order[:-1][follows], order[1:][follows], None
