"""The losses of Iceberg 1.11.0 that have to do with rewrites of manifests, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
VECTOR = "manifests-clustered-of-a-spec-that-was-not-loaded"
ON_JDBC = f"{FOUND}[iceberg/jdbc-cluster-manifests-broken]"
CLUSTERS = (
    "`Table.rewriteManifests()` with `clusterBy`, as a caller of the Java API asks for it. Spark's `rewrite_manifests` "
    "does not: it names the manifests"
)
SEARCHED_ON = "2026-11-26"

MANIFEST_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A rewrite of manifests deletes the manifests that it has committed",
        named(DEFECTS, "iceberg/cluster-manifests-reply-faults"),
        f"{CLUSTERS}, and fails otherwise after the same answers (`iceberg/rewrite-manifests-reply-faults`). On a REST "
        "catalog that keeps no idempotency keys, with any service between that answers 429, 503 with a time to wait, "
        "or 409 for a commit which was applied, or sends it again; or on a JDBC catalog whose connection breaks then, "
        "which needs no service between (`iceberg/jdbc-cluster-manifests-broken`).",
        "Rare per commit: it takes one such answer, or one broken connection, between apply and answer. Then it is "
        "certain, no other writer is needed, and nothing has to be validated.",
        "Over REST, a catalog with idempotency keys. Afterwards: no data file is gone; roll main back to the snapshot "
        "below, whose manifests are all there, before anything expires it.",
        (f"{FOUND}[iceberg/cluster-manifests-reply-faults]", ON_JDBC),
        Upstream(
            "",
            (
                (
                    "apache/iceberg#12792",
                    "Spark's procedure deletes what it has committed after an error of the catalog (open)",
                ),
                ("apache/iceberg#14583", "an empty retry of a landed commit deletes its manifest list (open)"),
            ),
            (
                "iceberg BaseRewriteManifests clusterBy retry CommitFailedException reset deletes committed new "
                "manifests table corrupted FileNotFound",
                "rewriteManifests commit succeeded but reported failed, manifests deleted, NotFoundException manifest "
                "missing after rewrite manifests iceberg",
            ),
            SEARCHED_ON,
        ),
        "The retry looks for the manifests that it has rewritten (`requiresRewrite`); as its own commit has replaced "
        "them, it begins anew (`reset`) and deletes what the first attempt has written, which by now is all that the "
        "table has, and then cannot read it. The snapshot is there, and so is its list.",
    ),
    Loss(
        "A rewrite of manifests that cannot succeed leaves its manifests",
        named(DEFECTS, "iceberg/cluster-manifests-spec"),
        f"{CLUSTERS}. On any catalog, by a process that has loaded the table before its partition spec was changed, "
        "and a file was written by the new one: a service that keeps its `Table`, say.",
        "Certain where that is so. The call fails with a NullPointerException, each time that it is made on that "
        "`Table`, and each time leaves the manifests of the specs that it knows; nothing else is lost.",
        "Call `refresh` before `rewriteManifests` (`iceberg/cluster-manifests-spec-loaded`). Afterwards: "
        "`remove_orphan_files`.",
        (
            f"{FOUND}[iceberg/cluster-manifests-spec]",
            f"tests/live/iceberg/test_layout.py::test_java_answers_and_leaves_what_the_vector_says[{VECTOR}]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#666", "brought a writer for each spec, and the map that is asked here (merged)"),
                ("apache/iceberg-go#1283", "manifests of lost attempts of a rewrite are left, in Go (merged)"),
            ),
            (
                "rewriteManifests NullPointerException partition spec evolved stale table specsById WriterWrapper "
                "newManifestWriter",
            ),
            SEARCHED_ON,
        ),
        "The specs are those of the metadata that was current when the update was made (`specsById`), the manifests "
        "those of the attempt; the error is none after which anything is cleaned up.",
    ),
    Loss(
        "An import whose outcome is not known deletes the manifests that the table has",
        named(DEFECTS, "iceberg/import-reply-faults"),
        "Spark's `add_files`, `migrate` and `snapshot` of a table with partitions "
        "(`SparkTableUtil.importSparkPartitions`), in format 2 or 3; one without partitions is imported without "
        "manifests. Any catalog that may not answer.",
        "Rare per import: its commit has to be applied and not be answered. Then it is certain, no other writer is "
        "needed.",
        "No setting prevents it. Afterwards: no data file is gone; roll main back to the snapshot below and import "
        "again.",
        (
            f"{FOUND}[iceberg/import-reply-faults]",
            "tests/live/iceberg/test_import.py::"
            "test_an_import_deletes_what_it_has_committed_where_the_outcome_is_not_known",
        ),
        Upstream(
            "apache/iceberg#13443",
            (
                ("apache/iceberg#4836", "the same of Spark's actions, mended in 2022 (merged)"),
                ("apache/iceberg#10396", "that `appendManifest` be deprecated (closed)"),
            ),
            (
                "apache iceberg add_files importSparkTable CommitStateUnknownException deletes manifests table "
                "corrupted appendManifest",
            ),
            "2026-11-28",
        ),
        "`importSparkPartitions` deletes what it has written for any `Throwable`. The schedule is played by a client "
        "of the Java API that does as it does; Spark's own import is run in the second of these tests, by itself.",
    ),
)
