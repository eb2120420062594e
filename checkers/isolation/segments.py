"""Cycles of a large history whose reads are all explained by their starts: a graph of what can be on one, and no more.

Every operation has a place in the order of commits (a reader, behind its start), and every dependency leads forward in
it, but for reads that were overtaken before their own commit. A cycle goes back somewhere, so it lies where such
backward edges, as intervals of places, cover each other: all else falls apart into segments of one operation. What is
left of the graph is small, and is searched as any graph is.
"""

from collections.abc import Iterator

import numpy as np

from checkers.histories.pairing import Ints
from checkers.isolation.columns import Proofs
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge, Graph
from checkers.isolation.table import DONE, Operations, Small

MAX_EDGES = 1_000_000


def segment_graph(found: Operations, proofs: Proofs, order: str = "") -> Graph | None:
    """The edges that can be on a cycle; each edge's key is the code of its key, as text. None if they are too many.

    Args: `order` adds that of sessions (`SO`), or real time (`RT`), which must lead forward (`Proofs.forward`).
    """
    segment = _segments(found, proofs)
    kept = []
    for kind, source, target, key in _edges(found, proofs, order == SO):
        inside = np.flatnonzero((segment[source] == segment[target]) & (source != target))
        kept.append((kind, source[inside], target[inside], None if key is None else key[inside]))
    if sum(len(source) for _, source, _, _ in kept) > MAX_EDGES:
        return None
    edges = []
    for kind, source, target, key in kept:
        codes = [None] * len(source) if key is None else [str(code) for code in key.tolist()]
        rows = zip(source.tolist(), target.tolist(), codes, strict=True)
        edges += [Edge(kind, before, after, code) for before, after, code in rows]
    nodes = np.unique(np.concatenate([np.concatenate(ends[1:3]) for ends in kept]))
    if order == RT:
        return _with_real_time(found, nodes, edges)
    return Graph(nodes.tolist(), edges)


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
    reads = found.reads
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, place[proofs.next_writer[proofs.late]], 1)
    np.add.at(steps, place[reads.op[proofs.late]], -1)
    apart = np.cumsum(steps) == 0
    number = np.concatenate([[0], np.cumsum(apart)[:-1]])
    return np.asarray(number[place])


def _edges(found: Operations, proofs: Proofs, session: bool) -> Iterator[tuple[str, Small, Small, Small | None]]:
    reads, writes, places = found.reads, found.writes, proofs.places
    key, op = writes.key[places.order], writes.op[places.order]
    same = key[1:] == key[:-1]
    yield WW, op[:-1][same], op[1:][same], key[1:][same]
    born = places.born
    yield WR, op[places.before[born]], reads.op[born], reads.key[born]
    over = proofs.overtaken
    yield RW, reads.op[over], proofs.next_writer[over], reads.key[over]
    if session:
        chosen = np.flatnonzero(found.counted & (found.kind == DONE))
        order = chosen[np.argsort(found.session[chosen], kind="stable")].astype(np.int32)
        follows = found.session[order[1:]] == found.session[order[:-1]]
        yield SO, order[:-1][follows], order[1:][follows], None
