"""The part of the matrix of operations that changes what a table says of itself, and a table on which all of it is met.

Choices: each is on every table that has what it names; they have no levels. Sort orders are by the column `v`, by the
column's side downwards; a spec is of two buckets. Nobody drops a column while somebody renames it: what it was called
when it was dropped is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sim.iceberg.by_hand import ReplaceManifests
from sim.iceberg.columns import AddField, AddStruct, MoveColumn, RenameColumn, WidenColumn
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy, UnsetProperty
from sim.iceberg.managed_matrix import FULL, MANAGED, NEED_COLUMN, REPLACED, Asks
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.statements import AddColumn, Append, JavaApi, OfMetadata, RemoveWhere, UpdateSpec

LAID_OUT, OLD_COLUMN = "laid-out", "old"
LAID_OUT_WORDS = (
    "two rows, each in a file and a partition spec of its own; a column more, a sort order, a place and statistics"
)
LAID_OUT_HISTORY: tuple[JavaApi, ...] = (
    AddColumn(OLD_COLUMN), UpdateSpec(2), Append(((1, "a"),)), SortBy(("id",)), MoveTo("m"), SetStatistics("old"),
)  # fmt: skip

LAYOUT: Mapping[str, tuple[str, Callable[[Asks], OfMetadata | RemoveWhere | ClusterManifests | ReplaceManifests]]] = {
    "remove-where": ("newDelete where id = 1", lambda _: RemoveWhere((1,))),
    "drop-column": ("updateSchema: drop a column", lambda _: DropColumn(OLD_COLUMN)),
    "sort": ("replaceSortOrder", lambda s: SortBy(("v",), descending=s.letter == "B")),
    "spec": ("updateSpec: two buckets in the place of what there is", lambda _: UpdateSpec(2, "bucket")),
    "move": ("updateLocation", lambda s: MoveTo(f"m-{s.letter}")),
    "statistics": ("updateStatistics of the head: set", lambda s: SetStatistics(f"s-{s.letter}")),
    "cluster-manifests": ("rewriteManifests: clusterBy into one manifest", lambda _: ClusterManifests()),
    "replace-manifests": (
        "rewriteManifests: deleteManifest, addManifest of the same files",
        lambda _: ReplaceManifests(),
    ),
    "no-statistics": ("updateStatistics of the head: remove", lambda _: RemoveStatistics()),
    "no-property": ("updateProperties: remove", lambda _: UnsetProperty("k")),
    "rename-column": (
        "updateSchema: rename a column", lambda s: RenameColumn(OLD_COLUMN, f"{OLD_COLUMN}_{s.letter.lower()}"),
    ),
    "widen-column": ("updateSchema: an int is a long", lambda _: WidenColumn(OLD_COLUMN)),
    "move-column": ("updateSchema: moveAfter", lambda _: MoveColumn(OLD_COLUMN, "id")),
    "struct": ("updateSchema: add a struct", lambda s: AddStruct(f"s_{s.letter.lower()}", "x")),
    "field": ("updateSchema: add a field to a struct", lambda s: AddField("s", s.letter.lower())),
}  # fmt: skip
HAVE_COLUMN = (LAID_OUT, "worked-on", MANAGED, FULL, REPLACED)
OF_STATISTICS = ("statistics", "no-statistics")
"""A statistics file that is no more named stays, as does one that is refused."""


def can_be_laid(table: str, *operations: str) -> bool:
    """Whether a table has what these operations name of its layout."""
    if "drop-column" in operations and "rename-column" in operations:
        return False
    return table in HAVE_COLUMN or not any(name in NEED_COLUMN for name in operations)
