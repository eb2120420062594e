"""What was planted in Iceberg, as rows of `tests.search.planted`: the configurations in which each is looked for."""

from collections.abc import Iterator, Mapping

from model.iceberg.rules import GONE_KEEPS_FILES, IDEMPOTENT, PURGE_COMPARES, ROLL_BACK_NEEDS_HEAD
from sim.iceberg.generate import GENERATOR
from sim.iceberg.python.catalogs import HIVE as PYTHON_HIVE
from tests.mutants.iceberg import MUTANTS
from tests.mutants.iceberg_creating import CREATING
from tests.mutants.iceberg_history import HISTORY
from tests.mutants.iceberg_in_hive import IN_HIVE as OF_HIVE_TABLES
from tests.mutants.iceberg_incremental import BY_NAME as INCREMENTAL
from tests.mutants.iceberg_jdbc import JDBC
from tests.mutants.iceberg_layout import LAYOUT
from tests.mutants.iceberg_several import SEVERAL
from tests.mutants.iceberg_specs import IN_SQL, SPECS
from tests.mutants.iceberg_sql_reads import BY_NAME as SQL_READS
from tests.mutants.iceberg_statistics import STATISTICS
from tests.mutants.iceberg_times import TIMES
from tests.mutants.pyiceberg import PYICEBERG
from tests.search.iceberg.own_catalogs import CALLED, in_catalog, of_services
from tests.search.iceberg.planted_branches import of_branches
from tests.search.iceberg.planted_calls import CALLS_WHERE, of_calls
from tests.search.iceberg.planted_findings import TOLD
from tests.search.iceberg.planted_hadoop import ON_HADOOP, ON_HIVE, REPLACING
from tests.search.iceberg.planted_layout import LAYOUT_WHERE, STATISTICS_FINDINGS
from tests.search.iceberg.planted_locks import LOCKS_WHERE
from tests.search.iceberg.planted_manifests import MANIFEST_FINDINGS, MANIFESTS_WHERE
from tests.search.iceberg.planted_merging import MERGING_WHERE
from tests.search.iceberg.planted_missing import MISSING
from tests.search.iceberg.planted_position_deletes import POSITION_DELETES_WHERE
from tests.search.iceberg.planted_row_ids import ROW_ID_FINDINGS, ROW_IDS_WHERE
from tests.search.iceberg.planted_specs import SPEC_FINDINGS, SPECS_WHERE
from tests.search.iceberg.planted_times import TIMES_WHERE
from tests.search.iceberg.pyiceberg_repairs import REPAIRS
from tests.search.planted import Planted, any_failure, explained_by

PYTHON = (
    "pyiceberg/roll-back-expire", "pyiceberg/tag-roll-back-append", "pyiceberg/tag-expire",
    "pyiceberg/add-file-add-file", "pyiceberg/change-refreshed", "pyiceberg/append-evolve",
)  # fmt: skip
JAVA, HIVE, NO_LOCK = "Java API", "Hive catalog", "Hive catalog without lock"
BY_HAND, MANAGED = "Java API, by hand", "Java API, snapshots managed"
RENAMED_ON_JDBC, RENAMED = "Java API, JDBC catalog, tables renamed", "Java API, REST catalog, tables renamed"
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
IN_HIVE = (*[mutant.name for mutant in OF_HIVE_TABLES], *ON_HIVE)
OF_SEVERAL = (
    *[mutant.name for mutant in SEVERAL],
    "iceberg/together-one-by-one-append", "iceberg/together-one-by-one-faults", "iceberg/together-reply-faults",
)  # fmt: skip
BY_CALLERS = (
    "no-ancestor-check", "deletes-of-any-format", "roll-back-to-any", "head-not-needed",
    "fast-forward-anyway", "all-partitions-validated", "format-1-numbered", "format-looked-at-once",
    "deletes-looked-for-in-format-1",
)  # fmt: skip
"""What no engine asks for: callers of the Java API may."""
CONTRADICTORY = (
    "no-referenced-file-check", "rewrite-of-nothing-allowed", "rewrite-to-more-records-allowed", "last-filter-only",
    "unfinished-updates-allowed", "keeps-deletes-of-partition", "append-only-ignored", "partitions-of-nothing-allowed",
    "older-format-allowed",
)  # fmt: skip
"""What is told by calls that no engine makes."""
SERVED = ("stale-rows-allowed", "rows-without-ids-allowed", "drop-not-resent", "several-snapshots-reconciled")
"""What a server, or a client of one, must not do."""
OF_PARTITIONS = ("drops-no-partition", "partitions-data-not-validated", "partitions-deletes-not-validated")
OF_VECTORS = (
    "no-added-vectors-check", "vectors-stay", "vectors-named-by-file", "iceberg/expire-shared-vectors",
    "iceberg/overwrite-delete-vector",
)  # fmt: skip
WHERE: Mapping[str, str] = {
    **dict.fromkeys(OF_SEVERAL, REST),
    **dict.fromkeys(ON_HADOOP, "Java API, Hadoop catalog"),
    **dict.fromkeys(REPLACING, "Java API, Hadoop catalog, renames replace"),
    **dict.fromkeys(ON_JDBC, "Java API, JDBC catalog"),
    **dict.fromkeys(IN_HIVE, "Java API, Hive catalog without lock"), **LOCKS_WHERE,
    **dict.fromkeys(OVER_REST, REST),
    **dict.fromkeys(OF_TABLES, JAVA),
    **SPECS_WHERE,
    **LAYOUT_WHERE,
    **MANIFESTS_WHERE, **ROW_IDS_WHERE, **MERGING_WHERE, **POSITION_DELETES_WHERE,
    **dict.fromkeys((*OF_TRANSACTIONS, *OF_SNAPSHOTS), JAVA), **CALLS_WHERE,
    **dict.fromkeys(OF_PARTITIONS, JAVA), **dict.fromkeys(OF_VECTORS, FORMAT_3),
    "compaction-leaves-vectors": SQL_FORMAT_3,
    **dict.fromkeys(BY_EQUALITY, JAVA),
    "never-unlocks": IMPATIENT, "no-added-data-files-check": "merge-on-read",
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
    **dict.fromkeys(("retries-unknown", "no-heartbeat", "no-status-check", "status-check-says-failure"), HIVE),
    "no-strict-status-check": NO_LOCK,
    "keeps-json-after-failure": HIVE,
    "J07-lost-lock-is-failure": HIVE,
    **dict.fromkeys(("merge-validated-as-delete", "iceberg/merge-merge-snapshot"), MERGING),
    "iceberg/delete-update-snapshot": MERGING, "iceberg/hive-lock-pause": HIVE,
    "iceberg/update-beside-upsert": "the Java API beside SQL",
    "iceberg/replace-replace-old-delete": JAVA,
    **dict.fromkeys([mutant.name for mutant in PYICEBERG], "PyIceberg"),
    **dict.fromkeys(
        ("J16-rewrite-validates-nothing", "J35-overwrite-validates-nothing",
         "J45c-filtered-once"), JAVA,
    ),
    "J05-failure-until-checked": HIVE,
    "pyiceberg/append-resent": "PyIceberg, no retries",
    "pyiceberg/delete-resent": "PyIceberg",
    "pyiceberg/upsert-upsert": "PyIceberg",
    **dict.fromkeys(PYTHON, "PyIceberg"),
    **dict.fromkeys(SERVED, REST),
    **dict.fromkeys(BY_CALLERS, JAVA),
    **dict.fromkeys(CONTRADICTORY, BY_HAND),
    **dict.fromkeys(("overwrite-picked-anyway", "branches-not-kept"), MANAGED),
    **dict.fromkeys(("gone-keeps-nothing", "iceberg/rest-rename-append-resent"), RENAMED),
    "iceberg/jdbc-rename-append-broken": RENAMED_ON_JDBC,
    "iceberg/jdbc-stage-broken": "Java API, JDBC catalog",
    **dict.fromkeys(("iceberg/hive-rename-append", "iceberg/hive-purge-put"), "Java API, Hive catalog without lock"),
    "drop-with-files-without-drop": RENAMED_ON_JDBC,
    "client-deletes-what-is-purged": RENAMED,
    "iceberg/purge-put": JAVA, "iceberg/hive-put-append": "Java API, Hive catalog",
    "iceberg/update-reply-faults-key-busy": "keys busy",
    **dict.fromkeys(
        ("duplicate-ids-allowed", "nothing-not-sent", "iceberg/rest-branch-append-resent"), REST,
    ),
    "expires-more-than-there": MANAGED,
    **dict.fromkeys(("publishes-what-is-there", "iceberg/expire-insert-stale", "iceberg/insert-expire-misreported"),
                    "snapshots managed"),
    **dict.fromkeys(
        ("iceberg/together-one-by-one-faults", "several-requires-nothing"), "Java API, REST catalog, several tables"
    ),
    **dict.fromkeys(("pyiceberg/roll-back-expire", "pyiceberg/tag-roll-back-append"), "PyIceberg, snapshots managed"),
    "pyiceberg/add-file-add-file": "PyIceberg, files added",
    **dict.fromkeys(("lock-not-checked-before-alter", "lock-not-checked-after-alter"), HIVE),
    "hive/iceberg-shipped-lock-two": "Hive catalog, metastores cached by events",
    "hive/iceberg-refresh-lock-one": "Hive catalog, a cached metastore",
    "hive/iceberg-refresh-lock-two": "Hive catalog, cached metastores",
    "hive/iceberg-cas-lock-two": "Hive catalog, caches that compare",
    "hive/iceberg-cas-no-replay-lock-two": "Hive catalog, caches that compare and do not replay",
    "hive/iceberg-cas-no-lock-two": "Hive catalog without lock, caches that compare",
}  # fmt: skip
"""The configurations of what is not looked for in the default one."""
REPAIRED: Mapping[str, str] = {
    "iceberg/transaction-delete-where": "manifests-by-number",
    "iceberg/change-upsert": "all-new-deletes", "iceberg/update-beside-upsert": "all-new-deletes",
    "iceberg/compact-starting-number": "added-files-count",
}  # fmt: skip
"""The rules in which a finding is repaired, where another one looks like it: what breaks must hold there."""
BASES = (
    (IDEMPOTENT, "idempotent"), (PURGE_COMPARES, "purge-compares"), (ROLL_BACK_NEEDS_HEAD, "roll-back-needs-head"),
    (GONE_KEEPS_FILES, "gone-keeps-files"),
)  # fmt: skip
"""The rules under which a mutant of theirs is looked for; others are looked for as shipped."""
IN_ITS_HIVE = ("pyiceberg/hive-append-slow",)
KEYS = tuple([f"iceberg/update-reply-faults-key-{keys}" for keys in ("released", "expired", "busy")])
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
    "iceberg/expire-insert-stale",
    "iceberg/retain-expire",
    "iceberg/expire-shared-vectors",
    "iceberg/rest-retain-append",
    "iceberg/clock-ahead-append",
    "iceberg/rest-drop-resent",
    "iceberg/rest-create-resent",
    "iceberg/rest-replace-resent",
    *ON_JDBC[-3:],
    *ON_JDBC[-6:-3],
    "iceberg/jdbc-stage-broken",
    "iceberg/insert-expire-misreported",
    "iceberg/rest-branch-append-resent",
    *OVER_REST[-2:],
    *ON_HADOOP[-7:],
    REPLACING[0],
    *ON_HIVE,
    "iceberg/hive-rename-append",
    "iceberg/hive-put-append",
    "iceberg/hive-purge-put",
    "iceberg/purge-put",
    "iceberg/create-or-replace-create",
    "iceberg/create-or-replace-append",
    "iceberg/replace-table-append",
    "iceberg/rest-replace-table-append",
    "iceberg/cherry-pick-expired-between",
    "iceberg/together-one-by-one-append",
    "iceberg/together-one-by-one-faults",
    "iceberg/together-reply-faults",
    *REPAIRED,
    *SPEC_FINDINGS,
    *STATISTICS_FINDINGS,
    *MANIFEST_FINDINGS,
    *ROW_ID_FINDINGS,
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
    for mutant in (*TIMES, *SPECS, *LAYOUT, *STATISTICS, *INCREMENTAL.values(), *IN_SQL, *SQL_READS.values()):
        where = ({**LAYOUT_WHERE, **SPECS_WHERE, **TIMES_WHERE, **ROW_IDS_WHERE}.get(mutant.name, JAVA),)
        yield Planted(mutant.name, GENERATOR, where, None, mutant, missing=MISSING.get(mutant.name, ""))
    yield from of_services()
    yield from of_branches()
    yield from of_calls()
    for name in FINDINGS:
        if name in TOLD:
            yield TOLD[name]
            continue
        repaired, missing = REPAIRED.get(name), MISSING.get(name, "")
        rules = "idempotent" if name in KEYS else "shipped"
        shows = any_failure if repaired else explained_by(GENERATOR, name, rules)
        broken = "acknowledged-writes-survive" if repaired else ""
        if name in IN_ITS_HIVE:
            generator = in_catalog(PYTHON_HIVE)
            yield Planted(name, generator, (CALLED[PYTHON_HIVE],), rules, shows=explained_by(generator, name, rules))
            continue
        yield Planted(
            name, GENERATOR, _where(name), rules, broken=broken, shows=shows, missing=missing, repaired=repaired,
            repair=REPAIRS.get(name),
        )  # fmt: skip


def _where(name: str) -> tuple[str, ...]:
    return (WHERE.get(name, "default"),)
