"""`lakeproof explain --graph`: a graph beside the sentences, in three formats, and names that are refused."""

import json
import subprocess
import sys

import networkx as nx
import pytest

from checkers.histories.notation import history
from checkers.histories.storage import write_parquet

LOST = "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2 final:read(x=2)@2"


@pytest.fixture
def lost(tmp_path):
    """A history file with a lost update."""
    write_parquet(history(LOST), tmp_path / "lost.parquet")
    return tmp_path / "lost.parquet"


@pytest.mark.parametrize(
    ("ending", "read"),
    [
        ("graphml", lambda path: nx.read_graphml(path, force_multigraph=True)),
        ("json", lambda path: nx.node_link_graph(json.loads(path.read_text()), edges="edges")),
    ],
)
def test_history_is_explained_and_drawn(call, lost, tmp_path, ending, read):
    """The sentences as without the option, then where the graph is; the exit code stays."""
    plain = call("explain", lost)
    result = call("explain", lost, "--graph", tmp_path / f"g.{ending}")
    assert (plain.exit_code, result.exit_code) == (0, 0)
    assert result.stdout.startswith(plain.stdout)
    graph = read(tmp_path / f"g.{ending}")
    assert f"({len(graph)} nodes, {graph.number_of_edges()} edges)" in result.stdout
    assert any("no-lost-update" in (said or "") for _, said in graph.nodes(data="violates"))


def test_run_folder_is_drawn_with_its_locks(call, tmp_path):
    """From the stored history and the stored steps; in Graphviz' language."""
    assert call("run", "iceberg/hive-lock", "--out", tmp_path / "runs").exit_code == 0
    result = call("explain", tmp_path / "runs/iceberg/hive-lock/latest", "--graph", tmp_path / "g.dot")
    assert result.exit_code == 0
    text = (tmp_path / "g.dot").read_text()
    for kind in ("operation", "version", "client", "made", "parent", "waits-for"):
        assert f'kind="{kind}"' in text


@pytest.mark.parametrize("name", ["g.png", "g", "g.svg"])
def test_name_without_a_known_ending_is_a_usage_problem(call, lost, tmp_path, name):
    """64 and one line, before anything is explained; no file is made."""
    result = call("explain", lost, "--graph", tmp_path / name)
    assert (result.exit_code, result.stdout) == (64, "")
    assert result.stderr.count("\n") == 1
    assert "expected a name that ends in .graphml, .dot, .json" in result.stderr
    assert not (tmp_path / name).exists()


def test_existing_file_and_missing_folder_are_usage_problems(call, lost, tmp_path):
    """What stands there stays."""
    taken = tmp_path / "g.json"
    taken.write_text("precious")
    for path, said in ((taken, "expected a name that is free"), (tmp_path / "no/g.dot", "No such file or directory")):
        result = call("explain", lost, "--graph", path)
        assert result.exit_code == 64
        assert said in result.stderr
    assert taken.read_text() == "precious"


def test_only_who_asks_for_a_graph_waits_for_networkx(lost):
    """It takes a quarter of a second to import."""
    program = f"""
import sys
from lakeproof.cli import cli
try:
    cli(["explain", {str(lost)!r}])
except SystemExit:
    print("networkx" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert told.stdout.splitlines()[-1] == "False"
