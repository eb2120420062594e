"""A statement of the Java API that changes which manifests a table's files are in, and nothing else.

Who writes manifests himself makes a call of `sim.iceberg.by_hand`.
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


def describe(statement: ClusterManifests) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    words = "all files together" if statement.by == "all" else "each file apart"
    return "cluster manifests", f"{words}, small manifests" if statement.small else words
