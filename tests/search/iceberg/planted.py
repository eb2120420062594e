"""What was planted in Iceberg, as rows of `tests.search.planted`: the configurations in which each is looked for."""

from collections.abc import Iterator, Mapping

from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.generate import GENERATOR
from tests.mutants.iceberg import MUTANTS
from tests.search.planted import Planted, explained_by

JAVA, HIVE, NO_LOCK = "Java API", "Hive catalog", "Hive catalog without lock"
MERGING, COPYING = "merge-on-read, snapshot", "copy-on-write, snapshot"
WHERE: Mapping[str, str] = {
    "no-added-data-files-check": "merge-on-read",
    "no-data-files-exist-check": JAVA,
    "data-files-exist-ignores-deletes": "merge-on-read",
    "no-deleted-data-files-check": JAVA,
    "no-new-delete-files-check": MERGING,
    "no-new-deletes-for-data-files-check": JAVA,
    "no-missing-paths-check": COPYING,
    "start-taken-too-late": "merge-on-read",
    "validates-first-attempt-only": "merge-on-read",
    "first-result-recommitted": JAVA,
    "new-manifest-per-attempt": JAVA,
    "no-cleanup-after-failure": MERGING,
    "cleans-after-unknown": JAVA,
    "keeps-unused-manifests": JAVA,
    "keeps-unused-manifest-lists": JAVA,
    "cleans-without-snapshot": JAVA,
    "location-not-compared": HIVE,
    "no-expected-location": NO_LOCK,
    "retries-unknown": HIVE,
    "no-heartbeat": HIVE,
    "no-status-check": HIVE,
    "status-check-says-failure": HIVE,
    "no-strict-status-check": NO_LOCK,
    "keeps-json-after-failure": HIVE,
    "J07-lost-lock-is-failure": HIVE,
    "iceberg/delete-update-snapshot": MERGING,
    "iceberg/hive-lock-pause": HIVE,
    "iceberg/replace-replace-old-delete": JAVA,
    "pyiceberg/append-resent": "PyIceberg, no retries",
}
"""The configurations of what is not looked for in the default one."""
LIKE_PAUSE = "a failure of its own: under the same faults it breaks what `iceberg/hive-lock-pause` breaks"
TRANSACTION, FORMAT_3 = "a transaction of several updates", "a table of format 3"
OF_TRANSACTIONS = (
    "updates-not-applied-again", "last-update-applied-again", "updates-applied-again-backwards",
    "failed-update-tried-again", "outdated-updates-staged", "unfinished-updates-allowed",
    "intermediates-in-history", "updates-committed-one-by-one", "transaction-not-tried-again",
    "unknown-transaction-tried-again", "transaction-keeps-files", "transaction-cleans-after-unknown",
    "transaction-deletes-at-once", "several-snapshots-reconciled",
)  # fmt: skip
OF_FORMAT_3 = ("no-added-vectors-check", "deletes-of-any-format", "vectors-stay")
MISSING: Mapping[str, str] = {
    **dict.fromkeys(OF_TRANSACTIONS, TRANSACTION),
    **dict.fromkeys(OF_FORMAT_3, FORMAT_3),
    "duplicate-ids-allowed": "a snapshot id that is drawn twice",
    "stale-sequence-allowed": "a way for an old sequence number past the register, which compares the whole table",
    "no-history-check": "a statement that expires snapshots",
    "no-ancestor-check": "a statement that rolls back; even then the check of the history refuses alone",
    "no-referenced-file-check": "a commit that removes a data file and adds deletes for it, as no engine makes",
    "rewrite-of-nothing-allowed": "a compaction",
    "rewrite-to-more-records-allowed": "a compaction",
    "last-filter-only": "a commit with two row filters",
    "no-resend": "a property that says how long a commit may take: waiting loses nothing",
    "no-reconcile": "a property that says when an outcome must be known: not to know it loses nothing",
    "never-unlocks": "a property that says how long a commit may take: the lock ends with its lease",
    "lock-not-checked-before-alter": LIKE_PAUSE,
    "lock-not-checked-after-alter": LIKE_PAUSE,
    "iceberg/overwrite-overwrite": "a promise: an overwrite that asks for no validation is drawn, and gets none",
    "hive/iceberg-shipped-lock-two": "replicas of the metastore, with caches",
}
"""What there would have to be for the others to be found."""
FINDINGS = (
    "iceberg/delete-update-snapshot",
    "iceberg/update-reply-faults",
    "iceberg/insert-insert-misreported",
    "iceberg/hive-lock-pause",
    "iceberg/replace-replace-old-delete",
    "pyiceberg/append-resent",
    "iceberg/overwrite-overwrite",
    "hive/iceberg-shipped-lock-two",
)


def planted() -> Iterator[Planted]:
    """Every mutant, then every known finding."""
    for mutant in MUTANTS:
        rules = "idempotent" if mutant.base is IDEMPOTENT else None
        missing = MISSING.get(mutant.name, "")
        yield Planted(mutant.name, GENERATOR, _where(mutant.name), rules, mutant, missing=missing)
    for name in FINDINGS:
        shows = explained_by(GENERATOR, name)
        yield Planted(name, GENERATOR, _where(name), shows=shows, missing=MISSING.get(name, ""))


def _where(name: str) -> tuple[str, ...]:
    return (WHERE.get(name, "default"),)
