"""How a race's table has manifests merged, by Iceberg's own keys.

Choices: a real manifest of a race has 5.9 to 8.1 kB, of which these targets are clear: into 1 byte fits none, into
17000 two do, into Iceberg's default all.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.iceberg.manifest_bins import ManifestMerging

ENABLED, COUNT = "commit.manifest-merge.enabled", "commit.manifest.min-count-to-merge"
TARGET = "commit.manifest.target-size-bytes"
MERGED_BY = (ENABLED, COUNT, TARGET)
TARGETS = ("8388608", "17000", "1")
"""What may be set of the size of manifests."""


def expected_of(name: str, value: str) -> str:
    """What such a property may be, if it is not; "": it is."""
    if name == ENABLED:
        return "" if value in ("true", "false") else "true or false"
    if name == TARGET:
        return "" if value in TARGETS else " or ".join(TARGETS)
    return "" if str(value).isdecimal() else "a number from 0"


def merging_of(given: Mapping[str, str]) -> ManifestMerging:
    """What these table properties say of it."""
    usual = ManifestMerging()
    return ManifestMerging(
        given.get(ENABLED, "true") == "true",
        int(given.get(COUNT, usual.min_count)),
        int(given.get(TARGET, usual.target_bytes)),
    )


def merges_unusually(given: Mapping[str, str]) -> bool:
    """Whether a table's properties say anything of it that is not the default: then its manifests are compared."""
    return merging_of(given) != ManifestMerging()
