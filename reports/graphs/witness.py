"""The witness of a broken property alone: a picture, or a graph of its operations and their dependencies."""

from pathlib import Path

from checkers.histories.history import History
from checkers.verdict import Violation
from reports.errors import GraphError
from reports.graphs import files
from reports.graphs.build import dependency_graph
from reports.pictures.cycle import picture

PICTURE = ".svg"


def check_name(path: Path) -> None:
    """Refuse a name before any work is done. Raises: GraphError unless its ending names a format and it is free."""
    files.check_name(path, (PICTURE,))


def write_witness(path: Path, history: History, violation: Violation) -> None:
    """Draw `violation` of `history` to a file that must not be there yet. Raises: GraphError, one line."""
    if path.suffix != PICTURE:
        whole = dependency_graph(history, [violation])
        files.write_graph(whole.subgraph([f"op{number}" for number in violation.ops]).copy(), path)
        return
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(picture(violation, history))
    except FileExistsError:
        raise GraphError(f"graph {path}: expected a name that is free, got one that exists") from None
    except OSError as error:
        raise GraphError(f"graph {path}: expected a place that can be written, got {error.strerror}") from None
