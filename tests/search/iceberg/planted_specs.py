"""What was planted where a table's partition spec changes: findings, where each is looked for, and what is missing."""

from collections.abc import Mapping

from sim.iceberg.defects_specs import SPEC_DEFECTS

OF_SCHEMAS = "iceberg/rest-expire-schema-append"
SPEC_FINDINGS = (*[defect.scenario for defect in SPEC_DEFECTS], OF_SCHEMAS)
JAVA, REST = "Java API", "Java API, REST catalog"
SPECS_WHERE: Mapping[str, str] = {
    **dict.fromkeys(SPEC_FINDINGS, JAVA),
    **dict.fromkeys(
        ("partitions-dropped-by-rows", "filters-not-projected", "no-delete-is-global"), "Java API, specs changed"
    ),
    **dict.fromkeys(("unknown-specs-read", "replacement-keeps-spec"), "Java API, specs given up"),
    "snapshots-of-no-schema-read": "Java API, REST catalog, specs given up",
    "iceberg/rest-expire-spec-append": REST,
    OF_SCHEMAS: "Java API, REST catalog, specs changed",
}
OF_OLDER_FILES = "a promise where files of an older spec are met: the table specification gives none"
OF_SPECS = "a property about specs and manifests: no row shows them"
SPECS_MISSING: Mapping[str, str] = {
    **dict.fromkeys(("deletes-of-any-spec", "partitions-dropped-by-rows"), OF_OLDER_FILES),
    **dict.fromkeys(
        ("removed-field-is-void", "removed-field-is-gone", "specs-never-taken-up", "one-manifest-for-all-specs",
         "old-specs-not-merged", "copy-on-write-by-the-newest-spec", "missing-field-not-missed"), OF_SPECS,
    ),
    **dict.fromkeys(
        ("whole-replaced-by-spec", "no-delete-is-global"),
        "a table whose partitions are given up before the race, and who replaces or upserts there: drawn, but rarely",
    ),
    **dict.fromkeys(
        ("filters-not-hashed", "filters-not-projected"), "files of several rows in buckets: drawn, but rarely",
    ),
    "buckets-not-hashed": "a property about where a row is: its own clients find it wherever they put it",
    **dict.fromkeys(
        ("new-specs-looked-into", "unknown-specs-read"),
        "a property that tells who is kinder: the mutant refuses less than what is shipped",
    ),
    "replacement-keeps-spec": OF_SPECS,
    "snapshots-of-no-schema-read": "a property that tells who is kinder: to read what is refused loses nothing",
    "unused-schemas-stay": "a promise about schemas that no snapshot has: nobody gives it",
    "manifests-not-passed-over": "a promise that deletes are dropped which no file needs any more: nobody gives it",
}  # fmt: skip
