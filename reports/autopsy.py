"""What the autopsy of a damaged table hands to the command line, whatever the table's protocol is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx  # only who asks for a graph waits for it


@dataclass(frozen=True, slots=True)
class Told:
    """An autopsy, told.

    Args: `counts` says how many findings there are of each weight, "" if there are none; `findings`, `history` and
    `notes` are lines; `data` is all of it for JSON; `graph` draws the history.
    """

    counts: str
    findings: tuple[str, ...]
    history: tuple[str, ...]
    notes: tuple[str, ...]
    data: dict[str, Any]
    graph: Callable[[], "nx.MultiDiGraph"]
