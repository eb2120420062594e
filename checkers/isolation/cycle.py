"""The shortest cycle of the cheapest class.

Classes, from the weakest property broken upwards: G0 (ww only), G1c (ww and wr), G-single (one rw), G-nonadjacent
(several rw, no two in a row), G2-item (two rw in a row). Snapshot isolation forbids all but the last, serializability
all. Each class is first sought among data dependencies alone, then with session and real-time edges, which the name
then says.

Source: Adya's thesis; Cerone and Gotsman (PODC 2016) for "no cycle without two adjacent rw edges"; class names as in
Elle (elle.txn). Trimming before the search is Kahn's topological sort from both ends.

Choices:
* Short cycles are sought first, from every edge; most anomalies have two or three witnesses.
* Ties fall to the smallest operation numbers, so that one history always gives one cycle.
* A search from one rw edge is cut by a topological order of the other edges, where they have one.
* The search has a bound of visited edges, so that a tangle of a hundred thousand operations does not take for ever;
  past the bound it returns the shortest cycle found so far, which may then not be the shortest there is. Where none
  was found, and no core says that there is one, nothing is claimed (`Exhausted`).
* A cycle that needs the order of a session or real time is called -process or -realtime, as Elle calls it.
"""

from collections import deque
from typing import NamedTuple

from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge, Graph

Cycle = tuple[Edge, ...]
SMALL_NODES = 32
SHORT_LENGTHS = (2, 3, 4)
MAX_VISITS = 5_000_000


class Exhausted(Exception):
    """The search has visited `MAX_VISITS` edges and found no cycle: there may be one, or none."""


class Anomaly(NamedTuple):
    """A class of cycles: the kind of its first edge, the kinds of the others, and what may stand before an rw edge."""

    name: str
    first: str
    rest: tuple[str, ...]
    before: tuple[str, ...] = (WW, WR, RW, SO, RT)

    @property
    def spread(self) -> bool:
        """Whether no two rw edges follow each other, also where the last one meets the first."""
        return self.first == RW and (RW not in self.rest or RW not in self.before)


G0 = Anomaly("G0", WW, (WW,))
G1C = Anomaly("G1c", WR, (WW, WR))
G_SINGLE = Anomaly("G-single", RW, (WW, WR))
G_NONADJACENT = Anomaly("G-nonadjacent", RW, (WW, WR, RW), (WW, WR, SO, RT))
G2_ITEM = Anomaly("G2-item", RW, (WW, WR, RW))
WRITE_SKEW = Anomaly("write-skew", RW, (RW,))
_SEEN = (WR, SO, RT)
"""What makes another operation visible where only prefixes of one order are: all but having written later."""
PREFIX_SINGLE, PREFIX_NONADJACENT = G_SINGLE._replace(before=_SEEN), G_NONADJACENT._replace(before=_SEEN)
RC_FORBIDS = (G0, G1C)
PREFIX_FORBIDS = (G0, G1C, PREFIX_SINGLE, PREFIX_NONADJACENT)
PSI_FORBIDS = (G0, G1C, G_SINGLE)
SI_FORBIDS = (G0, G1C, G_SINGLE, G_NONADJACENT)
SER_FORBIDS = (*SI_FORBIDS, G2_ITEM)


def cyclic_core(successors: dict[int, list[int]]) -> list[int]:
    """The nodes that lie on cycles or between cycles; [] iff there is no cycle. Linear."""
    alive = successors
    for _ in range(2):
        alive = _peel(alive)
        reverse: dict[int, list[int]] = {node: [] for node in alive}
        for node, targets in alive.items():
            for target in targets:
                reverse[target].append(node)
        alive = reverse
    return sorted(alive)


def _peel(successors: dict[int, list[int]], order: list[int] | None = None) -> dict[int, list[int]]:
    """Drop nodes without predecessors until none is left; append them to `order` as they go."""
    degree = dict.fromkeys(successors, 0)
    for targets in successors.values():
        for target in targets:
            degree[target] += 1
    free = [node for node, count in degree.items() if not count]
    while free:
        node = free.pop()
        del degree[node]
        if order is not None:
            order.append(node)
        for target in successors[node]:
            degree[target] -= 1
            if not degree[target]:
                free.append(target)
    return {node: [target for target in successors[node] if target in degree] for node in successors if node in degree}


def core(graph: Graph) -> list[int]:
    """The nodes of `graph` on or between cycles of any class; [] iff serializable (in the given version order)."""
    return cyclic_core({node: [edge.target for edge in graph.out[node]] for node in graph.nodes})


def product_core(
    graph: Graph, orders: tuple[str, ...] = (SO, RT), before: tuple[str, ...] = (WW, WR, SO, RT)
) -> list[int]:
    """The nodes on or between cycles whose rw edges all stand behind an edge of a kind in `before`.

    By default those without two adjacent rw edges: [] iff snapshot isolation holds with `orders`. The product graph
    has each node twice, 2n + 1 = arrived by a kind in `before`, 2n = arrived otherwise: rw edges leave only the former.
    """
    successors: dict[int, list[int]] = {}
    allowed = {kind: kind in before for kind in (WW, WR, *orders)}
    for node in graph.nodes:
        depends = [2 * edge.target + allowed[edge.kind] for edge in graph.out[node] if edge.kind in allowed]
        successors[2 * node] = depends
        successors[2 * node + 1] = depends + [2 * edge.target for edge in graph.out[node] if edge.kind == RW]
    return list(dict.fromkeys(half // 2 for half in cyclic_core(successors)))


def cheapest(graph: Graph, anomalies: tuple[Anomaly, ...]) -> tuple[str, Cycle] | None:
    """The shortest cycle of the first of `anomalies` that has any, with the name of its class; None if there is none.

    The name ends in "-process" or "-realtime" if the cycle needs such an edge. Raises: Exhausted.
    """
    nodes = core(graph)
    if not nodes:
        return None
    inner = graph.only(nodes) if len(nodes) < len(graph.nodes) else graph
    for orders in ((), (SO,), (SO, RT)):
        if all(inner.counts.get(kind) for kind in orders[-1:]):
            for anomaly in anomalies:
                cycle = shortest(inner, anomaly, orders)
                if cycle is not None:
                    return anomaly.name + suffix(cycle), cycle
    return None


def fork(graph: Graph) -> Cycle | None:
    """Two readers and two writers: each reader saw one of the writes and missed the other; None if there are none.

    Raises: Exhausted.
    """
    saw = {(edge.source, edge.target): edge for edge in graph.edges() if edge.kind == WR}
    visits = 0
    for one in graph.edges():
        for two in graph.out[one.target] if one.kind == RW else ():
            if two.kind != WR or two.target == one.source:
                continue
            visits += len(graph.out[two.target])
            for three in graph.out[two.target]:
                back = saw.get((three.target, one.source))
                if three.kind == RW and back is not None and three.target != one.target:
                    return one, two, three, back
        if visits > MAX_VISITS:
            raise Exhausted
    return None


def suffix(cycle: Cycle) -> str:
    """What the name of a cycle's class ends in."""
    kinds = [edge.kind for edge in cycle]
    return "-realtime" if RT in kinds else "-process" if SO in kinds else ""


def _ranks(graph: Graph, kinds: tuple[str, ...]) -> dict[int, int]:
    """Each node's place in a topological order of the edges of `kinds`; {} if they have a cycle."""
    successors = {node: [edge.target for edge in graph.out[node] if edge.kind in kinds] for node in graph.nodes}
    order: list[int] = []
    rest = _peel(successors, order)
    return {} if rest else {node: rank for rank, node in enumerate(order)}


def shortest(graph: Graph, anomaly: Anomaly, orders: tuple[str, ...] = ()) -> Cycle | None:
    """The shortest cycle of `anomaly`, which may use the order edges in `orders`; None if there is none.

    With spread rw edges a closed walk may pass a node twice; it then has a cycle of a cheaper class inside, and it is
    not sought. Raises: Exhausted.
    """
    kinds = (*anomaly.rest, *orders)
    if anomaly.spread and len(graph.nodes) > SMALL_NODES:
        graph = graph.only(product_core(graph, orders))
    ranks = _ranks(graph, kinds)
    if ranks and anomaly.first in kinds:
        return None
    starts = [edge for edge in graph.edges() if edge.kind == anomaly.first]
    if ranks:
        starts = [edge for edge in starts if ranks[edge.target] < ranks[edge.source]]
    for limit in SHORT_LENGTHS:
        for start in starts:
            path = _path(graph, start, kinds, anomaly.before, limit, ranks, [0])
            if path is not None:
                return (start, *path)
    return _shortest_of_any_length(graph, anomaly, kinds, starts, ranks)


def _shortest_of_any_length(
    graph: Graph, anomaly: Anomaly, kinds: tuple[str, ...], starts: list[Edge], ranks: dict[int, int]
) -> Cycle | None:
    best: Cycle | None = None
    budget = [MAX_VISITS]
    for start in starts:
        limit = (len(best) if best else 2 * len(graph.nodes) + 3) - 1
        path = _path(graph, start, kinds, anomaly.before, limit, ranks, budget)
        if path is not None:
            best = (start, *path)
        if budget[0] < 0:
            if best is None and start is not starts[-1]:
                raise Exhausted
            break
    return best


def _path(
    graph: Graph,
    start: Edge,
    kinds: tuple[str, ...],
    before: tuple[str, ...],
    limit: int,
    ranks: dict[int, int],
    budget: list[int],
) -> Cycle | None:
    """The shortest way from the end of `start` back to its beginning, of fewer than `limit` edges.

    An rw edge, the first one included, is only taken from where an edge of a kind in `before` has led. With `ranks`,
    no way leads back from a node ranked after the goal.
    """
    source, goal = start.target, start.source
    last = ranks.get(goal, 0)
    barred = frozenset(kinds).union((start.kind,)).difference(before)
    last_barred = barred if start.kind == RW else frozenset[str]()
    first = (source, start.kind in barred)
    reached: dict[tuple[int, bool], tuple[tuple[int, bool], Edge] | None] = {first: None}
    queue = deque([(first, 1)])
    while queue:
        state, length = queue.popleft()
        if length >= limit:
            return None
        for edge in graph.out[state[0]]:
            budget[0] -= 1
            if edge.kind not in kinds or (state[1] and edge.kind == RW):
                continue
            if edge.target == goal:
                if edge.kind in last_barred:
                    continue
                return (*_unwind(reached, state), edge)
            after = (edge.target, edge.kind in barred)
            if after not in reached and (not ranks or ranks[edge.target] < last):
                reached[after] = (state, edge)
                queue.append((after, length + 1))
    return None


def _unwind(
    reached: dict[tuple[int, bool], tuple[tuple[int, bool], Edge] | None], state: tuple[int, bool]
) -> list[Edge]:
    path: list[Edge] = []
    step = reached[state]
    while step is not None:
        state, edge = step
        path.append(edge)
        step = reached[state]
    return path[::-1]
