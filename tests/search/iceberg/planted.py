"""What was planted in Iceberg, as rows of `tests.search.planted`: the configurations in which each is looked for."""

from collections.abc import Iterator, Mapping

from model.iceberg.rules import GONE_KEEPS_FILES, IDEMPOTENT, PURGE_COMPARES
from sim.iceberg.generate import GENERATOR
from tests.mutants.iceberg import MUTANTS
from tests.mutants.iceberg_creating import CREATING
from tests.mutants.iceberg_hadoop import HADOOP
from tests.mutants.iceberg_history import HISTORY
from tests.mutants.iceberg_in_hive import IN_HIVE as OF_HIVE_TABLES
from tests.mutants.iceberg_jdbc import JDBC
from tests.mutants.iceberg_several import SEVERAL
from tests.mutants.iceberg_times import TIMES
from tests.mutants.pyiceberg import PYICEBERG
from tests.search.iceberg.own_catalogs import of_services
from tests.search.iceberg.pyiceberg_repairs import REPAIRS
from tests.search.planted import Planted, any_failure, explained_by

PYTHON = (
    "pyiceberg/roll-back-expire", "pyiceberg/tag-roll-back-append", "pyiceberg/tag-expire",
    "pyiceberg/add-file-add-file", "pyiceberg/change-refreshed",
)  # fmt: skip
JAVA, HIVE, NO_LOCK = "Java API", "Hive catalog", "Hive catalog without lock"
REST = "Java API, REST catalog"
FORMAT_3, IMPATIENT = "Java API, format 3", "Hive catalog, no retries"
SQL_FORMAT_3 = "merge-on-read, format 3"
MERGING, COPYING = "merge-on-read, snapshot", "copy-on-write, snapshot"
OF_TRANSACTIONS = (
    "updates-not-applied-again", "last-update-applied-again", "updates-applied-again-backwards",
    "failed-update-tried-again", "outdated-updates-staged", "intermediates-in-history", "updates-committed-one-by-one",
    "transaction-not-tried-again", "unknown-transaction-tried-again", "transaction-keeps-files",
    "transaction-cleans-after-unknown",
)  # fmt: skip
OF_SNAPSHOTS = (
    "no-history-check", "picked-twice", "expired-picked", "overwrite-picked-anyway", "branches-begin-at-main",
    "staged-on-main", "published-wap-id-allowed", "expires-what-refs-point-to", "branches-not-kept",
    "always-incremental", "reachable-files-deleted", "expiry-forgets", "iceberg/retain-expire",
)  # fmt: skip
BY_EQUALITY = (
    "equality-deletes-of-their-own-rows", "equality-deletes-without-bounds", "rewrite-ignores-equality-deletes",
    "rewrite-numbers-not-pinned", "iceberg/transaction-delete-where", "iceberg/change-upsert",
    "iceberg/compact-starting-number",
)  # fmt: skip
OVER_REST = (
    "iceberg/rest-drop-resent", "iceberg/rest-create-resent", "iceberg/rest-replace-resent",
    "ref-not-asserted", "schema-not-asserted", "requirements-not-checked", "expiry-asserts-nothing",
    "replacement-requires-refs", "newer-snapshots-allowed", "iceberg/rest-roll-back-expire",
    "iceberg/rest-cherry-pick-expire", "iceberg/rest-replace-table-append", "iceberg/rest-retain-append",
    "rest-rename-over-table", "gone-keeps-nothing", "iceberg/rest-rename-append-resent", "iceberg/rest-put-resent",
)  # fmt: skip
OF_TABLES = (
    "replacement-keeps-files", "replacement-cleans-after-unknown", "replacement-not-retried", "replacement-built-anew",
    "iceberg/create-or-replace-append", "iceberg/replace-table-append", "iceberg/cherry-pick-expired-between",
    *[mutant.name for mutant in CREATING if mutant.name != "drop-not-resent"], "rename-over-table",
)  # fmt: skip
ON_JDBC = (
    *[mutant.name for mutant in JDBC], "jdbc-rename-puts-back", "iceberg/jdbc-purge-put",
    "iceberg/jdbc-rename-append-broken", "iceberg/jdbc-put-broken",
    "iceberg/jdbc-change-broken", "iceberg/jdbc-append-broken", "iceberg/jdbc-drop-broken",
)  # fmt: skip
ON_HADOOP = (
    *[mutant.name for mutant in HADOOP], "iceberg/hadoop-drop-append", "iceberg/hadoop-drop-create-append",
    "iceberg/hadoop-change-unanswered", "iceberg/hadoop-append-unanswered", "iceberg/hadoop-create-unanswered",
)  # fmt: skip
IN_HIVE = (*[mutant.name for mutant in OF_HIVE_TABLES], "iceberg/hive-create-resent", "iceberg/hive-drop-resent")
OF_SEVERAL = (
    *[mutant.name for mutant in SEVERAL],
    "iceberg/together-one-by-one-append", "iceberg/together-one-by-one-faults", "iceberg/together-reply-faults",
)  # fmt: skip
WHERE: Mapping[str, str] = {
    **dict.fromkeys(OF_SEVERAL, REST),
    **dict.fromkeys(ON_HADOOP, "Java API, Hadoop catalog"),
    **dict.fromkeys(ON_JDBC, "Java API, JDBC catalog"),
    **dict.fromkeys(IN_HIVE, "Java API, Hive catalog without lock"),
    **dict.fromkeys(OVER_REST, REST),
    **dict.fromkeys(OF_TABLES, JAVA),
    **dict.fromkeys((*OF_TRANSACTIONS, *OF_SNAPSHOTS), JAVA),
    **dict.fromkeys(
        ("drops-no-partition", "partitions-data-not-validated", "partitions-deletes-not-validated"), JAVA
    ),
    **dict.fromkeys(
        (
            "no-added-vectors-check", "vectors-stay", "vectors-named-by-file", "iceberg/expire-shared-vectors",
            "iceberg/overwrite-delete-vector",
        ), FORMAT_3,
    ),
    "compaction-leaves-vectors": SQL_FORMAT_3,
    **dict.fromkeys(BY_EQUALITY, JAVA),
    "never-unlocks": IMPATIENT,
    "no-added-data-files-check": "merge-on-read",
    "rewritten-entries-renumbered": "merge-on-read",
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
    **dict.fromkeys(("merge-validated-as-delete", "iceberg/merge-merge-snapshot"), MERGING),
    "iceberg/delete-update-snapshot": MERGING,
    "iceberg/hive-lock-pause": HIVE,
    "iceberg/replace-replace-old-delete": JAVA,
    **dict.fromkeys([mutant.name for mutant in PYICEBERG], "PyIceberg"),
    **dict.fromkeys(
        ("J15-pinned-number-lost", "J16-rewrite-validates-nothing", "J35-overwrite-validates-nothing",
         "J45c-filtered-once"), JAVA,
    ),
    "J05-failure-until-checked": HIVE,
    "pyiceberg/append-resent": "PyIceberg, no retries",
    "pyiceberg/delete-resent": "PyIceberg",
    "pyiceberg/upsert-upsert": "PyIceberg",
    **dict.fromkeys(PYTHON, "PyIceberg"),
    "pyiceberg/hive-append-slow": "PyIceberg",
    "hive/iceberg-shipped-lock-two": "Hive catalog, metastores cached by events",
    "hive/iceberg-refresh-lock-one": "Hive catalog, a cached metastore",
    "hive/iceberg-refresh-lock-two": "Hive catalog, cached metastores",
    "hive/iceberg-cas-lock-two": "Hive catalog, caches that compare",
    "hive/iceberg-cas-no-replay-lock-two": "Hive catalog, caches that compare and do not replay",
    "hive/iceberg-cas-no-lock-two": "Hive catalog without lock, caches that compare",
}  # fmt: skip
"""The configurations of what is not looked for in the default one."""
NO_PROMISE = "a promise about rows where main is moved back: a roll-back validates nothing"
LIKE_PAUSE = "a failure of its own: under the same faults it breaks what `iceberg/hive-lock-pause` breaks"
KINDER = "a property that says what goes: to keep more loses nothing"
WHERE_BACK = "a promise about where a roll-back to a time goes: what it takes back is not asked for"
KEEP_MORE = ("walk-goes-on", "refs-never-too-old", "tags-keep-their-past", "pasts-unreferenced", "unreferenced-stay")
ROLL_BACKS = (
    "any-snapshot-is-an-ancestor", "newest-in-line", "time-itself-is-before", "ancestry-looked-at-once",
)  # fmt: skip
OF_DELETES = "a property about which kind of deletes a format has: who reads them takes either"
MISSING: Mapping[str, str] = {
    "unfinished-updates-allowed": "a caller that leaves an update of its transaction uncommitted",
    "transaction-deletes-at-once": "a roll-back between two attempts, after which a manifest is needed that was not",
    "several-snapshots-reconciled": "a commit of which a part lands: it is one swap, and who finds a part has it all",
    "deletes-of-any-format": OF_DELETES,
    "equality-deletes-without-bounds": "a caller who names data files with bounds: a scan hands them out without",
    "rewrite-numbers-not-pinned": "a property that says which compactions get through: to be refused loses nothing",
    "format-1-numbered": "a property about numbers that format 1 does not write",
    "format-looked-at-once": OF_DELETES,
    "rows-without-ids-allowed": "a table that goes to format 3 over REST: races on it are drawn rarely",
    "dynamic-overwrites-all": "a promise beside an INSERT OVERWRITE, which asks for no validation and gets none",
    "older-format-allowed": "a caller who asks for an older format, as none does",
    "duplicate-ids-allowed": "a snapshot id that is drawn twice",
    "stale-sequence-allowed": "a staged append over REST: any other register compares the whole table",
    "stale-rows-allowed": "a replacement in format 3 over REST: what an unseen append loses is a known finding there",
    "no-ancestor-check": "a promise where main is rolled back; even then the check of the history refuses alone",
    "roll-back-to-any": NO_PROMISE,
    "head-not-needed": NO_PROMISE,
    "fast-forward-anyway": NO_PROMISE,
    "iceberg/roll-back-append": NO_PROMISE,
    "iceberg/call-publish-cached": NO_PROMISE,
    "publishes-what-is-there": "a property that tells who is kinder: to publish what is there loses nothing",
    "drop-not-resent": "a property that tells who is kinder: not to send a drop again loses nothing",
    "iceberg/merge-missing-cached": "a failure of its own: it is explained by `iceberg/merge-missing-serializable`",
    "hive-unanswered-believed": "a property that looks for a table that somebody was told he has made",
    **dict.fromkeys(("iceberg/hive-rename-append", "iceberg/hive-put-append"), "tables renamed on Hive, as none is"),
    **dict.fromkeys(("rename-over-table", "rest-rename-over-table"), "two writers who make a table that is dropped"),
    "iceberg/hadoop-drop-create-append": "a failure of its own: it is explained by `iceberg/hadoop-drop-append`",
    "iceberg/create-or-replace-create": "a failure of its own: it is explained by `iceberg/create-or-replace-append`",
    "no-referenced-file-check": "a commit that removes a data file and adds deletes for it, as no engine makes",
    "rewrite-of-nothing-allowed": "a compaction that adds rows: one of nothing changes nothing",
    "rewrite-to-more-records-allowed": "a compaction that adds rows, as no engine makes",
    "append-only-ignored": "a caller who asks that nothing be removed, as no engine does",
    "keeps-deletes-of-partition": "a promise about delete files that no data file needs any more",
    "all-partitions-validated": "a promise that a replacement of partitions is not refused for others",
    "partitions-of-nothing-allowed": "a replacement of partitions by nothing: no engine commits one",
    "last-filter-only": "a commit with two row filters",
    "published-wap-id-allowed": "a staged append of a WAP id that was published meanwhile: who picks names one that was"
    " staged before the race",
    "uuid-not-compared": "a property that tells tables of one name apart: what lands in another one is there",
    "creation-tried-again": "a property that says how often a catalog is asked: who is told no twice loses nothing",
    "replacement-not-retried": "a promise about refusals beside what makes tables: to be refused loses nothing",
    "replacement-keeps-files": "a promise about files that what makes tables leaves behind",
    "schema-not-asserted": "a property about columns: that one goes no row shows",
    **dict.fromkeys(
        ("expiry-forgets", "replacement-built-anew", "replacement-requires-refs", "creation-or-replacement-asks"),
        "a property that tells who is kinder: the mutant refuses, or loses, less than what is shipped",
    ),
    "no-resend": "a property that says how long a commit may take: waiting loses nothing",
    "several-requires-nothing": "a property about columns: of what makes a snapshot a stale number is refused anyway",
    "several-applied-again": "a property that tells who is kinder: what a server drops is a known finding",
    "no-reconcile": "a property that says when an outcome must be known: not to know it loses nothing",
    "lock-not-checked-before-alter": LIKE_PAUSE,
    "lock-not-checked-after-alter": LIKE_PAUSE,
    "iceberg/overwrite-overwrite": "a promise: an overwrite that asks for no validation is drawn, and gets none",
    **dict.fromkeys(KEEP_MORE, KINDER),
    **dict.fromkeys(ROLL_BACKS, WHERE_BACK),
    **dict.fromkeys(("time-itself-is-older", "unreferenced-go"), "a promise about snapshots that no ref says it keeps"),
    "no-tolerance": "a property that says which changes get through: to be refused loses nothing",
    "expires-all-but-newest": "a roll-back behind an expiry, to a snapshot that needs other files: drawn, but rarely",
    "iceberg/overwrite-delete-vector": "a table that begins with a deletion vector of a file that has other rows",
    "iceberg/clock-ahead-append": "a promise about what a refused change leaves, where snapshots are managed",
}
"""What there would have to be for the others to be found."""
REPAIRED: Mapping[str, str] = {
    "iceberg/transaction-delete-where": "manifests-by-number",
    "iceberg/change-upsert": "all-new-deletes",
    "iceberg/compact-starting-number": "added-files-count",
}
"""The rules in which a finding is repaired, where another one looks like it: what breaks must hold there."""
BASES = (
    (IDEMPOTENT, "idempotent"), (PURGE_COMPARES, "purge-compares"), (GONE_KEEPS_FILES, "gone-keeps-files"),
)  # fmt: skip
"""The rules under which a mutant of theirs is looked for; others are looked for as shipped."""
KEYS = ("iceberg/update-reply-faults-key-released", "iceberg/update-reply-faults-key-expired")
FINDINGS = (
    "iceberg/delete-update-snapshot",
    "iceberg/merge-missing-serializable",
    "iceberg/merge-missing-cached",
    "iceberg/orphans-cached",
    "iceberg/purge-cached",
    "iceberg/merge-merge-snapshot",
    "iceberg/update-reply-faults",
    *KEYS,
    "iceberg/insert-insert-misreported",
    "iceberg/hive-lock-pause",
    "iceberg/replace-replace-old-delete",
    "iceberg/overwrite-delete-vector",
    "iceberg/roll-back-append",
    "iceberg/call-publish-cached",
    "iceberg/rest-roll-back-expire",
    "iceberg/rest-cherry-pick-expire",
    "iceberg/retain-expire",
    "iceberg/expire-shared-vectors",
    "iceberg/rest-retain-append",
    "iceberg/clock-ahead-append",
    "iceberg/rest-drop-resent",
    "iceberg/rest-create-resent",
    "iceberg/rest-replace-resent",
    *ON_JDBC[-3:],
    *ON_JDBC[-6:-3],
    *OVER_REST[-2:],
    *ON_HADOOP[-5:],
    *IN_HIVE[-2:],
    "iceberg/hive-rename-append",
    "iceberg/hive-put-append",
    "iceberg/create-or-replace-create",
    "iceberg/create-or-replace-append",
    "iceberg/replace-table-append",
    "iceberg/rest-replace-table-append",
    "iceberg/cherry-pick-expired-between",
    "iceberg/together-one-by-one-append",
    "iceberg/together-one-by-one-faults",
    "iceberg/together-reply-faults",
    *REPAIRED,
    "pyiceberg/append-resent",
    "pyiceberg/delete-resent",
    "pyiceberg/upsert-upsert",
    *PYTHON,
    "pyiceberg/hive-append-slow",
    "iceberg/overwrite-overwrite",
    "hive/iceberg-shipped-lock-two",
    "hive/iceberg-refresh-lock-one",
    "hive/iceberg-refresh-lock-two",
    "hive/iceberg-cas-lock-two",
    "hive/iceberg-cas-no-lock-two",
    "hive/iceberg-cas-no-replay-lock-two",
)


def planted() -> Iterator[Planted]:
    """Every mutant, then every known finding."""
    for mutant in (*MUTANTS, *HISTORY, *SEVERAL, *PYICEBERG):
        rules = next((name for base, name in BASES if mutant.base is base), None)
        missing = MISSING.get(mutant.name, "")
        yield Planted(mutant.name, GENERATOR, _where(mutant.name), rules, mutant, missing=missing)
    for mutant in TIMES:
        yield Planted(mutant.name, GENERATOR, (JAVA,), None, mutant, missing=MISSING.get(mutant.name, ""))
    yield from of_services()
    for name in FINDINGS:
        repaired, missing = REPAIRED.get(name), MISSING.get(name, "")
        rules = "idempotent" if name in KEYS else "shipped"
        shows = any_failure if repaired else explained_by(GENERATOR, name, rules)
        broken = "acknowledged-writes-survive" if repaired else ""
        yield Planted(
            name, GENERATOR, _where(name), rules, broken=broken, shows=shows, missing=missing, repaired=repaired,
            repair=REPAIRS.get(name),
        )  # fmt: skip


def _where(name: str) -> tuple[str, ...]:
    return (WHERE.get(name, "default"),)
