"""Defects of Iceberg and PyIceberg that issues tell of, each as something that a generator can find: which mutant or
known finding it is, what it loses, and what mends it; and which of them cannot be expressed, and why.

Source: iceberg/7 (J.. ids), and issues of the repositories that are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.search.iceberg.known_repairs import KNOWN_REPAIRS
from tests.search.iceberg.planted import JAVA, planted
from tests.search.known_defects import CODE, NONE, Row
from tests.search.planted import Planted

WHERE: Mapping[str, tuple[str, ...]] = {
    "always-incremental": (JAVA,), "iceberg/retain-expire": ("Java API, snapshots managed",),
    "rewrite-ignores-equality-deletes": ("Java API, REST catalog",),
}  # fmt: skip
"""Where it is looked for what the page of planted defects does not look for."""
JAVA_ROWS: tuple[Row, ...] = (
    Row("J01", "iceberg#2317, iceberg#2328", "the current metadata file", "no-status-check"),
    Row("J02", "iceberg#3717", "the current metadata file", "status-check-says-failure"),
    Row("J03", "iceberg#3733", "manifests of a landed transaction", "transaction-cleans-after-unknown"),
    Row("J04", "iceberg#4673", "the committed manifest list", "cleanup-error-is-failure"),
    Row("J05", "iceberg#11576", "the current metadata file", "J05-failure-until-checked"),
    Row("J06", "iceberg#5036", "an acknowledged commit", "no-heartbeat"),
    Row("J06", "iceberg#15446", "an acknowledged commit", "iceberg/hive-lock-pause", "locked-alters-compare",
        "shipped; without the lock it holds: `iceberg/hive-no-lock-pause`"),
    Row("J07", "iceberg#7931", "the current metadata file", "J07-lost-lock-is-failure"),
    Row("J10", "iceberg#11814, iceberg#11866, iceberg#12637", "the current metadata file", "no-strict-status-check"),
    Row("J12", "iceberg#14583, iceberg#15511", "the committed manifest list", "cleans-against-last-attempt"),
    Row("J14", "PendingUpdateFailedException", "a part of a transaction", "failed-update-tried-again"),
    Row("J15", "iceberg#3842", "deletes: rows come back", "J15-pinned-number-lost"),
    Row("J16", "iceberg#2308, iceberg#2865", "deletes: rows come back", "J16-rewrite-validates-nothing"),
    Row("J16", "iceberg#3480, iceberg#7218", "deletes by equality", "rewrite-ignores-equality-deletes"),
    Row("J17", "iceberg#10312, pull request 10962 (open)", "deletes by equality", "iceberg/compact-starting-number",
        "added-files-count", "shipped"),
    Row("J18", "iceberg#970, iceberg#1014, iceberg#3663", "an acknowledged commit",
        "iceberg/hadoop-replacing-append-append", "renames-refuse",
        "shipped; on HDFS it holds: `iceberg/hadoop-append-append`"),
    Row("J18b", NONE, "an acknowledged commit", "iceberg/hadoop-append-unanswered", "self-check-first", "shipped"),
    Row("J19", "iceberg#2493", "that the table can be loaded", "iceberg/hadoop-pruned-hint", "folders-are-listed",
        "shipped; with one more old file it holds: `iceberg/hadoop-unpruned-hint`"),
    Row("J20", NONE, "an acknowledged commit", "iceberg/jdbc-append-broken", "self-check-first", "shipped"),
    Row("J22", "iceberg#5694, iceberg#6391", "committed files, after 500 or 502", "J22-gateway-errors-are-failures"),
    Row("J23", "iceberg#12818, iceberg#13352", "committed files", "gateway-errors-resent"),
    Row("J24", "iceberg#13619, iceberg#15050", "committed files, after 503", "J24-busy-is-failure"),
    Row("J26", "iceberg#12792, iceberg#8397", "committed files", "cleanup-not-strict"),
    Row("J26", "iceberg#10373", "committed data files, by Spark", "abort-deletes-always"),
    Row("J28", "iceberg#16942, iceberg#16232 (open)", "an acknowledged commit", "updates-not-applied-again", CODE,
        "of a simple transaction"),
    Row("J28", "iceberg#16942, iceberg#16232 (open)", "an acknowledged commit", "iceberg/replace-table-append",
        "replaces-what-it-has-seen", "shipped, of a replace transaction"),
    Row("J29", "iceberg-go#722, of Go", "main, and every row", "iceberg/rest-roll-back-expire", "expiry-asserts-refs",
        "shipped"),
    Row("J29", NONE, "what a ref was to keep", "iceberg/retain-expire", "expiry-chooses-anew",
        "shipped; beyond the limits: after 23,700 schedules, and the fix holds there for 48"),
    Row("J30", NONE, "an acknowledged commit", "iceberg/roll-back-append", "roll-back-needs-head", "shipped"),
    Row("J32", "iceberg#10755", "the table: nobody can read it", "iceberg/rest-expire-spec-append", "specs-stay-known",
        "shipped, over REST"),
    Row("J33", NONE, "a replaced partition: rows stay", "iceberg/spec-replace-partitions",
        "partitions-dropped-by-rows-too", "shipped"),
    Row("J35", "iceberg#1469, iceberg#3195, iceberg#2925", "deletes", "J35-overwrite-validates-nothing"),
    Row("J38", "iceberg#13568, iceberg#13614", "live files, by an expiry", "always-incremental"),
    Row("J39", "iceberg#7569, iceberg#9789", "an acknowledged commit of several tables",
        "iceberg/together-one-by-one-append", "server-commits-at-once",
        "shipped, by the reference server; one that commits at once holds"),
    Row("-", "iceberg#16263", "the row ids of merged manifests", "merged-manifests-lose-row-ids"),
    Row("-", "iceberg#16699, iceberg#16761", "row ids, by `rewrite_manifests`",
        "iceberg/row-ids-rewrite-manifests-insert", "manifests-carry-row-ids", "shipped"),
    Row("J45c", "iceberg#4514, iceberg#296", "others' files, by a retry", "J45c-filtered-once"),
    Row("-", "iceberg#14363", "a table that was made anew: an older one is there again", "uuid-not-compared"),
    Row("-", "HIVE-28366", "an update", "start-taken-too-late"),
    Row("I1", NONE, "a delete: a row comes back", "iceberg/delete-update-snapshot", "delete-validates-deletes",
        "shipped"),
    Row("-", NONE, "committed files", "iceberg/update-reply-faults", "self-check-first", "shipped"),
    Row("-", NONE, "an acknowledged commit", "iceberg/insert-insert-misreported", "self-check-first", "shipped"),
    Row("J42", "iceberg#12653 (open)", "a key is there twice", "iceberg/merge-missing-serializable",
        "missing-is-validated", "shipped"),
    Row("-", NONE, "a delete by equality", "iceberg/change-upsert", "all-new-deletes", "shipped"),
    Row("-", NONE, "rows of a transaction", "iceberg/transaction-delete-where", "manifests-by-number", "shipped"),
    Row("-", NONE, "row ids of a transaction", "iceberg/row-ids-transaction-append", "manifests-by-number", "shipped"),
    Row("-", NONE, "row ids, behind an upgrade", "iceberg/row-ids-upgraded-remove-append", "manifests-by-number",
        "shipped"),
    Row("-", "iceberg#9546 (closed, not merged)", "the committed manifest list", "iceberg/hadoop-change-unanswered",
        "self-check-first", "shipped, on a Hadoop catalog"),
    Row("-", "iceberg#8979", "deletes by equality: rows stay", "iceberg/spec-upsert", "deletes-of-any-spec", "shipped"),
    Row("-", "iceberg#17285", "that anybody can commit, for a time", "iceberg/clock-ahead-append",
        "clocks-not-compared", "shipped"),
)  # fmt: skip
PYTHON_ROWS: tuple[Row, ...] = (
    Row("-", NONE, "committed files", "pyiceberg/append-resent", "committed-files-kept", "shipped"),
    Row("-", NONE, "committed files, with retries left", "pyiceberg/delete-resent", "committed-files-kept", "shipped"),
    Row("-", NONE, "a key is there twice", "pyiceberg/upsert-upsert", "upserts-are-validated", "shipped"),
    Row(
        "-",
        "iceberg-go#672, of Go",
        "main, and every row",
        "pyiceberg/roll-back-expire",
        "expiry-leaves-refs",
        "shipped",
    ),
    Row("-", "iceberg-go#672, of Go", "a tag", "pyiceberg/tag-expire", "expiry-leaves-refs", "shipped"),
    Row("-", NONE, "an update", "pyiceberg/change-refreshed", "validated-from-the-read", "shipped"),
    Row("-", NONE, "rows, to filters", "pyiceberg/append-evolve", "manifests-of-the-files-spec", "shipped"),
    Row(
        "-",
        "iceberg#5036, of Java",
        "an acknowledged commit",
        "pyiceberg/hive-append-slow",
        "pyiceberg-alters-compare",
        "shipped",
    ),
    Row(
        "-",
        "iceberg-go#1786, of Go",
        "an acknowledged commit",
        "pyiceberg/tag-roll-back-append",
        "each-ref-is-asserted",
        "shipped",
    ),
    Row(
        "-", NONE, "rows of a file are there twice", "pyiceberg/add-file-add-file", "files-looked-for-again", "shipped"
    ),
    Row(
        "-",
        "iceberg-go#1637, of Go",
        "a tag, by a branch's retry",
        "pyiceberg/branch-append-tag",
        "tags-stay-tags",
        "shipped",
    ),
    Row(
        "-",
        NONE,
        "a row of a missing branch, by an upsert",
        "pyiceberg/branch-upsert-absent",
        "upsert-needs-its-branch",
        "shipped",
    ),
    Row(
        "-",
        NONE,
        "rows of a file are twice in a branch",
        "pyiceberg/branch-add-file-again",
        "files-looked-for-in-the-branch",
        "shipped",
    ),
    Row("-", "iceberg-go#1636, of Go", "a branch's rows", "pyiceberg-branch-on-main"),
    Row("-", "iceberg-go#1638, of Go", "a branch's rows, by an overwrite", "pyiceberg-branch-manifests-of-main"),
    Row("-", "iceberg-python#1935, iceberg-python#3320", "updates", "pyiceberg-validates-nothing"),
    Row("-", "iceberg-python#3320, iceberg-python#3811", "updates", "pyiceberg-window-from-head"),
    Row("-", "iceberg-python#3320", "committed files", "pyiceberg-cleans-after-unknown"),
    Row("-", "iceberg-python#3320", "committed files", "pyiceberg-own-snapshot-not-looked-for"),
    Row("-", "iceberg-go#976", "others' files, by a retry", "pyiceberg-parent-not-refreshed"),
    Row("-", "iceberg-python#3320", "others' files, by a delete's retry", "pyiceberg-delete-plan-kept"),
    Row("-", "iceberg-python#3320", "committed manifests", "pyiceberg-file-names-again"),
    Row("-", "iceberg-python#3320", "a part of a transaction", "pyiceberg-first-producer-only"),
    Row("J12", "iceberg#14583, of Java", "the committed manifest list", "pyiceberg-last-list-cleaned"),
)
NOT_EXPRESSED: Mapping[str, str] = {
    "orphan locks of Hive (iceberg#2301, iceberg#6451)": "they lose nothing, and no property is about time",
    "the kind of lock changes (iceberg#10016, iceberg#14236)": "it is the catalog's, and no commit changes it",
    "a shared `TableOperations` (iceberg#513)": "every writer has one of its own",
    "a lock that is not had, a hint that is torn (iceberg#9498, iceberg#1443)": "no Hadoop catalog has locks here, and"
    " a hint is written at once",
    "the JDBC catalog's beginning, its errors (iceberg#13343, iceberg#15434)": "they lose nothing",
    "Glue, DynamoDB (iceberg#7151, iceberg#9411)": "there are none; what they resend, Hive's catalog does in J10",
    "503 for a new table (iceberg#15051)": "the outcome is open, as in J24, and what it was is in no mutant",
    "old sequence numbers of other branches (iceberg#15126)": "a refusal that another writer has caused: nobody is"
    " promised none",
    "a format that changes (iceberg#16146)": "what it breaks no property looks at; `format-looked-at-once` is it",
    "two deletion vectors of one file in a commit (iceberg#15006)": "a statement writes one a file",
    "two commits of one snapshot id (iceberg#4747)": "versions are named by their ids: two of one id are no history",
    "sinks that recover: Flink, Kafka Connect": "there are no committers with a state of their own",
    "files left behind by a late replica (iceberg#17708)": "beside stale loads, that is promised to nobody",
    "the lock manager in memory (iceberg#4550, iceberg#8494)": "there is none",
    "compaction of delete files (iceberg#7651)": "there is none",
    "a move that is tried again (J45d)": "it is refused, which loses nothing; the mutant `moves-look-again` is kinder",
    "partitions with NULL (iceberg#10680)": "there are none",
    "PyIceberg: what a branch says it keeps (iceberg-python#3770)": "any write to it takes that back, nobody beside: no"
    " statement says it; a live test does",
    "PyIceberg: delete files": "nobody writes them beside it",
    "PyIceberg: plans that are not frozen or empty, tables without a snapshot": "an id is inserted once, its deletes"
    " record no read, and a table begins with one",
    "PyIceberg: upserts on the REST fixture (iceberg-python#2120)": "it does not run in the simulator",
    "PyIceberg: two clients set one property": "the last one wins by design: no property is broken",
}  # fmt: skip
"""What of the source's list the model cannot express, and why."""


def rows() -> tuple[Row, ...]:
    """All rows, of Java and then of PyIceberg."""
    return (*JAVA_ROWS, *PYTHON_ROWS)


def planted_of(row: Row) -> Planted:
    """What is looked for. A row of a mutant that the page of planted defects has is looked for as it is there."""
    one = next(each for each in planted() if each.name == row.planted)
    repair = KNOWN_REPAIRS.get(one.name, one.repair)
    return replace(one, configurations=WHERE.get(one.name, one.configurations), missing="", repair=repair)
