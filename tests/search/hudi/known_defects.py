"""Defects of Hudi that issues and its code tell of, each as something that the generator can find: which mutant or
known finding it is, what it does, and what mends it; and which of them cannot be expressed, and why.

Source: hudi/3.9 (F-..), hudi/5 (G-..), hudi/6 (numbers), and issues of apache/hudi that are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from model.hudi.names import LOCK
from sim.hudi.generate import GENERATOR
from sim.search.run import Run
from tests.search.hudi.asked import ALL_COMMIT, ASYNC, HOLDER, LOST_UPDATE, SHORT_LOCK, Asked
from tests.search.hudi.planted import planted
from tests.search.known_defects import CODE, NONE, Row
from tests.search.planted import Planted, any_failure

METASTORE = ("metastore-lock",)
UPDATE = "an acknowledged update"
TWO = "nothing yet: two hold the lock"
REFUSED = "a write that nobody is in the way of"
ROWS, SAVED = "acknowledged rows", "files of a savepoint"
SHIPPED_ROWS: tuple[Row, ...] = (
    Row("F-1", NONE, UPDATE, "hudi/file-lock", "owned-lock", "shipped"),
    Row("F-3", NONE, TWO, "expired-lock-broken-twice", "fixed", "shipped"),
    Row("F-4", NONE, "nothing: two in one marker check", "hudi/early-transactional-shipped", "as-document", "shipped"),
    Row("F-5, 30", "HUDI-5831, hudi#8057 (open)", "time: a conflict is found late", "hudi/async-check-commit",
        "as-document", "shipped"),
    Row("F-8", NONE, REFUSED, "hudi/similar-names", "as-document", "shipped"),
    Row("F-9", NONE, "time: a conflict is found late", "hudi/async-unreadable", "as-document", "shipped"),
    Row("F-12", NONE, "a write, refused by a dead one's marker", "hudi/dead-marker", "abort-is-death", "shipped"),
    Row("F-12", "hudi#18196", "a write, refused by a finished one's marker", "hudi/finished-marker", "abort-is-death",
        "shipped"),
    Row("F-15", NONE, "time: a conflict is found late", "hudi/check-commit-older", "commits-since-instant",
        "shipped, as RFC-56 has it"),
    Row("F-16", NONE, "time: a conflict is found late", "conflict-not-noticed", "server-looks-first",
        "shipped, as RFC-56 has it"),
    Row("G-1", "hudi#7745", "a key is there twice", "hudi/same-new-key", "new-keys-indexed", "shipped"),
    Row("G-5", NONE, UPDATE, "conflicts-by-clocks", "tla-specification", "shipped; clocks further apart than is waited"
        " for"),
    Row("G-6", "hudi#18089", "committed data files", "hudi/zombie-completed", "rollback-aware", "shipped"),
    Row("G-8", "RFC-91", UPDATE, "lock-without-fence", "commits-decided", "shipped; a holder stands still"),
    Row("G-9", NONE, "time: all work is done before the refusal", "refused-late", "", "shipped: why RFC-56 is there",
        "none: what early detection finds is not refused late, but what begins after the look cannot be found by it"),
    Row("19", "hudi#19334", TWO, "hudi/metastore-lock-beat", "fixed", "shipped; fixed in 1.3.0"),
    Row("27", "hudi#18887", "a row, for one of a write that was rolled back", "hudi/rollback-unlisted",
        "markers-listed", "shipped; fixed in 1.3.0"),
    Row("-", NONE, UPDATE, "hudi/older-instant", "newer-base-refused", "shipped"),
    Row("-", "hudi#17963", UPDATE, "hudi/torn-completion", "empty-refused", "shipped"),
    Row("-", NONE, UPDATE, "hudi/late-completion", "commits-decided", "shipped"),
    Row("-", "hudi#14373 (open)", TWO, "hudi/storage-lock-unanswered", "lost-answers-looked-up",
        "shipped"),
    Row("-", NONE, "a write, refused by its own earlier try", "hudi/retry-too-soon", "abort-is-death", "shipped"),
    Row("-", NONE, "a deletion, or an acknowledged update", "hudi/delete-partition", "replaced-compared", "shipped"),
    Row("-", "hudi#19720 (open)", "each row is there twice", "hudi/overwrite-twice", "replaced-compared", "shipped"),
    Row("-", "hudi#11600", ROWS, "hudi/clean-partition", "named-files-cleaned", "shipped"),
    Row("-", NONE, "a key is there twice", "hudi/clean-versions", "pending-minded", "shipped"),
    Row("-", NONE, "a key is there twice", "hudi/clean-hours", "pending-minded", "shipped"),
    Row("-", NONE, SAVED, "hudi/savepoint-clean", "savepoints-kept", "shipped"),
    Row("-", NONE, SAVED, "hudi/savepoint-partition", "savepoints-kept", "shipped"),
    Row("-", "hudi#13660", SAVED, "hudi/savepoint-versions", "savepoints-kept", "shipped"),
    Row("-", NONE, UPDATE, "hudi/restore-beside", "restore-fenced", "shipped"),
    Row("-", NONE, SAVED, "hudi/restore-named", "savepoints-kept", "shipped"),
    Row("-", NONE, "a restore: it cannot be ended", "hudi/mor-restore-logs", "log-plans-taken-back", "shipped"),
    Row("-", NONE, "files of a log compaction", "hudi/mor-logs-taken", "log-compactions-beat", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/mor-restore-compact", "lost-plans-skipped",
        "shipped"),
    Row("-", NONE, "a query's answer", "hudi/savepoint-read", "cleans-fenced", "shipped"),
    Row("-", NONE, "rows of a query's answer", "hudi/clean-reader", "cleans-fenced", "shipped"),
    Row("-", NONE, "time: failed overwrites stay", "hudi/overwrite-listed", "replacements-listed", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/restore-overwrite", "lost-plans-skipped", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/rollback-overwrite", "lost-plans-skipped", "shipped"),
    Row("-", "hudi#9472", "a deletion, or an acknowledged update", "hudi/cluster-delete", "replaced-compared",
        "shipped"),
    Row("-", NONE, "each row of what is clustered", "hudi/cluster-executors", "clusterings-beat", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/metadata-executors", "clusterings-beat", "shipped"),
    Row("-", NONE, UPDATE, "hudi/cluster-older-instant", "newer-base-refused", "shipped"),
    Row("-", NONE, UPDATE, "hudi/archive-conflict", "completion-minded", "shipped"),
    Row("-", "hudi#18783", "a row, for one of a write that was rolled back", "hudi/archive-rolled-back",
        "history-read", "shipped"),
    Row("-", NONE, ROWS, "hudi/metadata-partition", "named-files-cleaned", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/metadata-archived", "rollback-aware", "shipped"),
    Row("-", NONE, "the table: nobody can read it", "hudi/metadata-compacted", "named-files-cleaned", "shipped"),
    Row("-", NONE, "a restore: it cannot be ended", "hudi/metadata-restore-stuck", "metadata-remade", "shipped"),
    Row("-", NONE, "files of a compaction", "hudi/mor-executor-outlived", "leased", "shipped"),
    Row("-", "hudi#19774", ROWS, "hudi/nbcc-new-group", "pending-log-skipped", "shipped; repaired after 1.2.0"),
    Row("-", "hudi#19368", "nothing: files of a failed write stay", "hudi/unwritten-markers", "fixed",
        "shipped; repaired after 1.2.0"),
    Row("-", NONE, "time: upserts are refused for a plan of clustering", "plan-of-buckets-stays", "",
        "shipped: hudi/nbcc-cluster",
        "none: buckets cannot be clustered so, and a plan that its client cannot carry out is the user's to take back"),
    Row("-", NONE, "time: failed writes are not rolled back", "hudi/cut-markers", "cut-markers-listed", "shipped"),
)  # fmt: skip
OLD_ROWS: tuple[Row, ...] = (
    Row("F-1", NONE, TWO, "holder-deletes-lock-twice", "owned-lock", "half of F-1: the holder"),
    Row("F-1", NONE, TWO, "failed-client-deletes-lock", "owned-lock", "half of F-1: who never had it"),
    Row("F-2", NONE, TWO, "unlocks-what-it-did-not-get", "owned-lock", "instants are drawn as in 1.0.x"),
    Row("F-6", NONE, REFUSED, "compares-up-to-underscore", "as-document", "shipped"),
    Row("G-4, 2", "HUDI-7507, HUDI-9387, hudi#13269", UPDATE, "hudi/late-requested", "newer-base-refused"),
    Row("G-6", NONE, "committed data files", "no-recheck-under-lock", "rollback-aware", "shipped: the cleaner's half"),
    Row("G-6", "hudi#18089", "committed data files", "own-rollback-ignored", "rollback-aware",
        "shipped: the writer's half"),
    Row("G-7", NONE, "an instant, by another of its time", "instants-collide", "shipped", "clocks further apart than is"
        " waited for, a storage that looks before it creates"),
    Row("1", "HUDI-3355, hudi#4962", UPDATE, "forgets-who-was-pending"),
    Row("3", "HUDI-5675, hudi#7826", "committed data files", "rolls-back-what-completed"),
    Row("8", "HUDI-5921, hudi#8163", REFUSED, "5921-buckets-of-any-partition"),
    Row("10", "HUDI-9371, hudi#13255", UPDATE, "9371-older-plan-ignored"),
    Row("15", "HUDI-2573, hudi#3827", "time: failed writes are not rolled back", "2573-locks-twice"),
    Row("17", "HUDI-6186, hudi#8658", TWO, "6186-lock-removed"),
    Row("18", "HUDI-7601, hudi#10994", TWO, "metastore-lock-not-kept"),
    Row("20", "hudi#17870", UPDATE, "17870-holder-not-told"),
    Row("21", "hudi#18904", REFUSED, "18904-beats-end", "fixed", "shipped; fixed in 1.3.0"),
    Row("24", "HUDI-7165, hudi#10221", "writes, refused for ever", "7165-failed-writer-beats-on"),
    Row("31", "HUDI-8887, HUDI-7483 (open)", TWO, "lock-file-overwritten", note="a file service that creates twice"),
    Row("33", "HUDI-9009, hudi#12834", REFUSED, "9009-folder-gone"),
)  # fmt: skip
THREADS = "a client has one thread here, and a process no other lock than the table's"
NOT_EXPRESSED: Mapping[str, str] = {
    "F-7: base files and log files of one group": "merge-on-read tables are not drawn with a timeline server's early"
    " detection; a vector has the rule",
    "F-10: a pass for the last instant refuses the next one": "each write has a server of its own; a vector has it",
    "G-2: write skew": "an upsert reads no group but those that it writes",
    "G-3: incremental readers, version 6": "nobody reads from a checkpoint on",
    "5: two executors of one rollback (HUDI-5386, hudi#18448)": "the second one fails, and no property is about that",
    "7: two file ids of one bucket (HUDI-5682, hudi#7838)": "it is what `hudi/bucket-prefer-writer` has",
    "9: an inflight compaction has no plan (HUDI-7710)": "tables of version 6 have no compaction here; a vector has the"
    " rule",
    "11: delta commits refused for compactions (HUDI-9438)": "no configuration has merge-on-read tables under the"
    " default strategy; a vector has the rule",
    "12: an overwrite that is taken for clustering (HUDI-8040)": "beside an overwrite nobody is promised to commit",
    "13: bulk insert without conflicts (HUDI-6962)": "non-blocking writers who insert in bulk are not drawn",
    "14 (HUDI-3029), 16 (HUDI-5593): deadlocks of threads": THREADS,
    "23: closing deletes heartbeats (HUDI-6501)": "nobody commits an instant that another client has written",
    "24: maps that two threads change (HUDI-7148), 25 (HUDI-4574)": THREADS,
    "28: the lock's path without partitions (HUDI-5911)": "every table has partitions",
    "29: a checker that nobody ends (HUDI-7739)": "each write has a server of its own",
    "32: two executors of one clean (HUDI-6718)": "the second one fails, and no property is about that",
    "34: a plan that is rolled back before it is read (hudi#18288)": "nobody takes a plan of clustering off",
    "35: a plan that cannot be read is deleted (hudi#18093)": "the cleaner fails, and no property is about that",
    "36: clustering after a write of the same client (hudi#18198)": "each statement has a client of its own",
    "37: rollbacks in one log file (HUDI-8808)": "merge-on-read tables of version 6 are not modelled",
    "38: two upgrade a table (HUDI-8930)": "no table is upgraded",
    "39: two archivers (HUDI-7172)": "one actor archives in a drawn race",
    "a log compaction that changes an update back (`hudi/mor-logs-older`)": "all rules that mend it mend"
    " `hudi/older-instant` as well, whose races fail in the same way; docs/planted.md finds it beside the same races"
    " without log compaction",
    "a partition with `.marker` in its name": "such names are not drawn; scenario `hudi/marker-in-partition`",
}  # fmt: skip
"""What of the source's lists the generator cannot express, and why."""


SHIPPED_ASKED: tuple[tuple[str, str, tuple[str, ...], str, str | None], ...] = (
    ("expired-lock-broken-twice", HOLDER, ("file-lock-expiring",), "owned-lock", None),
    ("conflict-not-noticed", "made-markers-noticed", ASYNC, "as-document", "server-looks-first"),
    ("conflicts-by-clocks", LOST_UPDATE, ("prefer-writer-zookeeper",), "newer-base-refused", "tla-specification"),
    ("lock-without-fence", LOST_UPDATE, METASTORE, "shipped", "commits-decided"),
    ("refused-late", "no-late-refusals", ("default",), "shipped", None),
    ("instants-collide", "no-aborted-reads", ("zookeeper", "version-8"), "1.0", "shipped"),
    ("plan-of-buckets-stays", ALL_COMMIT, ("non-blocking",), "shipped", None),
)
"""What the page of planted defects does not look for: the property, the configurations, the rules, the repaired
ones."""
WHERE: Mapping[str, tuple[str, ...]] = {"metastore-lock-not-kept": SHORT_LOCK}
"""Where it is looked for what the page of planted defects does not look for."""


def rows() -> tuple[Row, ...]:
    """All rows: of what 1.2.0 has, and then of what is put back."""
    return (*SHIPPED_ROWS, *OLD_ROWS)


def planted_of(row: Row) -> Planted:
    """What is looked for. A row of what the page of planted defects has is looked for as it is there."""
    return next(each for each in (*_asked(), *_elsewhere()) if each.name == row.planted)


def _asked() -> Iterator[Planted]:
    for name, broken, where, rules, repaired in SHIPPED_ASKED:
        shows = SHOWS.get(name, any_failure)
        yield Asked(name, GENERATOR, where, rules, None, broken, shows, repaired=repaired)


def breaks_young_lock(run: Run) -> bool:
    """Whether somebody takes away a lock file of another one that has not expired yet, where but one can make one."""
    if dict(run.scenario.parameters)["storage"] != "atomic":
        return False
    made: tuple[str, int] = "", 0
    for time_ms, actor, operation, resource, arguments, value, _ in run.trace:
        if operation == "create" and resource == LOCK and value is None:
            made = actor, time_ms
        elif value is True and (operation, arguments[0] if arguments else "") in (("delete", LOCK), ("rename", LOCK)):
            holder, made_ms = made
            if holder != actor and time_ms - made_ms <= EXPIRE_MS:
                return True
    return False


def is_refused_for_clustering(run: Run) -> bool:
    """Whether somebody is refused for a plan, where somebody clusters; compactions stop no non-blocking writer."""
    clusters = any(event.f == "cluster" for event in run.events)
    return clusters and run.failure == "all-writes-commit/refused-PlanPending"


EXPIRE_MS = 60_000
"""When a lock expires in configuration `file-lock-expiring`."""
SHOWS: Mapping[str, Callable[[Run], bool]] = {
    "expired-lock-broken-twice": breaks_young_lock,
    "plan-of-buckets-stays": is_refused_for_clustering,
}
"""Which failing runs are of a defect, where what it breaks is broken otherwise, too."""


def _elsewhere() -> Iterator[Planted]:
    mended = {row.planted: row.fix for row in rows() if row.fix not in ("", CODE)}
    for one in planted():
        repaired = one.repaired if one.mutant else mended.get(one.name)
        yield replace(one, configurations=WHERE.get(one.name, one.configurations), missing="", repaired=repaired)
