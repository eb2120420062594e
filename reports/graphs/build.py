"""Graphs of a run, for tools that lay out, measure or compare them. Every node and edge says in `kind` what it is.

| part | node | edge |
| --- | --- | --- |
| dependencies | a committed operation, `op3` | ww, wr, rw, so, rt: the source must come before the target |
| lineage | a version of the table, `s1` | `parent`, or `order` where the table names no parent: oldest first |
| locks | a client, `w1` | `waits-for`: the source asked for a lock that the target held |

`violates` names the broken properties that an operation or a dependency is a witness of.

Choices:
* Attributes are text and whole numbers, which every format has; what is not known is left out.
* The key that a dependency is about stands in `about`: `key` is a name of networkx's own.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import networkx as nx

from checkers.histories.history import OK, SETUP, History
from checkers.isolation.graph import RT, SO, build
from checkers.isolation.lineage import Lineage
from checkers.isolation.resolve import Facts
from checkers.verdict import Violation
from reports.graphs.waits import waits
from reports.record import Step


def whole_graph(history: History, violations: Sequence[Violation] = (), steps: Iterable[Step] = ()) -> nx.MultiDiGraph:
    """All three in one, joined by `made` edges from operations to the versions that they made.

    Args: `steps` are the run's, if it has any: a history alone says nothing about locks.
    """
    parts = (dependency_graph(history, violations), lineage_graph(history), wait_for_graph(steps))
    graph = nx.compose_all([nx.MultiDiGraph(part) for part in parts])
    for version, maker in enumerate(Lineage(history).makers):
        if maker >= 0 and (name := f"op{history.ops[maker].id}") in graph:
            graph.add_edge(name, f"s{version}", kind="made", label="made")
    return graph


def dependency_graph(history: History, violations: Sequence[Violation] = ()) -> nx.MultiDiGraph:
    """The committed operations and their dependencies, with session and real-time order. Raises: HistoryError."""
    facts = Facts(history)
    graph = nx.MultiDiGraph()
    blame = {id_: _names(v for v in violations if id_ in v.ops) for violation in violations for id_ in violation.ops}
    for position in facts.nodes:
        op = facts.ops[position]
        words = "initial content" if op.process == SETUP else f"{op.process}: {op.f} {op.arg or ''}".strip()
        known = {
            "kind": "operation", "label": words, "process": op.process, "f": op.f, "arg": op.arg, "outcome": op.type,
            "start": op.start, "violates": blame.get(op.id),
        }  # fmt: skip
        graph.add_node(f"op{op.id}", **_said(known))
    for edge in build(facts, (SO, RT)).edges():
        source, target = facts.ops[edge.source].id, facts.ops[edge.target].id
        same = edge._replace(source=source, target=target)
        label = f"{edge.kind} {edge.key}" if edge.key else edge.kind
        known = {
            "kind": edge.kind, "label": label, "about": edge.key, "before": edge.before, "after": edge.after,
            "violates": _names(v for v in violations if same in v.cycle),
        }  # fmt: skip
        graph.add_edge(f"op{source}", f"op{target}", **_said(known))
    return graph


def lineage_graph(history: History) -> nx.DiGraph:
    """The versions of the table, each below the one that it was made from. A fork is a version with two children."""
    graph = nx.DiGraph()
    rows = {event.commit: event for event in history.versions}
    names = {row.snapshot: version for version, row in rows.items() if row.snapshot is not None}
    for version, maker in enumerate(Lineage(history).makers):
        row, op = rows.get(version), history.ops[maker] if maker >= 0 else None
        known = {
            "snapshot": row.snapshot if row else None, "operation": row.arg if row else None,
            "maker": op.process if op else None, "unacknowledged": op.type if op and op.type != OK else None,
        }  # fmt: skip
        graph.add_node(f"s{version}", kind="version", label=f"s{version}", **_said(known))
        parent = names.get(row.parent) if row and row.parent is not None else None
        if parent is not None:
            graph.add_edge(f"s{parent}", f"s{version}", kind="parent", label="parent")
        elif version:
            graph.add_edge(f"s{version - 1}", f"s{version}", kind="order", label="order")
    return graph


def wait_for_graph(steps: Iterable[Step]) -> nx.MultiDiGraph:
    """Which client waited for which, over which lock, from which step to which. A cycle would be a deadlock."""
    clients, found = waits(steps)
    graph = nx.MultiDiGraph()
    for client in clients:
        graph.add_node(client, **_said({"kind": "client", "label": client}))
    for wait in found:
        label = f"{wait.lock}, step {wait.first}" + (f" to {wait.last}" if wait.last > wait.first else "")
        known = {"kind": "waits-for", "label": label, "lock": wait.lock, "first": wait.first, "last": wait.last}
        graph.add_edge(wait.client, wait.holder, **_said(known))
    return graph


def _names(violations: Iterable[Violation]) -> str:
    return ", ".join(dict.fromkeys(f"{violation.property}/{violation.anomaly}" for violation in violations))


def _said(known: dict[str, Any]) -> dict[str, Any]:
    """What is known, in characters that every format has."""
    return {name: _plain(value) for name, value in known.items() if value is not None and value != ""}


def _plain(value: Any) -> Any:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join([one if one.isprintable() else repr(one)[1:-1] for one in value])
