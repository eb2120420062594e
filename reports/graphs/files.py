"""A graph in a file: GraphML, DOT or JSON, as the file's ending says."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import networkx as nx

from reports.errors import GraphError


def _graphml(graph: nx.MultiDiGraph) -> str:
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def _json(graph: nx.MultiDiGraph) -> str:
    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1, ensure_ascii=False) + "\n"


def _dot(graph: nx.MultiDiGraph) -> str:
    """Graphviz' own language; networkx writes it only through a further library."""
    lines = [f"  {_quoted(node)} [{_attributes(known)}];" for node, known in graph.nodes(data=True)]
    lines += [f"  {_quoted(a)} -> {_quoted(b)} [{_attributes(known)}];" for a, b, known in graph.edges(data=True)]
    return "\n".join(["digraph lakeproof {", *lines, "}"]) + "\n"


def _attributes(known: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in known.items())


def _quoted(value: object) -> str:
    text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


WRITERS: Mapping[str, Callable[[nx.MultiDiGraph], str]] = {".graphml": _graphml, ".dot": _dot, ".json": _json}


def check_name(path: Path, more: tuple[str, ...] = ()) -> None:
    """Refuse a name before any work is done. Raises: GraphError unless its ending names a format and it is free.

    Args: `more` are endings beside those of `WRITERS`.
    """
    endings = (*WRITERS, *more)
    if path.suffix not in endings:
        got = path.suffix or "none"
        raise GraphError(f"graph {path}: expected a name that ends in {', '.join(endings)}, got {got}")
    if path.exists():
        raise GraphError(f"graph {path}: expected a name that is free, got one that exists")


def write_graph(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write a graph to a file that must not be there yet. Raises: GraphError, one line."""
    check_name(path)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(WRITERS[path.suffix](graph))
    except FileExistsError:
        raise GraphError(f"graph {path}: expected a name that is free, got one that exists") from None
    except OSError as error:
        raise GraphError(f"graph {path}: expected a place that can be written, got {error.strerror}") from None
