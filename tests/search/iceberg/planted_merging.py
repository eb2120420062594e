"""What was planted in how manifests are merged: where each is looked for, and what is missing."""

from collections.abc import Mapping

from tests.mutants.iceberg_merging import MERGING

MERGED = "Java API, manifests merged"
MERGING_WHERE: Mapping[str, str] = dict.fromkeys([mutant.name for mutant in MERGING], MERGED)
LAYOUT = "a property about manifests: no row shows which of them a file is in"
MERGING_MISSING: Mapping[str, str] = dict.fromkeys(
    (
        "merges-where-disabled", "delete-manifests-not-merged", "min-count-ignored", "newest-bin-never-merged",
        "older-bins-wait", "sizes-ignored", "bins-packed-from-the-front", "deletes-of-others-kept",
        "half-merged-not-written",
    ),
    LAYOUT,
) | {
    "added-files-merged-as-existing": "a consumer of a table that merges manifests: no configuration draws both",
}  # fmt: skip
