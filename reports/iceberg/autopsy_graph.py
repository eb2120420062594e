"""The history of a damaged table as a graph, in the manner of `reports.graphs`: `kind` says what a node or an edge is.

| part | node | edge |
| --- | --- | --- |
| versions | a metadata file | `follows`: the target was made from the source; a fork is a file with two of them |
| snapshots | a snapshot | `added`, from the version that brought it |
"""

import networkx as nx

from checkers.iceberg.autopsy.history import Row
from checkers.iceberg.autopsy.words import named
from checkers.text import plain


def history_graph(rows: tuple[Row, ...]) -> nx.MultiDiGraph:
    """Versions and snapshots, those off the table's line too. What is not known is left out."""
    graph = nx.MultiDiGraph()
    for row in rows:
        known = {"did": ", ".join(row.did), "became": row.became, "time": row.time if row.did else ""}
        said = {name: value for name, value in known.items() if value}
        line = "yes" if row.on_line else "no"
        graph.add_node(plain(row.file), kind="version", label=named(row.file), on_line=line, **said)
        for snapshot in row.snapshots:
            graph.add_node(f"snapshot {snapshot}", kind="snapshot", label=str(snapshot))
            graph.add_edge(plain(row.file), f"snapshot {snapshot}", kind="added", label="added")
    for row in rows:
        if row.parent is not None and plain(row.parent) in graph:
            graph.add_edge(plain(row.parent), plain(row.file), kind="follows", label="follows")
    return graph
