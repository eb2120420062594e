"""The rules about who knows whom: no circle between files, and protocols that keep to their own folders.

A file knows another one if it imports it anywhere: at the top, inside a function (the circle is only hidden there) or
for a type checker alone (`if TYPE_CHECKING:`; a type that is needed on both sides is a Protocol on the lower one).

In every layer the files outside the protocols' folders know no protocol, protocols do not know each other, and what is
called after a protocol lies in its folder. `lakeproof/protocols.py` names their parts in strings: it imports none.

Choices:
* Importing `a.b.c` does not count as knowing `a/b/__init__.py`, although Python runs that first.
* An exception is a row of a table here, with its reason; a test finds those that are no longer needed.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise

import networkx as nx

from tests.unit.house.rules import MAY_IMPORT, PROTOCOLS, imported

# (file, protocol): why this file may import this protocol's parts.
OVER_METASTORES = "Iceberg's Hive catalog meets the metastore's replicas here, at the metastore port"
EXCEPTIONS = {
    ("sim/iceberg/over_metastores.py", "hive"): OVER_METASTORES,
    ("sim/iceberg/draw/metastores.py", "hive"): OVER_METASTORES,
    ("sim/iceberg/metastore_cells.py", "hive"): OVER_METASTORES,
    ("sim/iceberg/wide_over_metastores.py", "hive"): OVER_METASTORES,
    ("reports/iceberg/renderer.py", "hive"): "what caches do below the Hive catalog is told in the metastore's words",
    ("real_backend/iceberg/over_metastores.py", "hive"): f"{OVER_METASTORES}, live",
    ("real_backend/iceberg/conformance_over_metastores.py", "hive"): f"{OVER_METASTORES}, live",
    ("real_backend/iceberg/java_hive.py", "hive"): "Iceberg's Hive catalog is one of a metastore, live",
    ("real_backend/iceberg/system.py", "hive"): f"{OVER_METASTORES}, live: one system starts both",
}


def protocol_of(parts: list[str]) -> str | None:
    """The protocol in whose folder a file or module lies: ["sim", "hudi", "race"] -> "hudi"."""
    inside = len(parts) > 1 and parts[0] in MAY_IMPORT and parts[1] in PROTOCOLS
    return parts[1] if inside else None


def protocol_findings(source: str, path: str, allowed: Mapping[tuple[str, str], str] = EXCEPTIONS) -> list[str]:
    """Imports of a protocol's parts from outside its folders; `path` is relative to the checkout."""
    own = protocol_of(path.removesuffix(".py").split("/"))
    found = []
    for line, name in imported(ast.parse(source), path):
        other = protocol_of(name.split("."))
        if other and other != own and (path, other) not in allowed:
            who = f"protocol {own}" if own else f"the core of {path.split('/', 1)[0]}"
            found.append(f"{path}:{line}: {who} may not import protocol {other} ({name})")
    return found


def name_findings(path: str) -> list[str]:
    """Files that are called after a protocol and lie elsewhere."""
    parts = path.split("/")
    own = protocol_of(parts)
    return [
        f"{path}: its name says {name}, so it belongs into a folder {name}/"
        for name in sorted(PROTOCOLS)
        if parts[-1].startswith(name) and own != name
    ]


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _files(name: str, modules: Mapping[str, str]) -> Iterator[str]:
    """The file that an imported name leads to: the module, or the one that holds the name."""
    for stem in (name, name.rpartition(".")[0]):
        if stem in modules:
            yield modules[stem]
            return


def import_graph(sources: Mapping[str, str]) -> nx.DiGraph:
    """Which file imports which, from texts by path; an edge knows its first line."""
    modules = {_module(path): path for path in sources}
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(sources)
    for path, source in sources.items():
        for line, name in imported(ast.parse(source), path):
            for target in _files(name, modules):
                if target != path and not graph.has_edge(path, target):
                    graph.add_edge(path, target, line=line)
    return graph


def circle_findings(sources: Mapping[str, str]) -> list[str]:
    """Files that know each other, directly or through others: one shortest circle for each tangle."""
    graph = import_graph(sources)
    found = []
    for tangle in nx.strongly_connected_components(graph):
        if len(tangle) > 1:
            inside = graph.subgraph(tangle)
            circles = [[one, *nx.shortest_path(inside, two, one)] for one, two in sorted(inside.edges)]
            circle = min(circles, key=len)
            lines = [f"{one}:{graph.edges[one, two]['line']} -> " for one, two in pairwise(circle)]
            found.append("".join(lines) + circle[-1])
    return sorted(found)
