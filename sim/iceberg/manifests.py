"""Statements of the Java API of manifests: of which a table's files are in, and nothing else, or by which files come.

Who writes manifests himself to put them in the place of others makes a call of `sim.iceberg.by_hand`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ClusterManifests:
    """Java API `rewriteManifests().clusterBy`: `all` files of the data manifests into one manifest, or each `file` into
    one of its own; `small`: `rewriteIf` a manifest has one file at most."""

    by: Literal["all", "file"] = "all"
    small: bool = False


@dataclass(frozen=True, slots=True)
class AppendManifest:
    """Java API `newFastAppend`, or `newAppend` (`merge`), and `appendManifest` of one that was written for it, with one
    new file of `rows`.

    What it has written it deletes where that is safe, unless it is a step of a transaction; or, as Spark's `add_files`
    of a table with partitions does, after any error (`cleans`).
    """

    rows: tuple[tuple[int, str], ...]
    merge: bool = False
    cleans: Literal["where safe", "after any error"] = "where safe"


OfManifests = ClusterManifests | AppendManifest


def describe(statement: OfManifests) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    if isinstance(statement, AppendManifest):
        name = "append manifest" if statement.cleans == "where safe" else "import"
        return name, ", ".join([f"row {key} = {value}" for key, value in statement.rows])
    words = "all files together" if statement.by == "all" else "each file apart"
    return "cluster manifests", f"{words}, small manifests" if statement.small else words
