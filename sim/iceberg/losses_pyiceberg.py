"""The losses of PyIceberg 0.12.0, as their pages tell them.

What runs is the library itself, unmodified, on simulated storage and a simulated catalog: there is no other code
between which a replay could show a difference.
"""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

PYICEBERG_LOSSES: tuple[Loss, ...] = (
    Loss(
        "PyIceberg deletes the manifest list that it has just committed",
        named(DEFECTS, "pyiceberg/append-resent"),
        "`commit.retry.num-retries` 0, or the last of the retries; a catalog, or what is before it, that answers 409 "
        "for a commit which was applied.",
        "Rare per commit: it takes such an answer to the last attempt.",
        "Leave retries on: before each the library looks for its own snapshot.",
        (
            "tests/search/iceberg/test_pyiceberg.py"
            "::test_the_last_attempts_clean_up_deletes_the_committed_manifest_list",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3320", "the clean-up, as it was reviewed (merged)"),
                ("apache/iceberg#5752", "the same loss in Java, closed since"),
                ("apache/iceberg#14583", "the current manifest list is removed after a retry, in Java (open)"),
            ),
            ("PyIceberg commit failed cleanup deletes manifests snapshot committed CommitFailedException",),
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated catalog: there is no "
        "other code between which a replay could show a difference.",
    ),
    Loss(
        "PyIceberg inserts a row twice by two upserts",
        named(DEFECTS, "pyiceberg/upsert-upsert"),
        "`Table.upsert` by two processes of rows that are not there yet, at any isolation level: what it inserts is an "
        "append, which is never validated. An upsert beside an append of the same row does so, too.",
        "Certain, sooner or later: two upserts of one new key, of which one begins before the other commits. No fault.",
        "One process that upserts, or a look for rows that are there twice. Rows that are there already are safe: the "
        "second upsert is refused.",
        (),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3758", "upsert leaves rows twice on a partitioned table, alone (closed)"),
                ("apache/iceberg-python#3320", "how appends are sent again without validation (merged)"),
            ),
            ("pyiceberg upsert concurrent writers duplicate rows same key inserted twice",),
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated catalog.",
    ),
)  # fmt: skip
