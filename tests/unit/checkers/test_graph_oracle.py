"""The search for cycles against networkx, which knows nothing of it: the same classes, cores and lengths.

A class is asked of networkx in its own terms. Where edges may follow each other freely, a cycle of the class is a
simple cycle of which each hop has an edge of a fitting kind. Where no two rw edges may be neighbours, it is an rw edge
inside a strongly connected component of the graph that has each node twice: arrived by rw, or not.
"""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers.isolation.cycle import (
    G0,
    G1C,
    G2_ITEM,
    G_NONADJACENT,
    G_SINGLE,
    SER_FORBIDS,
    SI_FORBIDS,
    WRITE_SKEW,
    cheapest,
    core,
    cyclic_core,
    product_core,
    shortest,
)
from checkers.isolation.graph import RT, RW, SO, WR, WW, Edge, Graph

KINDS = (WW, WR, RW, SO, RT)
ORDERS = ((), (SO,), (SO, RT))
CLASSES = (G0, G1C, G_SINGLE, G_NONADJACENT, G2_ITEM, WRITE_SKEW)


def graphs(nodes, edges):
    """Graphs of up to so many nodes and edges; no edge leads back to its own node."""
    ends = st.tuples(st.integers(0, nodes - 1), st.integers(1, nodes - 1), st.sampled_from(KINDS))
    made = st.lists(ends, max_size=edges, unique=True)
    return made.map(lambda found: Graph(list(range(nodes)), [Edge(k, a, (a + by) % nodes) for a, by, k in found]))


SMALL, LARGE = graphs(6, 14), graphs(40, 90)


def fitting(graph, anomaly, orders):
    """The simple cycles that are of the class, as networkx enumerates them (classes without neighbours' rule)."""
    hops: dict[tuple[int, int], set[str]] = {}
    for edge in graph.edges():
        hops.setdefault((edge.source, edge.target), set()).add(edge.kind)
    allowed = {*anomaly.rest, *orders}
    for nodes in nx.simple_cycles(nx.DiGraph(list(hops))):
        kinds = [hops[hop] for hop in pairwise([*nodes, nodes[0]])]
        odd = [hop for hop in kinds if not hop & allowed]
        if any(anomaly.first in hop for hop in (odd or kinds)) and len(odd) <= 1:
            yield nodes


def spread(anomaly):
    """Whether the class has several rw edges, no two of them in a row."""
    return RW in anomaly.rest and RW not in anomaly.before


def doubled(graph, orders):
    """The graph of nodes with how they were arrived at; rw edges leave only those that were not arrived at by rw."""
    product = nx.MultiDiGraph()
    for edge in graph.edges():
        if edge.kind == RW:
            product.add_edge((edge.source, False), (edge.target, True), kind=RW)
        elif edge.kind in (WW, WR, *orders):
            for arrived in (False, True):
                product.add_edge((edge.source, arrived), (edge.target, False), kind=edge.kind)
    return product


def is_of(graph, anomaly, orders):
    """Networkx' verdict: whether there is a cycle of the class; a closed walk will do where rw edges are spread."""
    if not spread(anomaly):
        return any(True for _ in fitting(graph, anomaly, orders))
    product = doubled(graph, orders)
    tangle = {node: at for at, part in enumerate(nx.strongly_connected_components(product)) for node in part}
    return any(kind == RW and tangle[a] == tangle[b] for a, b, kind in product.edges(data="kind"))


@given(SMALL)
@settings(deadline=None, max_examples=400)
def test_class_is_found_exactly_where_networkx_has_a_cycle_of_it(graph):
    """For every class, with and without session and real-time order."""
    for orders in ORDERS:
        for anomaly in CLASSES:
            found = shortest(graph, anomaly, orders) is not None
            there = is_of(graph, anomaly, orders)
            if spread(anomaly) and there and not found:
                there = not cheaper(graph, orders)
            assert found == there, (anomaly.name, orders)


def cheaper(graph, orders):
    """Whether there is a cycle with at most one rw edge: a closed walk that passes a node twice has one inside."""
    return any(is_of(graph, anomaly, orders) for anomaly in (G0, G1C, G_SINGLE))


def test_walk_that_is_no_cycle_has_one_of_a_cheaper_class_inside():
    """Two ww cycles and an rw edge there and back: each rw edge follows a ww edge, on a walk that passes both twice."""
    edges = [(0, 3, WW), (3, 0, WW), (4, 5, WW), (5, 4, WW), (3, 4, RW), (4, 3, RW)]
    graph = Graph(list(range(6)), [Edge(kind, a, b) for a, b, kind in edges])
    assert is_of(graph, G_NONADJACENT, ())
    assert shortest(graph, G_NONADJACENT) is None
    found = cheapest(graph, SI_FORBIDS)
    assert found is not None
    assert found[0] == "G0"


@given(SMALL)
@settings(deadline=None, max_examples=200)
def test_cycle_that_is_found_is_one_and_none_is_shorter(graph):
    """It closes, its edges are the graph's and of the class, and networkx knows no shorter one."""
    for orders in ORDERS:
        for anomaly in CLASSES:
            found = shortest(graph, anomaly, orders)
            if found is None:
                continue
            assert all(one.target == two.source for one, two in pairwise([*found, found[0]]))
            assert {*found} <= {*graph.edges()}
            assert found[0].kind == anomaly.first
            assert {edge.kind for edge in found[1:]} <= {*anomaly.rest, *orders}
            if spread(anomaly):
                assert not any(one.kind == two.kind == RW for one, two in pairwise([*found, found[0]]))
            else:
                assert len(found) == min(len(nodes) for nodes in fitting(graph, anomaly, orders))


@given(SMALL)
@settings(deadline=None, max_examples=300)
@pytest.mark.parametrize("forbidden", [SI_FORBIDS, SER_FORBIDS], ids=["snapshot isolation", "serializable"])
def test_cheapest_class_is_the_first_that_networkx_confirms(forbidden, graph):
    """Data dependencies alone first, then with session order, then with real-time order."""
    wanted = next(
        ((anomaly, orders) for orders in ORDERS for anomaly in forbidden if is_of(graph, anomaly, orders)), None
    )
    found = cheapest(graph, forbidden)
    assert (found is None) == (wanted is None)
    if found is not None and wanted is not None:
        suffix = {(): "", (SO,): "-process", (SO, RT): "-realtime"}[wanted[1]]
        assert found[0] == wanted[0].name + suffix


def between_cycles(graph):
    """The nodes on or between cycles, by reachability from and to strongly connected components."""
    loops = {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}
    after = {node for loop in loops for node in nx.descendants(graph, loop)} | loops
    before = {node for loop in loops for node in nx.ancestors(graph, loop)} | loops
    return sorted(after & before)


@given(LARGE)
@settings(deadline=None, max_examples=150)
def test_cores_are_what_lies_on_or_between_networkx_components(graph):
    """Of the whole graph, and of the doubled one that snapshot isolation is about."""
    plain = nx.DiGraph([(edge.source, edge.target) for edge in graph.edges()])
    assert core(graph) == between_cycles(plain)
    assert cyclic_core({node: [edge.target for edge in graph.out[node]] for node in graph.nodes}) == core(graph)
    for orders in ORDERS:
        nodes = {node for node, _ in between_cycles(nx.DiGraph(doubled(graph, orders)))}
        assert {*product_core(graph, orders)} == nodes


@given(LARGE)
@settings(deadline=None, max_examples=60)
def test_classes_agree_on_graphs_that_are_trimmed_first(graph):
    """Beyond the size up to which nothing is trimmed."""
    ways = nx.DiGraph([(edge.source, edge.target) for edge in graph.edges() if edge.kind in (WW, WR, SO)])
    ways.add_nodes_from(graph.nodes)
    single = any(edge.kind == RW and nx.has_path(ways, edge.target, edge.source) for edge in graph.edges())
    assert (shortest(graph, G_SINGLE, (SO,)) is not None) == single
    found, there = shortest(graph, G_NONADJACENT, (SO,)) is not None, is_of(graph, G_NONADJACENT, (SO,))
    assert found == there or (there and (single or not nx.is_directed_acyclic_graph(ways)))
