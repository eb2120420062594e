"""What Iceberg 1.11.0 loses in Spark where a session's catalog caches its table, as by default."""

from __future__ import annotations

from sim.search.defect import Defect

CACHED_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/merge-missing-cached",
        "a key is there twice, and nobody was under way beside the MERGE",
        "a session that has its table cached, as it does unless it is told not to; a MERGE with nothing but WHEN NOT"
        " MATCHED, of a key that somebody else has inserted since, at any isolation level; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/merge-cached",),
    ),
    Defect(
        "iceberg/orphans-cached",
        "committed data files, manifests and lists: the table cannot be read",
        "a session that has its table cached, as it does unless it is told not to; `remove_orphan_files` there, of"
        " files that somebody else has committed since, and that are old enough by then; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/orphans",),
    ),
    Defect(
        "iceberg/call-publish-cached",
        "acknowledged rows of main, which the branch that was published has, too",
        "a session that has its table cached, as it does unless it is told not to; `set_current_snapshot` there, to a"
        " branch that somebody else has moved since; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/call-fast-forward-insert",),
    ),
    Defect(
        "iceberg/purge-cached",
        "another table, with all its files: the one that had the name when the session cached it",
        "a session that has its table cached, as it does unless it is told not to; `DROP TABLE ... PURGE` there, of a"
        " name that another table has by then; no fault",
        "Iceberg 1.11.0, Spark SQL",
        ("iceberg/purge-cached-compared",),
    ),
)
