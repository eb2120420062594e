"""Runs as graphs: dependencies, lineage, waits; and the formats that they are written in."""

import json
import re

import networkx as nx
import pytest

from checkers.histories.history import Event, History
from checkers.histories.notation import history
from checkers.verdict import check
from reports.errors import GraphError
from reports.graphs.build import dependency_graph, lineage_graph, wait_for_graph, whole_graph
from reports.graphs.files import write_graph
from reports.record import Step

LOST = "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2 final:read(x=2)@2"


def kinds(graph, kind):
    """The edges of a kind, as pairs."""
    return [(a, b) for a, b, known in graph.edges(data="kind") if known == kind]


def test_dependency_graph_has_the_committed_operations_and_their_edges():
    """A write skew is a ring of two rw edges."""
    graph = dependency_graph(history("w1:txn(y:0,x=1)@0->1 w2:txn(x:0,y=2)@0->2 w3:txn(x=3)@0!conflict"))
    assert [known["process"] for _, known in graph.nodes(data=True)] == ["setup", "w1", "w2"]
    assert kinds(graph, "rw") == [("op1", "op2"), ("op2", "op1")]
    assert [known["about"] for _, _, known in graph.edges(data=True) if known["kind"] == "rw"] == ["y", "x"]


def test_witnesses_name_what_they_violate():
    """Operations and edges of the cycle; those of no violation say nothing."""
    found = history(LOST)
    violations = check(found, ("no-lost-update", "snapshot-isolation")).violations
    graph = dependency_graph(found, violations)
    guilty = {graph.nodes[name]["process"] for name, said in graph.nodes(data="violates") if said}
    assert guilty == {"w1", "w2"}
    assert any(said and "no-lost-update" in said for _, said in graph.nodes(data="violates"))
    cycles = [edge for violation in violations for edge in violation.cycle]
    assert sum(1 for *_, said in graph.edges(data="violates") if said) == len({*cycles}) > 0


def test_session_and_real_time_order_are_edges_too():
    """One client's two operations; a second client's that began afterwards."""
    graph = dependency_graph(history("w1:upd(x=1)@0->1 ; w1:upd(x=2)@1->2 ; w2:upd(y=1)@2->3"))
    assert kinds(graph, "so") == [("op1", "op2")]
    assert kinds(graph, "rt") == [("op0", "op1"), ("op1", "op2"), ("op2", "op3")]


def lineage(*rows):
    """A history of versions alone, by name and parent."""
    return History(
        Event(at, 0, "lineage", "version", -1, "version", "", None, at, name, parent)
        for at, (name, parent) in enumerate(rows)
    )


def test_lineage_is_a_tree_and_a_fork_has_two_children():
    """As the table names parents, not in the order of the rows."""
    line = lineage_graph(lineage(("a", None), ("b", "a"), ("c", "b")))
    assert list(line.edges) == [("s0", "s1"), ("s1", "s2")]
    fork = lineage_graph(lineage(("a", None), ("b", "a"), ("c", "a")))
    assert nx.is_arborescence(fork)
    assert [name for name, children in fork.out_degree if children > 1] == ["s0"]
    assert [known["snapshot"] for _, known in fork.nodes(data=True)] == ["a", "b", "c"]


def test_versions_without_parents_stand_in_the_order_of_the_lineage():
    """And their edges say so."""
    graph = lineage_graph(lineage(("a", None), ("b", None)))
    assert list(graph.edges(data="kind")) == [("s0", "s1", "order")]


def steps(*calls):
    """Steps from words such as "w1 lock t"; the far side follows from the operation."""
    found = []
    for number, words in enumerate(calls, 1):
        actor, operation, resource = words.split()
        lane = "locks" if "lock" in words.removesuffix(" clock") else "clock" if operation == "sleep" else "store"
        found.append(Step(number, 0, actor, operation, resource, lane, "call"))
    return found


def waiting(*calls):
    """Who waits for whom, and when."""
    edges = wait_for_graph(steps(*calls)).edges(data=True)
    found = [(a, b, *(known[name] for name in ("lock", "first", "last"))) for a, b, known in edges]
    return sorted(found, key=lambda wait: wait[3])


def test_client_waits_from_its_request_until_the_holder_unlocks():
    """It polls and sleeps in between."""
    calls = ("w1 lock lock-t", "w2 lock lock-t", "w2 check_lock 2", "w2 sleep clock", "w2 check_lock 2")
    assert waiting(*calls, "w1 unlock 1", "w2 check_lock 2", "w2 put x") == [("w2", "w1", "lock-t", 2, 5)]


def test_client_that_goes_on_has_been_granted_the_lock_of_a_lease_that_ran_out():
    """Whoever asks then waits for it, and not for the one before."""
    calls = ("w1 lock lock-t", "w2 lock lock-t", "w2 put x", "w3 lock lock-t", "w3 check_lock 3")
    assert waiting(*calls) == [("w2", "w1", "lock-t", 2, 2), ("w3", "w2", "lock-t", 4, 5)]


def test_file_is_held_by_who_created_it_until_anybody_deletes_it():
    """A look at it in the meantime is a wait."""
    calls = ("w1 create a/lock", "w2 exists a/lock", "w2 delete a/lock", "w2 create a/lock", "w1 exists a/lock")
    assert waiting(*calls) == [("w2", "w1", "a/lock", 2, 2), ("w1", "w2", "a/lock", 5, 5)]


def test_two_who_wait_for_each_other_are_a_cycle():
    """A deadlock."""
    calls = ("w1 lock lock-a", "w2 lock lock-b", "w1 lock lock-b", "w2 lock lock-a")
    assert len(list(nx.simple_cycles(wait_for_graph(steps(*calls))))) == 1


def test_locks_that_nobody_waits_for_leave_their_clients_alone():
    """Nodes without edges; helpers that keep a lease alive are no clients."""
    graph = wait_for_graph(steps("w1 try_lock lock-t", "w1-beat heartbeat lock-1", "w1 unlock lock-t", "w2 put x"))
    assert (list(graph.nodes), graph.number_of_edges()) == (["w1"], 0)


def everything():
    """A graph with each kind of node and edge, and text that formats have to escape."""
    found = history(LOST)
    arguments = {"w1": "bell \x07, line\nend", "w2": 'a"b\\c<&> é'}
    events = [event._replace(arg=arguments.get(event.process, event.arg)) for event in found.events]
    told = steps("w1 lock lock-t", "w2 lock lock-t")
    violations = check(found, ("snapshot-isolation",)).violations
    return whole_graph(History(events), violations, told)


def read_dot(text):
    """A graph from the lines that are written: one node or edge each."""
    graph = nx.MultiDiGraph()
    string = r'"((?:[^"\\]|\\.)*)"'
    assert text.startswith("digraph lakeproof {\n")
    assert text.endswith("}\n")
    for line in text.splitlines()[1:-1]:
        match = re.fullmatch(rf"  {string}(?: -> {string})? \[(.*)\];", line)
        assert match is not None, line
        pairs = re.findall(rf"(\w+)={string}", match[3])
        known = {name: re.sub(r"\\(.)", r"\1", value) for name, value in pairs}
        if match[2] is None:
            graph.add_node(match[1], **known)
        else:
            graph.add_edge(match[1], match[2], **known)
    return graph


READERS = {
    "graphml": lambda path: nx.read_graphml(path, force_multigraph=True),
    "json": lambda path: nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges"),
    "dot": lambda path: read_dot(path.read_text(encoding="utf-8")),
}


def content(graph):
    """Nodes and edges with what is known of them, as text."""
    nodes = {name: {key: str(value) for key, value in known.items()} for name, known in graph.nodes(data=True)}
    edges = [
        (a, b, tuple(sorted((key, str(value)) for key, value in known.items() if key != "id")))
        for a, b, known in graph.edges(data=True)
    ]
    return nodes, sorted(edges)


@pytest.mark.parametrize("ending", READERS)
def test_graph_comes_back_from_its_file_as_it_was(ending, tmp_path):
    """Every node, edge and attribute; two files of one graph are equal."""
    graph = everything()
    assert {known["kind"] for _, known in graph.nodes(data=True)} == {"operation", "version", "client"}
    assert {"made", "waits-for"} < {kind for *_, kind in graph.edges(data="kind")}
    path, again = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    write_graph(graph, path)
    write_graph(everything(), again)
    assert content(READERS[ending](path)) == content(graph)
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("name", ["g.png", "g", "dot", "g.DOT", "g.dot.gz"])
def test_name_that_says_no_format_is_refused(name, tmp_path):
    """One line that lists the endings; nothing is written."""
    with pytest.raises(GraphError, match=r"expected a name that ends in \.graphml, \.dot, \.json, got") as caught:
        write_graph(nx.MultiDiGraph(), tmp_path / name)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_overwritten(tmp_path):
    """What stood there stays."""
    path = tmp_path / "g.dot"
    path.write_text("precious")
    with pytest.raises(GraphError, match="expected a name that is free"):
        write_graph(nx.MultiDiGraph(), path)
    assert path.read_text() == "precious"
