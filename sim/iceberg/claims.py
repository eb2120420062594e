"""What the source document claims of Iceberg's transactions and of isolation on snapshots, each on the variant named.

The document is in Chinese; a claim has its words, and their sense in English. `document_test` plays its own test.

Source: iceberg/5; the document's sections are named at the claims.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import CLEANS_AFTER_ANY_ERROR
from sim.iceberg import claim_evidence as found
from sim.iceberg import claim_looks as looks
from sim.iceberg.document_test import played
from sim.iceberg.scenarios import ICEBERG, race
from sim.iceberg.transactions import REFRESHED, SEVERAL, TRANSACTIONS, transacted
from sim.iceberg.workload import Append, Compact, DeleteRow, Replace, Transaction
from sim.search.claims import Claim, Evidence
from sim.world.fault_spaces import REGISTER
from sim.world.scenario import FaultSpace, Scenario

DOCUMENT = "Iceberg, transactions on snapshots"
SHIPPED, NO_CHECKS = "as shipped (1.11.0)", "the Java API's default: no validation is asked for"
SNAPSHOT, SERIALIZABLE = "snapshot isolation", "serializable isolation, the filter covers what was read"
OWN_FILTER = "serializable isolation, the filter covers what is written, as Spark's UPDATE has it"
OLD, CURRENT = "reading one snapshot", "reading the current snapshot each time"
OUTSIDE = "nobody else commits"
TESTED = "the document's own test"
MVCC, WRITERS, READERS = "MVCC", "concurrent writes", "concurrent reads"
TEST, MADE, APPEND, STAGED = "transaction test", "instantiation", "append in a transaction", "committing an update"
CHECKED, COMMITTED, AGAIN, LOCKED = "validity", "commitSimpleTransaction", "applyUpdates", "optimistic lock"
OWN_TEST = "tests/live/iceberg/test_transactions.py::test_the_documents_own_test_on_the_real_library"
BY_NAME = {scenario.name.removeprefix("iceberg/"): scenario for scenario in (*ICEBERG, *TRANSACTIONS)}
ANSWERS = tuple(kind for kind in REGISTER.kinds["commit"] if kind.startswith(("drop", "500", "502", "504")))


def _live(name: str) -> str:
    """The live test that plays the schedule found in this scenario."""
    return f"tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real[iceberg/{name}]"


def _text(words: str, sense: str) -> str:
    return f"{words} [{sense}]"


def _searched(
    words: str, sense: str, section: str, broken: str, variant: str, *scenarios: str | Scenario, **further: Any
) -> Claim:
    """A claim that scenarios are searched for. Args: `broken` is the property that it comes down to."""
    of = tuple([BY_NAME[one] if isinstance(one, str) else one for one in scenarios])
    return Claim(_text(words, sense), f"{DOCUMENT}, {section}", broken, variant, of, **further)


def _looked(
    words: str, sense: str, section: str, variant: str, evidence: Callable[[], Evidence], **further: Any
) -> Claim:
    """A claim that one run answers, or every run of a scenario."""
    return Claim(_text(words, sense), f"{DOCUMENT}, {section}", "", variant, evidence=evidence, **further)


def _tested(words: str, sense: str, what: Callable[[], bool], shown: Callable[[], object] | None = None) -> Claim:
    """A claim that the document's own test makes."""
    return _looked(words, sense, TEST, TESTED, found.document(what, shown), live=OWN_TEST)


def _claimed(name: str, summary: str, writers: Any, asked: str, **further: Any) -> Scenario:
    """A scenario of a claim that no built-in one is about. Args: `asked` is its one property."""
    return transacted(f"claim-{name}", summary, writers, properties=(asked,), **further)


PHANTOM_DELETE = _claimed(
    "phantom-delete", "A transaction deletes a row while one reads twice, each time of the current snapshot.",
    {"w1": [Transaction((DeleteRow(1),))], **REFRESHED}, "read-atomic", broken="read-atomic",
)  # fmt: skip
COMPACTION = _claimed(
    "compaction", "A transaction compacts all files while a row is deleted.",
    {"w1": [Transaction((Compact(),))], "w2": [DeleteRow(1)]}, "acknowledged-writes-survive",
    counters=(coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED,),
)  # fmt: skip
UNANSWERED = FaultSpace({"commit": ANSWERS}, 1)


def _unanswered(name: str, summary: str, **further: Any) -> Scenario:
    """A transaction over REST, of whose commit the answer is lost."""
    return race(
        f"claim-{name}", summary, {"w1": [SEVERAL]}, properties=("readable",), faults=UNANSWERED, rows=((1, "a"),),
        history=(Append(((2, "b"),)),), **further,
    )  # fmt: skip


KEPT = _unanswered("unknown", "A transaction over REST; the answer to its commit is lost.")
CLEANED = _unanswered(
    "cleaned", "The same, cleaning up after any error but an unknown outcome.", rules=CLEANS_AFTER_ANY_ERROR,
    broken="readable",
)  # fmt: skip
RESULT, NOT_ALL = "acknowledged-writes-survive", "no-lost-update"

ISOLATION: tuple[Claim, ...] = (
    _looked("实现了乐观无锁地数据并发读写能力", "concurrent access without locks", MVCC, "REST catalog",
            found.each_run(BY_NAME["append-append"], found.takes_a_lock)),
    _looked("实现了乐观无锁地数据并发读写能力", "concurrent access without locks", MVCC, "Hive catalog with its lock",
            found.each_run(BY_NAME["hive-lock"], found.takes_a_lock)),
    _searched("默认提供了快照级别的事务隔离", "snapshot isolation by default", MVCC, "snapshot-isolation", NO_CHECKS,
              "transaction-lost-update", live=_live("transaction-lost-update"),
              note="Whoever commits second keeps both contents, or loses one: nothing is compared."),
    _searched("默认提供了快照级别的事务隔离", "snapshot isolation by default", MVCC, "snapshot-isolation", SNAPSHOT,
              "transaction-lost-update-snapshot", "write-skew-snapshot",
              note="Spark asks for the validations of serializable unless it is told otherwise."),
    _searched("可以至少避免脏读", "dirty reads, at least, are avoided", MVCC, "no-aborted-reads", SHIPPED,
              "transaction-dirty-read"),
    _searched("可以至少避免脏读", "dirty reads, at least, are avoided", MVCC, "read-committed", SHIPPED,
              "transaction-dirty-read", "read-twice-current"),
    _looked("可以至少避免脏读", "dirty reads, at least, are avoided", MVCC,
            "time travel by the id of any snapshot listed",
            found.one_run(looks.half_a_transaction_by_its_id), live=OWN_TEST,
            note="The history leaves the snapshots inside a transaction out, the list of snapshots does not."),
    _searched("读已提交:会存在幻读", "read committed has phantoms", "SQL-92", "read-atomic", CURRENT, "phantom-current",
              predicts="violated", live=_live("phantom-current")),
    _searched("读已提交:会存在 ... 不可重复读", "read committed has non-repeatable reads", "SQL-92", "read-atomic",
              CURRENT, "read-twice-current", predicts="violated", live=_live("read-twice-current")),
    _searched("可重复读:存在幻读的问题", "repeatable read has phantoms", "SQL-92", "read-atomic", OLD,
              "phantom-snapshot",
              predicts="violated", note="SQL-92 allows them there; a snapshot has none (Berenson et al., 1995)."),
    _searched("串行事务 ... 可以避免一切由于事务并发导致的问题", "serializable avoids all problems of concurrency",
              "SQL-92",
              "serializable", SERIALIZABLE, "write-skew-serializable"),
    _searched("串行事务 ... 可以避免一切由于事务并发导致的问题", "serializable avoids all problems of concurrency",
              "SQL-92",
              "serializable", OWN_FILTER, "write-skew-serializable-filter",
              live=_live("write-skew-serializable-filter"),
              note="Iceberg has no set of what was read: what the filter does not cover is not protected."),
    _searched("幻读 ... 并发事务的INSERT", "phantoms come of INSERT", "SQL-92", "read-atomic", CURRENT,
              "phantom-current",
              predicts="violated", live=_live("phantom-current")),
    _searched("幻读 ... DELETE", "phantoms come of DELETE", "SQL-92", "read-atomic", CURRENT, PHANTOM_DELETE,
              predicts="violated"),
    _searched("不可重复读,是对于并发事务的UPDATE操作", "non-repeatable reads come of UPDATE", "SQL-92", "read-atomic",
              CURRENT, "read-twice-current", predicts="violated", live=_live("read-twice-current")),
    _searched("可以达到可重复读", "snapshots can be read repeatably", WRITERS, "read-atomic", OLD,
              "read-twice-snapshot",
              "phantom-snapshot"),
    _searched("可以达到 ... 串行", "snapshots can be serializable", WRITERS, "serializable", SNAPSHOT,
              "write-skew-snapshot", live=_live("write-skew-snapshot")),
    _searched("可以达到 ... 串行", "snapshots can be serializable", WRITERS, "serializable", SERIALIZABLE,
              "write-skew-serializable"),
    _searched("写偏斜问题", "there is write skew", WRITERS, "no-write-skew", SNAPSHOT, "write-skew-snapshot",
              predicts="violated", live=_live("write-skew-snapshot")),
    _searched("会导致另外一个数据更新丢失问题", "an update is lost in a write skew", WRITERS, "no-lost-update",
              SNAPSHOT,
              "write-skew-snapshot", predicts="violated",
              note="Both updates are there; each was computed from what the other one has replaced."),
    _looked("不会产生数据更新的重叠问题,因此都可以成功", "both can succeed, for their writes do not overlap", WRITERS,
            SNAPSHOT, found.each_run(BY_NAME["write-skew-snapshot"], found.not_all_committed)),
    _looked("不会产生数据更新的重叠问题,因此都可以成功", "both can succeed, for their writes do not overlap", WRITERS,
            SERIALIZABLE, found.each_run(BY_NAME["write-skew-serializable"], found.not_all_committed),
            note="One is refused for what the other one has read."),
    _looked("产生的结果就是X、Y的值被互换了", "the values are swapped", WRITERS,
            f"{SNAPSHOT}, both have read the beginning",
            found.each_run(BY_NAME["write-skew-snapshot"], found.not_swapped), live=_live("write-skew-snapshot")),
    _looked("如果事务是串行的话 ... X的值=Y的值", "one after the other, both rows end with one value", WRITERS,
            SNAPSHOT,
            found.serial_runs_agree(BY_NAME["write-skew-snapshot"])),
    _searched("基于旧快照 ... 可以避免一切并发导致的读问题", "an old snapshot avoids all problems of reading", READERS,
              "snapshot-isolation", OLD, "read-twice-snapshot", "phantom-snapshot"),
    _searched("基于当前快照 ... 不可避免地会导致幻读", "the current snapshot has phantoms", READERS, "read-atomic",
              CURRENT,
              "phantom-current", predicts="violated", live=_live("phantom-current")),
    _searched("基于当前快照 ... 不可重复读", "the current snapshot cannot be read repeatably", READERS, "read-atomic",
              CURRENT, "read-twice-current", predicts="violated", live=_live("read-twice-current")),
)  # fmt: skip

OF_THE_TEST: tuple[Claim, ...] = (
    _tested("每一次 ... commit,都会产生一个新的事务ID", "each update makes a snapshot with an id of its own",
            lambda: len({s.snapshot_id for s in played().committed.snapshots}) == 3),
    _looked("每一次 ... commit,都会产生一个新的事务ID", "each update makes a snapshot with an id of its own", TEST,
            "an update of properties", found.one_run(looks.an_update_without_snapshot)),
    _looked("Snapshot都归属于创建事务时绑定的起始TableMetadata对象", "they belong to the metadata that it began with",
            TEST,
            TESTED, found.one_run(looks.metadata_is_never_changed),
            note="Metadata is immutable: each update makes new metadata, which has them."),
    _searched("一个表会唯一绑定一个最新的TableMetadata实例", "a table has one newest metadata", TEST, RESULT, SHIPPED,
              "transaction-retried"),
    _searched("一个表会唯一绑定一个最新的TableMetadata实例", "a table has one newest metadata", TEST, RESULT,
              "Hive catalog with its lock, calls may be late", "hive-lock-pause"),
    _tested("TableMetadata则包含子所有的历史Snapshots", "the metadata has all snapshots of its history",
            lambda: len(played().committed.snapshots) == 3),
    _looked("TableMetadata则包含子所有的历史Snapshots", "the metadata has all snapshots of its history", TEST,
            "a snapshot is expired", found.one_run(looks.an_expired_snapshot)),
    _looked("一次commit就会产生一个新的Snapshot,同时也会产生一个新的TableMetadata",
            "a commit makes a snapshot and metadata",
            TEST, "no transaction", found.one_run(looks.one_commit_outside)),
    _tested("Base metadata should not change when commit is created", "nothing changes when it is begun",
            lambda: played().begun is played().after_append and played().versions[0] == 1),
    _tested("Table should be on version 1 after append", "an update is no commit of the table",
            lambda: played().versions[1:3] == (1, 1), lambda: played().versions),
    _tested("Table should be on version 2 after commit", "the transaction is one commit",
            lambda: played().versions[3] == 2, lambda: played().versions),
    _tested("Table should have two manifest after commit", "two manifests, one of each commit",
            lambda: len(played().statuses(played().delete)) == 2, lambda: played().statuses(played().delete)),
    _tested("Table snapshot should be the delete snapshot", "the last update's snapshot is the table's",
            lambda: played().committed.current_snapshot_id == played().delete.snapshot_id),
    _tested("statuses(Status.DELETED, Status.EXISTING)", "the deleted file's entry, and the other's",
            lambda: ["DELETED A", "EXISTING B"] in played().statuses(played().delete)),
    _tested("statuses(Status.ADDED, Status.ADDED)", "the appended files' entries in the snapshot inside",
            lambda: ["ADDED A", "ADDED B"] in played().statuses(played().append)),
    _tested("Table should have a snapshot for each operation", "three snapshots",
            lambda: len(played().committed.snapshots) == 3),
    _tested("table.history() ... containsAll(initialHistory)", "the history has what it had before",
            lambda: played().committed.snapshot_log[0] == played().begun.snapshot_log[0]),
)  # fmt: skip

OF_THE_CODE: tuple[Claim, ...] = (
    _searched("不会将事务期间产生的变更更新到旧的Metadata上", "no update goes onto old metadata", MADE, RESULT, SHIPPED,
              "transaction-retried", "transaction-properties"),
    _looked("trigger a refresh and retry", "an outdated update makes it load and try again", MADE,
            "an update of the schema", found.each_run(BY_NAME["transaction-column"], found.gives_a_failed_update_up),
            note="The update's own metadata stays what it was: it is not tried again (J14)."),
    _looked("当删除文件成功后,就将文件路径记录", "a file's path is noted when the file was deleted", APPEND, SHIPPED,
            found.one_run(looks.what_is_noted_is_deleted), note="It is noted in place of being deleted."),
    _looked("保存事物期间删除的所有文件路径", "deletions are put off", MADE, SHIPPED,
            found.each_run(BY_NAME["transaction-retried"], found.deletes_before_its_end)),
    _searched("there cannot be any new row-level deletes", "a rewrite refuses new deletes",
              CHECKED,
              RESULT, SHIPPED, COMPACTION),
    _looked("与非事务模式下的Snapshot生成及更新过各相同", "a snapshot is made as outside of a transaction", STAGED,
            SHIPPED,
            found.one_run(looks.as_outside)),
    _looked("lastSequenceNumber并不一定与 ... 最小序列号相同", "the last number need not be the smallest", STAGED,
            SHIPPED,
            found.one_run(looks.minimum_is_searched)),
    _looked("删除所有序列号小于minDataSequenceNumber的Delete files", "older delete files are removed", STAGED,
            "an append",
            found.one_run(looks.old_deletes_stay_after_an_append),
            note="Unless the commit removes data files, delete manifests are not opened."),
    _looked("删除所有序列号小于minDataSequenceNumber的Delete files", "older delete files are removed", STAGED,
            "an overwrite that removes a file", found.one_run(looks.old_deletes_go_with_an_overwrite)),
    _searched("这些文件后续也不会被用到", "nobody needs these files again", STAGED, "no-needless-refusal", SHIPPED,
              "replace-replace-old-delete", note="A retry requires what its first attempt has dropped in passing."),
    _searched("并不会真正提交变更到表", "an update is not committed to the table", STAGED, "no-aborted-reads", SHIPPED,
              "transaction-dirty-read"),
    _tested("以便后续的更新操作能够继续应用到此TableMetadata实例上", "the next update is applied to it",
            lambda: played().delete.parent_id == played().append.snapshot_id),
    _looked("base == current ... 不会执行事务的提交", "a transaction of nothing does not commit", COMMITTED, SHIPPED,
            found.one_run(looks.nothing_staged)),
    _looked("尝试再次对这个更新操作进行提交,即二次提交", "each update is committed a second time", COMMITTED,
            "somebody else has committed", found.one_run(looks.applied_again_in_order)),
    _looked("尝试再次对这个更新操作进行提交,即二次提交", "each update is committed a second time", COMMITTED, OUTSIDE,
            found.one_run(looks.applied_again_without_need)),
    _searched("ensure that no committed manifest is deleted", "clean-up deletes nothing that is committed", COMMITTED,
              "readable", SHIPPED, "transaction-retried", "transaction-dirty-read"),
    _searched("clean up the data files that were deleted", "clean-up leaves nothing", COMMITTED, "no-leaks", SHIPPED,
              "transaction-retried", "transaction-lost-update-snapshot"),
    _searched("CommitStateUnknownException ... throw e", "an unknown outcome deletes nothing", COMMITTED, "readable",
              SHIPPED, KEPT),
    _searched("RuntimeException ... cleanUpOnCommitFailure()", "any other error means that nothing was committed",
              COMMITTED, "readable", "as the document shows it, before 1.4.0", CLEANED,
              note="J26: only after an error that is cleanable."),
    _searched("RuntimeException ... cleanUpOnCommitFailure()", "any other error means that nothing was committed",
              COMMITTED, "readable", f"{SHIPPED}: a commit is applied and reported as refused",
              "transaction-reply-faults"),
    _searched("将所有的更新操作修正到最新的实例上", "every update is applied to the newest metadata", AGAIN, NOT_ALL,
              "validated from the transaction's beginning",
              _claimed("begin", "A transaction validates from its beginning.",
                       {"w1": [Transaction((Append(((3, "x"),)), Replace(1, ((1, "A"),))))], "w2": [DeleteRow(1)]},
                       NOT_ALL)),
    _searched("将所有的更新操作修正到最新的实例上", "every update is applied to the newest metadata", AGAIN, NOT_ALL,
              "validated from the transaction's own newest snapshot", "transaction-own-start",
              live=_live("transaction-own-start"),
              note="Applied again, that snapshot comes after what was committed meanwhile, which is not looked at."),
    _looked("Cannot pass even with retry", "an update that failed would fail again", AGAIN, "an update of the schema",
            found.each_run(BY_NAME["transaction-column"], found.tries_a_failed_update_again)),
    _looked("需要总是尝试获取表锁", "a commit always takes the table's lock", LOCKED, "Hive catalog with its lock",
            found.each_run(BY_NAME["hive-lock"], found.takes_no_lock)),
    _looked("需要总是尝试获取表锁", "a commit always takes the table's lock", LOCKED, "REST catalog, or Java in memory",
            found.each_run(BY_NAME["append-append"], found.takes_no_lock)),
    _searched("HiveTableOperations::doCommit(...)方法执行上锁、更新、释放锁的流程", "lock, update, unlock is safe",
              LOCKED,
              RESULT, "Hive catalog with its lock, all processes running", "hive-lock"),
    _searched("HiveTableOperations::doCommit(...)方法执行上锁、更新、释放锁的流程", "lock, update, unlock is safe",
              LOCKED,
              RESULT, "Hive catalog with its lock, calls may be late", "hive-lock-pause",
              note="The alter is not fenced: it comes when the lock is gone."),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (*ISOLATION, *OF_THE_TEST, *OF_THE_CODE)
"""Every claim of the document that a run can answer."""
