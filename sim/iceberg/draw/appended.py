"""Writers who append manifests, for a race of the Java API that has been drawn already: at last, alone or in a
transaction, on a table that may merge manifests from few on; now and then beside who clusters them.

Choices: drawn where it is asked for, beside whatever else a race has.
"""

from __future__ import annotations

from collections.abc import Callable

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.writers import Writers
from sim.iceberg.manifest_merging import COUNT
from sim.iceberg.manifests import AppendManifest, ClusterManifests
from sim.iceberg.statements import Append, Rows, Statement, Transaction

COUNTS = ("100", "2", "3", "3")
KINDS = ("alone", "merging", "merging", "in a transaction", "in a transaction", "behind an append", "import")


def with_appended(
    draws: Draws, writers: Writers, settings: Settings, new_row: Callable[[], Rows]
) -> tuple[Writers, Settings]:
    """The writers with one or two such appends, and the settings with from how many on manifests are merged."""
    count = draws.one_of("appended and merged from", COUNTS)
    found = {name: list(todo) for name, todo in writers.items()}

    def add(_: int) -> None:
        name = draws.one_of("who appends manifests", (f"w{len(found) + 1}", *found))
        found.setdefault(name, []).append(_one(draws.one_of("manifest appended", KINDS), new_row))

    draws.list_of("manifests appended", 1, 2, add)
    if draws.flag("clustered beside"):
        found[f"w{len(found) + 1}"] = [ClusterManifests()]
    return found, settings if count == COUNTS[0] else {**settings, COUNT: count}


def _one(kind: str, new_row: Callable[[], Rows]) -> Statement:
    match kind:
        case "in a transaction":
            return Transaction((AppendManifest(new_row(), merge=True),))
        case "behind an append":
            return Transaction((Append(new_row()), AppendManifest(new_row(), merge=True)))
        case "import":
            return AppendManifest(new_row(), merge=True, cleans="after any error")
    return AppendManifest(new_row(), merge=kind == "merging")
