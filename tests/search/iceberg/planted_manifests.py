"""What was planted in rewrites of manifests: where each is looked for, and what is missing."""

from collections.abc import Mapping

from sim.iceberg.defects_manifests import MANIFEST_DEFECTS
from tests.mutants.iceberg_appended import APPENDED
from tests.mutants.iceberg_manifests import MANIFESTS

JAVA, BY_HAND = "Java API", "Java API, by hand"
REFUSED = "iceberg/delete-apart-compact"
MANIFEST_FINDINGS = (*[defect.scenario for defect in MANIFEST_DEFECTS], REFUSED)
"""The last one leaves a file that its commit has written for its manifest of deletes."""
MANIFESTS_WHERE: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in MANIFESTS], JAVA),
    **dict.fromkeys(
        (
            "file-counts-not-compared",
            "manifests-given-again",
            "added-manifests-given",
            "given-manifests-not-copied",
        ),
        BY_HAND,
    ),
    "manifests-of-any-size": "Java API, manifests merged",
    **dict.fromkeys(
        ("vectors-not-merged", "first-vector-wins", "vectors-merged-again", REFUSED),
        "Java API, format 3, deletes apart",
    ),
    "vectors-merged-anyway": "Java API, format 3, refused calls",
    "iceberg/cluster-manifests-spec": JAVA,
    **dict.fromkeys([mutant.name for mutant in APPENDED], "Java API, manifests appended"),
    **dict.fromkeys(("existing-files-appended", "committed-manifests-appended"), "Java API, refused calls"),
    "iceberg/import-reply-faults": "Java API, REST catalog, manifests appended",
}
KINDER = "a property that tells who is kinder: to take what is refused, or to write more, loses nothing"
MANIFESTS_MISSING: Mapping[str, str] = {
    "vectors-merged-anyway": KINDER,
    "predicate-ignored": KINDER,
    "clustered-each-time": KINDER,
    "unknown-specs-clustered": KINDER,
    "manifests-of-any-size": "a property about the size of manifests: no row shows it",
    "existing-files-appended": KINDER,
    "appended-manifests-not-copied": "a property about manifests of format 1: no row shows whose they are",
    "appended-manifest-deleted-after-failure": "a caller who tries again with what he has given: none does",
    "given-manifests-not-copied": "a property about manifests of format 1: no row shows whose they are",
}
