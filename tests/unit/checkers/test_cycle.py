"""The cycle that is reported: cheapest class, shortest, always the same; and bounded work on a tangle."""

import pytest

from checkers.histories.history import Event, History
from checkers.isolation import cycle
from checkers.isolation.graph import Edge, Graph, realtime_edges
from checkers.isolation.resolve import Facts


def _graph(text):
    """Edges like "1-ww-2"."""
    edges = [Edge(kind, int(a), int(b), "x", 0, 1) for a, kind, b in (word.split("-") for word in text.split())]
    return Graph(sorted({node for edge in edges for node in edge[1:3]}), edges)


def _found(text, anomalies=cycle.SER_FORBIDS):
    found = cycle.cheapest(_graph(text), anomalies)
    return found and (found[0], " ".join(f"{edge.source}-{edge.kind}-{edge.target}" for edge in found[1]))


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ("1-ww-2 2-ww-1", ("G0", "1-ww-2 2-ww-1")),
        ("1-wr-2 2-ww-1", ("G1c", "1-wr-2 2-ww-1")),
        ("1-rw-2 2-ww-1", ("G-single", "1-rw-2 2-ww-1")),
        ("1-rw-2 2-ww-3 3-rw-4 4-wr-1", ("G-nonadjacent", "1-rw-2 2-ww-3 3-rw-4 4-wr-1")),
        ("1-rw-2 2-rw-1", ("G2-item", "1-rw-2 2-rw-1")),
        ("1-rw-2 2-rw-3 3-wr-1", ("G2-item", "1-rw-2 2-rw-3 3-wr-1")),
        ("1-rw-2 2-so-1", ("G-single-process", "1-rw-2 2-so-1")),
        ("1-rw-2 2-rt-1", ("G-single-realtime", "1-rw-2 2-rt-1")),
        ("1-ww-2 2-ww-3 1-rw-3 1-wr-3", None),
        ("1-rw-2 2-rw-3 3-wr-1 4-ww-5 5-ww-6 6-ww-4", ("G0", "4-ww-5 5-ww-6 6-ww-4")),
        ("1-rw-2 2-rw-1 3-rw-4 4-wr-5 5-ww-3", ("G-single", "3-rw-4 4-wr-5 5-ww-3")),
        ("1-rw-2 2-ww-3 3-ww-1 2-ww-4 4-rw-5 5-ww-4", ("G-single", "4-rw-5 5-ww-4")),
        ("1-rw-2 2-rt-1 3-rw-4 4-ww-5 5-ww-6 6-ww-3", ("G-single", "3-rw-4 4-ww-5 5-ww-6 6-ww-3")),
    ],
)
def test_the_cheapest_class_wins_and_then_the_shortest(edges, expected):
    """Data dependencies before order edges; length only within one class."""
    assert _found(edges) == expected


def test_two_rw_edges_in_a_row_are_allowed_under_snapshot_isolation():
    """Also where the cycle closes."""
    for edges in ("1-rw-2 2-rw-1", "1-rw-2 2-ww-3 3-rw-1", "1-rw-2 2-rw-3 3-wr-1"):
        assert _found(edges, cycle.SI_FORBIDS) is None
        assert cycle.product_core(_graph(edges)) == []
        assert cycle.core(_graph(edges)) != []


def test_ties_fall_to_the_smallest_numbers_in_whatever_order_edges_come():
    """One history, one cycle."""
    edges = "5-rw-6 6-ww-5 1-rw-9 9-ww-1 1-rw-2 2-ww-1 3-rw-4 4-ww-3".split()
    for turn in range(len(edges)):
        assert _found(" ".join(edges[turn:] + edges[:turn])) == ("G-single", "1-rw-2 2-ww-1")


def test_trimming_keeps_what_lies_on_or_between_cycles():
    """And nothing that leads to them or away from them."""
    successors = {0: [1], 1: [2], 2: [1, 3], 3: [4], 4: [5], 5: [4, 6], 6: [7], 7: []}
    assert cycle.cyclic_core(successors) == [1, 2, 3, 4, 5]
    assert cycle.cyclic_core({0: [1, 1], 1: [2], 2: []}) == []


def test_a_short_cycle_is_found_in_a_large_history():
    """Ten thousand operations in a chain, one pair that closes a cycle, and one long way back."""
    chain = [Edge("ww", node, node + 1, "x", 0, 1) for node in range(10_000)]
    extra = [Edge("rw", 7_000, 6_999, "y", 0, 1), Edge("rw", 9_000, 1_000, "y", 0, 1)]
    found = cycle.cheapest(Graph(list(range(10_001)), chain + extra), cycle.SI_FORBIDS)
    assert found is not None
    assert (found[0], [edge.source for edge in found[1]]) == ("G-single", [7_000, 6_999])


def test_a_tangle_ends_within_the_bound_with_some_cycle(monkeypatch):
    """Past the bound the cycle may not be the shortest; there is one all the same."""
    monkeypatch.setattr(cycle, "MAX_VISITS", 10)
    tangle = " ".join(f"{a}-rw-{(a + 1) % 9}" for a in range(9)) + " 7-rw-5"
    graph = _graph(tangle)
    whole = cycle.shortest(graph, cycle.G2_ITEM)
    assert whole is not None
    assert len(whole) in (3, 9)
    monkeypatch.undo()
    best = cycle.shortest(graph, cycle.G2_ITEM)
    assert best is not None
    assert len(best) == 3


def _intervals(text):
    """Events from "a b A c B C": small letters invoke, capitals complete."""
    events = [
        Event(at, 0, mark.lower(), "invoke" if mark.islower() else "ok", "abcde".index(mark.lower()), "read")
        for at, mark in enumerate(text.split())
    ]
    return Facts(History(events))


@pytest.mark.parametrize(
    ("moments", "edges"),
    [
        ("a A b B c C", [(0, 1), (1, 2)]),
        ("a b A B c C", [(0, 2), (1, 2)]),
        ("a b A c C B d D", [(0, 2), (1, 3), (2, 3)]),
        ("a b c", []),
        ("a b B", []),
    ],
)
def test_real_time_edges_are_those_that_the_others_do_not_imply(moments, edges):
    """An operation of unknown outcome precedes nothing."""
    assert sorted((edge.source, edge.target) for edge in realtime_edges(_intervals(moments))) == edges
