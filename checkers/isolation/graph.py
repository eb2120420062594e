"""The dependency graph of committed operations, from the version order that the table gives.

Edges, for versions x0 << x1 << ... of each key: ww writer(xi) -> writer(xi+1), adjacent ones only; wr writer(xi) -> its
readers; rw reader of xi -> writer(xi+1); so an operation -> the next of its session; rt one that completed before the
other was invoked (the transitive reduction of it). Every edge keeps the key and both versions, so that it can be said
in words.

Source: Adya's thesis (1999), chapter 4; Jepsen's Elle for the session and real-time edges.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from checkers.histories.history import OK
from checkers.isolation.resolve import UNBORN, Facts

WW, WR, RW, SO, RT = "ww", "wr", "rw", "so", "rt"


class Edge(NamedTuple):
    """`source` must come before `target`. `before` and `after` are the table versions of `key` on either side."""

    kind: str
    source: int
    target: int
    key: str | None = None
    before: int | None = None
    after: int | None = None


class Graph:
    """Adjacency in a fixed order. `out[position]` lists the edges that leave an operation."""

    __slots__ = ("counts", "nodes", "out")

    def __init__(self, nodes: list[int], edges: Iterable[Edge]) -> None:
        self.nodes = nodes
        self.out: dict[int, list[Edge]] = {node: [] for node in nodes}
        self.counts: dict[str, int] = {}
        for edge in edges:
            self.out[edge.source].append(edge)
            self.counts[edge.kind] = self.counts.get(edge.kind, 0) + 1
        for leaving in self.out.values():
            if len(leaving) > 1:
                leaving.sort(key=_rank)

    def edges(self) -> Iterable[Edge]:
        """All edges, by source."""
        for node in self.nodes:
            yield from self.out[node]

    def only(self, nodes: Iterable[int]) -> "Graph":
        """The graph between `nodes`."""
        kept = dict.fromkeys(nodes)
        return Graph(list(kept), [e for node in kept for e in self.out[node] if e.target in kept])


_ORDER = {WW: 0, WR: 1, SO: 2, RT: 3, RW: 4}


def _rank(edge: Edge) -> tuple[int, int]:
    return edge.target, _ORDER[edge.kind]


def build(facts: Facts, orders: tuple[str, ...] = ()) -> Graph:
    """The graph of data dependencies, with session (`so`) and real-time (`rt`) edges where `orders` asks for them.

    Built once for all checks of one verdict; nobody changes it.
    """
    if facts.graphs is None:
        facts.graphs = {}
    graph: Graph | None = facts.graphs.get(orders)
    if graph is None:
        edges = [*version_edges(facts), *read_edges(facts)]
        if SO in orders:
            edges += session_edges(facts)
        if RT in orders:
            edges += realtime_edges(facts)
        graph = facts.graphs[orders] = Graph(facts.nodes, edges)
    return graph


def version_edges(facts: Facts) -> list[Edge]:
    """ww: adjacent versions of a key."""
    return [
        Edge(WW, earlier, later, key, before, after)
        for key, chain in facts.lineage.chains.items()
        for (before, after), (earlier, later) in zip(pairwise(chain.versions), pairwise(chain.writers), strict=True)
        if earlier != later
    ]


def read_edges(facts: Facts) -> list[Edge]:
    """wr and rw: what a read depends on, and what overtook it."""
    edges = []
    for reader in facts.nodes:
        for key, _, place, chain in facts.reads[reader]:
            if place < UNBORN:
                continue
            versions, writers = chain.versions, chain.writers
            before = versions[place] if place >= 0 else UNBORN
            if place >= 0 and writers[place] != reader:
                edges.append(Edge(WR, writers[place], reader, key, before, before))
            if place + 1 < len(versions) and writers[place + 1] != reader:
                edges.append(Edge(RW, reader, writers[place + 1], key, before, versions[place + 1]))
    return edges


def session_edges(facts: Facts) -> list[Edge]:
    """so: consecutive operations of a process. Who was not acknowledged may be carried out at any later time."""
    edges = []
    for session in facts.sessions().values():
        before = None
        for position in session:
            if before is not None:
                edges.append(Edge(SO, before, position))
            if facts.ops[position].type == OK:
                before = position
    return edges


def realtime_edges(facts: Facts) -> list[Edge]:
    """rt: reduced to the newest completed operations at each invocation; the others follow through them."""
    moments = []
    for position in facts.nodes:
        op = facts.ops[position]
        moments.append((op.invoked, 0, position))
        if op.type == OK and op.completed is not None:
            moments.append((op.completed, 1, position))
    edges: list[Edge] = []
    newest: list[int] = []
    before: dict[int, list[int]] = {}
    for _, done, position in sorted(moments):
        if done:
            known = before.pop(position)
            newest = [other for other in newest if other not in known] + [position]
        else:
            before[position] = newest
            edges += [Edge(RT, other, position) for other in newest]
    return edges
