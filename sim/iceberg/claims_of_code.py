"""What the source document claims of the code that it shows: `BaseTransaction`, `SnapshotProducer`, `MergeAppend`.

Source: iceberg/5; the document's sections are named at the claims.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import CLEANS_AFTER_ANY_ERROR
from sim.iceberg import claim_code_looks as code
from sim.iceberg import claim_evidence as found
from sim.iceberg import claim_looks as looks
from sim.iceberg.built_in.transactions import SEVERAL
from sim.iceberg.claim_forms import (
    AGAIN,
    APPEND,
    BY_NAME,
    CHECKED,
    COMMITTED,
    CREATED,
    LOCKED,
    MADE,
    NOT_ALL,
    OUTSIDE,
    RESULT,
    SHIPPED,
    STAGED,
    claimed,
    in_its_test,
    live_test,
    looked,
    searched,
)  # fmt: skip
from sim.iceberg.document_test import played
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, Compact, DeleteRow, Replace, Transaction
from sim.search.claim_answers import each_run, one_run
from sim.search.claims import Claim
from sim.world.fault_spaces import REGISTER
from sim.world.scenario import FaultSpace, Scenario

ANSWERS = tuple(kind for kind in REGISTER.kinds["commit"] if kind.startswith(("drop", "500", "502", "504")))
COMPACTION = claimed(
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

NOT_DONE = ("drop-before", "500-before")
TRIED_AGAIN = BY_NAME["transaction-retried"]
UNDELETED = replace(TRIED_AGAIN, name="iceberg/claim-undeleted", faults=FaultSpace({"delete": NOT_DONE}, 1))
UNLOADED = replace(TRIED_AGAIN, name="iceberg/claim-unloaded", faults=FaultSpace({"load": NOT_DONE}, 1))
EXPIRED = race(
    "claim-expired", "What a transaction has committed is expired before it has looked for what it has left over.",
    {"w1": [SEVERAL], "w2": [Append(((5, "z"),)), Expire()]}, properties=("readable",),
    catalog="jdbc", rows=((1, "a"),), history=(Append(((2, "b"),)),), counters=(coverage.CLEANUP_SKIPPED,),
)  # fmt: skip

OF_THE_CODE: tuple[Claim, ...] = (
    looked("支持创建、替换以及通用的事务创建", "there are transactions that create, replace, or neither", CREATED,
           SHIPPED, one_run(code.every_type_commits)),
    looked("table already exists", "no creation begins where a table is", CREATED,
           "a table is there at the beginning", one_run(code.created_where_a_table_is)),
    looked("table already exists", "no creation begins where a table is", CREATED, "it is created meanwhile",
           one_run(code.created_where_a_table_comes),
           note="The check is of the beginning; the catalog makes another one at the commit."),
    looked("最新的TableMetadata,有可能与start不同", "the base may differ from what it starts with", MADE,
           "newTransaction", one_run(code.begins_with_its_base), note="It starts with what it has just loaded."),
    looked("最新的TableMetadata,有可能与start不同", "the base may differ from what it starts with", MADE,
           "replaceTableTransaction", one_run(code.replacement_begins_apart)),
    looked("版本号大于等待start", "the base is not older than what it starts with", MADE, "newTransaction",
           each_run(TRIED_AGAIN, found.commits_onto_older)),
    looked("underlyingBase指向的是最新的TableMetadata", "underlyingBase is the table's newest metadata", MADE, SHIPPED,
           one_run(code.another_commits_meanwhile),
           note="It is what the update has seen: the transaction's own."),
    looked("metata指向的是事务创建时绑定的起始TableMetadata", "metadata is what the transaction began with", MADE,
           SHIPPED, one_run(code.stages_what_it_began_with)),
    looked("保存所有的从事务创建出来的SnapshotUpdate", "it holds every SnapshotUpdate that it has made", MADE, SHIPPED,
           one_run(code.holds_every_update)),
    looked("保存所有的从事务创建出来的SnapshotUpdate", "it holds every SnapshotUpdate that it has made", MADE,
           "an update of properties", one_run(code.holds_no_other_update),
           note="It is a list of PendingUpdate: what makes no snapshot is applied again, too."),
    searched("不会将事务期间产生的变更更新到旧的Metadata上", "no update goes onto old metadata", MADE, RESULT, SHIPPED,
              "transaction-retried", "transaction-properties"),
    looked("trigger a refresh and retry", "an outdated update makes it load and try again", MADE,
            "an update of the schema", each_run(BY_NAME["transaction-column"], found.gives_a_failed_update_up),
            note="The update's own metadata stays what it was: it is not tried again (J14)."),
    looked("当删除文件成功后,就将文件路径记录", "a file's path is noted when the file was deleted", APPEND, SHIPPED,
            one_run(looks.what_is_noted_is_deleted), note="It is noted in place of being deleted."),
    looked("保存事物期间删除的所有文件路径", "deletions are put off", MADE, SHIPPED,
            each_run(BY_NAME["transaction-retried"], found.deletes_before_its_end)),
    looked("可以实现自己的验证逻辑", "an operation may have a validation of its own", CHECKED, SHIPPED,
           one_run(code.operations_validate_for_themselves)),
    searched("there cannot be any new row-level deletes", "a rewrite refuses new deletes",
              CHECKED,
              RESULT, SHIPPED, COMPACTION),
    looked("与非事务模式下的Snapshot生成及更新过各相同", "a snapshot is made as outside of a transaction", STAGED,
            SHIPPED,
            one_run(looks.as_outside)),
    looked("lastSequenceNumber并不一定与 ... 最小序列号相同", "the last number need not be the smallest", STAGED,
            SHIPPED,
            one_run(looks.minimum_is_searched)),
    looked("删除所有序列号小于minDataSequenceNumber的Delete files", "older delete files are removed", STAGED,
            "an append",
            one_run(looks.old_deletes_stay_after_an_append),
            note="Unless the commit removes data files, delete manifests are not opened."),
    looked("删除所有序列号小于minDataSequenceNumber的Delete files", "older delete files are removed", STAGED,
            "an overwrite that removes a file", one_run(looks.old_deletes_go_with_an_overwrite)),
    looked("only keep manifests that have live data files", "manifests without live files go", STAGED,
           "MergeAppend", one_run(code.merging_keeps_what_lives)),
    looked("only keep manifests that have live data files", "manifests without live files go", STAGED, "FastAppend",
           one_run(code.fast_append_keeps_all), note="It lists what its parent lists."),
    looked("or that were written by this commit", "a commit's own manifests stay", STAGED, SHIPPED,
           one_run(code.its_own_manifest_stays)),
    looked("这些文件就是当前表可以访问的活数据", "what is listed is the live data", STAGED, SHIPPED,
           one_run(code.lists_live_data_alone), note="Readers pass over the entries of deleted files."),
    searched("这些文件后续也不会被用到", "nobody needs these files again", STAGED, "no-needless-refusal", SHIPPED,
              "replace-replace-old-delete", note="A retry requires what its first attempt has dropped in passing."),
    searched("并不会真正提交变更到表", "an update is not committed to the table", STAGED, "no-aborted-reads", SHIPPED,
              "transaction-dirty-read"),
    in_its_test("以便后续的更新操作能够继续应用到此TableMetadata实例上", "the next update is applied to it",
            lambda: played().delete.parent_id == played().append.snapshot_id),
    looked("Cannot commit transaction: last operation has not committed", "an open operation is no part of a commit",
           "commitTransaction", SHIPPED, one_run(code.commits_with_an_open_update)),
    looked("base == current ... 不会执行事务的提交", "a transaction of nothing does not commit", COMMITTED, SHIPPED,
            one_run(looks.nothing_staged)),
    looked("尝试再次对这个更新操作进行提交,即二次提交", "each update is committed a second time", COMMITTED,
            "somebody else has committed", one_run(looks.applied_again_in_order)),
    looked("尝试再次对这个更新操作进行提交,即二次提交", "each update is committed a second time", COMMITTED, OUTSIDE,
            one_run(looks.applied_again_without_need)),
    looked(".onlyRetryOn(CommitFailedException.class)", "only a lost race is tried again", COMMITTED,
           "a validation fails",
           each_run(BY_NAME["transaction-lost-update-snapshot"], found.tries_what_was_not_lost)),
    looked(".onlyRetryOn(CommitFailedException.class)", "only a lost race is tried again", COMMITTED,
           "the outcome is unknown", each_run(KEPT, found.tries_what_was_not_lost)),
    searched("ensure that no committed manifest is deleted", "clean-up deletes nothing that is committed", COMMITTED,
              "readable", SHIPPED, "transaction-retried", "transaction-dirty-read"),
    searched("A manifest could be deleted in one successful operation commit, but reused in another",
             "what one application has deleted another one needs", COMMITTED, "readable", SHIPPED,
             "append-manifest-transaction",
             note="A manifest that the caller has written: the commit's own are written anew."),
    searched("clean up the data files that were deleted", "clean-up leaves nothing", COMMITTED, "no-leaks", SHIPPED,
              "transaction-retried", "transaction-lost-update-snapshot"),
    searched("Failed to load metadata for a committed snapshot, skipping clean-up",
             "who misses a snapshot deletes nothing", COMMITTED, "readable", SHIPPED, EXPIRED),
    looked("Failed to delete uncommitted file", "a deletion that fails does not fail the commit", COMMITTED, SHIPPED,
           each_run(UNDELETED, found.refused_but_committed)),
    looked("Failed to load committed metadata, skipping clean-up", "a load that fails then does not either", COMMITTED,
           SHIPPED, each_run(UNLOADED, found.refused_but_committed)),
    searched("PendingUpdateFailedException ... cleanUpOnCommitFailure()", "an update that fails again leaves nothing",
             COMMITTED, "no-leaks", SHIPPED, "transaction-column"),
    searched("CommitStateUnknownException ... throw e", "an unknown outcome deletes nothing", COMMITTED, "readable",
              SHIPPED, KEPT),
    searched("RuntimeException ... cleanUpOnCommitFailure()", "any other error means that nothing was committed",
              COMMITTED, "readable", "as the document shows it, before 1.4.0", CLEANED,
              note="J26: only after an error that is cleanable."),
    searched("RuntimeException ... cleanUpOnCommitFailure()", "any other error means that nothing was committed",
              COMMITTED, "readable", f"{SHIPPED}: a commit is applied and reported as refused",
              "transaction-reply-faults"),
    searched("将所有的更新操作修正到最新的实例上", "every update is applied to the newest metadata", AGAIN, NOT_ALL,
              "validated from the transaction's beginning",
              claimed("begin", "A transaction validates from its beginning.",
                       {"w1": [Transaction((Append(((3, "x"),)), Replace(1, ((1, "A"),))))], "w2": [DeleteRow(1)]},
                       NOT_ALL)),
    searched("将所有的更新操作修正到最新的实例上", "every update is applied to the newest metadata", AGAIN, NOT_ALL,
              "validated from the transaction's own newest snapshot", "transaction-own-start",
              live=live_test("transaction-own-start"),
              note="Applied again, that snapshot comes after what was committed meanwhile, which is not looked at."),
    looked("Cannot pass even with retry", "an update that failed would fail again", AGAIN, "an update of the schema",
            each_run(BY_NAME["transaction-column"], found.tries_a_failed_update_again)),
    looked("需要总是尝试获取表锁", "a commit always takes the table's lock", LOCKED, "Hive catalog with its lock",
            each_run(BY_NAME["hive-lock"], found.takes_no_lock)),
    looked("需要总是尝试获取表锁", "a commit always takes the table's lock", LOCKED, "REST catalog, or Java in memory",
            each_run(BY_NAME["append-append"], found.takes_no_lock)),
    searched("HiveTableOperations::doCommit(...)方法执行上锁、更新、释放锁的流程", "lock, update, unlock is safe",
              LOCKED,
              RESULT, "Hive catalog with its lock, all processes running", "hive-lock"),
    searched("HiveTableOperations::doCommit(...)方法执行上锁、更新、释放锁的流程", "lock, update, unlock is safe",
              LOCKED,
              RESULT, "Hive catalog with its lock, calls may be late", "hive-lock-pause",
              note="The alter is not fenced: it comes when the lock is gone."),
)  # fmt: skip
