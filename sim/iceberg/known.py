"""Findings that are no news, as generated failures meet them. Each is a built-in scenario, or an issue upstream."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from model.iceberg import VARIANTS
from model.iceberg.formats import FORMAT
from model.iceberg.spark_reads import Since
from model.iceberg.tables import REPLACING
from sim.generation.causes import Known
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.draw.locks import WHOSE_LOCK
from sim.iceberg.known_appended import IMPORTED
from sim.iceberg.known_asked_last import ASKED_LAST
from sim.iceberg.known_beside_sql import OF_SQL_BESIDE, SQL_BESIDE
from sim.iceberg.known_branches import IN_BRANCHES, IN_PYTHON, OF_ONE_WRITER
from sim.iceberg.known_misreported import (
    ANY_FAULT,
    BROKEN,
    MISREPORTED,
    MISREPORTS,
    NOT_ANSWERED,
    ON_HADOOP,
    ON_JDBC,
    RENAME_FAILED,
    RUN_AGAIN,
    SURVIVE,
)
from sim.iceberg.known_misreported import without as _without
from sim.iceberg.known_names import OF_WHOLE_TABLES
from sim.iceberg.known_operations import (
    ALL_SQL,
    ANY,
    APPENDS,
    BACK,
    BLIND,
    BY_EQUALITY,
    DROPS,
    EXPIRE,
    JAVA,
    MAKES,
    MANAGING,
    NAMES,
    OF_SPECS,
    PYTHON,
    REPLACES,
    RETAIN,
    SEVERAL,
    TABLES,
    TRANSACTION,
)
from sim.iceberg.metastore_cells import LOST

NOT_IN_PYTHON = (("PyIceberg's catalog", ()),)
IN_HIVE = (*IN_PYTHON, ("PyIceberg's catalog", ("hive",)))
OVERWRITTEN = ("acknowledged-writes-survive", "no-aborted-reads", "no-lost-update")
"""What breaks where an alter comes when its lock is gone."""
OVER_REST = (("catalog", ("rest",)),)
OF_FORMAT_3 = ((FORMAT, ("3",)),)
ONE_BY_ONE, AT_ONCE = (("server", ("one by one",)),), (("server", ("at once",)),)
HALF = (
    ("acknowledged-writes-survive", ""), ("strong-session-causal", ""), ("no-lost-update", ""),
    ("no-aborted-reads", ""), ("read-atomic", ""), ("no-write-skew", ""), ("no-spurious-refusal", ""),
)  # fmt: skip
"""What breaks where a server commits table after table, and drops what it cannot."""
UNFENCED = ("pause", "partition", "late", "clock-slow")
"""An alter comes when its lock is gone."""
STALE = ("stale",)
"""Who loads an old table after its misreported commit does not see that it is there."""
ROW_IDS = (
    ("transaction-append", "", (TRANSACTION,)), ("upgraded-remove-append", "upgraded-row-id-changed", ()),
)  # fmt: skip
ALL = tuple(VARIANTS)
"""What no rules repair."""
LET_IN = _without("delete-validates-deletes")
LETS_IN = (("mode", ("merge-on-read",)), ("isolation", ("snapshot",)))
"""The rules, and how a table is set, in which a DELETE does not see what was updated."""
WRITTEN_OVER = (("catalog", (REPLACING,)),)
OVER_WRITTEN = (("acknowledged-writes-survive", ""), ("no-aborted-reads", "vanished-write-read"))
"""What breaks where a commit's version is written over."""
OLD_FILES_GO = (*ON_HADOOP, (PRUNES, ("true",)))
ON_HIVE = (("catalog", ("hive-lock", "hive-no-lock")),)
UNDER_THE_LOCK = (("catalog", ("hive-lock",)), ("server", ()))
ONE_UNLOCKED = ((WHOSE_LOCK, "each client's"),)
"""One client's catalog takes no lock, and the table says nothing of it."""
LOST_ANSWER = ("drop-after",)
"""An answer of the metastore is lost to who makes a table, or drops it."""
OVER_CACHES: tuple[Known, ...] = tuple([
    Known(cell.name, *how, ANY, (), (("catalog", (cell.words,)),), ALL, ANY_FAULT)
    for cell in LOST for how in ((SURVIVE, ""), ("no-aborted-reads", "vanished-write-read"))
])  # fmt: skip
"""What is lost behind caches of metastores."""
OF_WRITERS: tuple[Known, ...] = (
    Known("pyiceberg/append-resent", "readable", "unreadable-table", APPENDS, MISREPORTED, IN_PYTHON, ALL),
    Known("pyiceberg/delete-resent", "readable", "unreadable-table", PYTHON, MISREPORTED, IN_PYTHON, ALL),
    Known("pyiceberg/upsert-upsert", SURVIVE, "duplicated-row", PYTHON, (), IN_PYTHON, ALL, needs=(("upsert",),)),
    Known("pyiceberg/upsert-upsert", "snapshot-isolation", "duplicated-row", PYTHON, (), IN_PYTHON, ALL,
          needs=(("upsert",),)),
    Known("pyiceberg/upsert-upsert", "snapshot-isolation", "write-overlap@stated", PYTHON, (), IN_PYTHON, ALL,
          needs=(("upsert",),)),
    Known("pyiceberg/roll-back-expire", SURVIVE, "lost-row", PYTHON, (), IN_PYTHON, ALL,
          needs=(("expire",), ("roll back",))),
    *[Known("pyiceberg/tag-roll-back-append", SURVIVE, how, PYTHON, (), IN_PYTHON, ALL, needs=(("tag and roll back",),))
      for how in ("lost-row", "resurrected-row")],
    Known("pyiceberg/tag-expire", "readable", "unreadable-table", PYTHON, (), IN_PYTHON, ALL,
          needs=(("create tag", "tag and roll back"), ("expire",))),
    *[Known("pyiceberg/add-file-add-file", name, "", PYTHON, (), IN_PYTHON, ALL, needs=(("add file",),))
      for name in OF_ONE_WRITER],
    Known("pyiceberg/append-evolve", SURVIVE, "lost-row", PYTHON, (), IN_PYTHON, ALL, needs=(("update spec",),)),
    *[Known("pyiceberg/change-refreshed", name, "", PYTHON, (), IN_PYTHON, ALL, needs=(("change what was read",),))
      for name in OF_ONE_WRITER],
    *[Known("pyiceberg/hive-append-slow", name, "", PYTHON, faults, IN_HIVE, ALL)
      for name in OVERWRITTEN for faults in ((), UNFENCED)],
    *[Known("iceberg/merge-missing-serializable", name, "duplicated-row" if name == SURVIVE else "", SQL_BESIDE,
            needs=(("merge missing",),), rules=ALL, beside=STALE)
      for name in (*OF_ONE_WRITER, "serializable", "conflict-detection")],
    *[Known("iceberg/merge-merge-snapshot", name, "duplicated-row" if name == SURVIVE else "", ALL_SQL,
            needs=(("merge",),), rules=ALL, beside=STALE, where=(("isolation", ("snapshot",)),))
      for name in OF_ONE_WRITER],
    *[Known("iceberg/delete-update-snapshot", *how, ALL_SQL, where=LETS_IN, rules=LET_IN)
      for how in ((SURVIVE, "resurrected-row"), ("read-your-writes", "missed-own-write"),
                  ("no-lost-update", "lost-update"))],
    *[Known(f"iceberg/update-reply-faults-key-{keys}", *how, ANY, faults, (("keys", (keys,)),), ("idempotent",), STALE)
      for keys, faults in (("released", ("503-after-retry",)), ("expired", ("429-after", "503-after-retry")),
                         ("busy", ("429-after", "503-after-retry", "resend")))
      for how in ((one.property, one.anomaly) for one in MISREPORTS)],
    *[replace(one, rules=_without("self-check-first"), beside=STALE) for one in MISREPORTS],
    *[Known("iceberg/hadoop-create-unanswered", *how, TABLES, NOT_ANSWERED, ON_HADOOP, ALL, ANY_FAULT,
            (("create or replace table", "create table"),))
      for how in (("readable", "unreadable-table"), ("no-aborted-reads", ""))],
    *RENAME_FAILED,
    Known("iceberg/together-reply-faults", "no-aborted-reads", "", SEVERAL, MISREPORTED, AT_ONCE,
          rules=_without("idempotent"), beside=STALE, needs=(("commit together", "copy across"),)),
    *[replace(one, rules=_without("self-check-first"), beside=STALE, operations=SEVERAL) for one in MISREPORTS],
    *[replace(one, rules=("self-check-first",), beside=STALE, where=(("retries", ("0",)),)) for one in MISREPORTS],
    *[Known("iceberg/jdbc-stage-broken", *how, MANAGING, (*MISREPORTED, *BROKEN), rules=_without("self-check-first"),
            beside=ANY_FAULT, needs=(("stage",),))
      for how in (
          (SURVIVE, "row-from-nowhere"), ("no-aborted-reads", "thin-air-read"), ("no-unasked-changes", "moved"),
      )],
    Known("iceberg/rest-branch-append-resent", "table-invariants", "branch", MANAGING, MISREPORTED, OVER_REST,
          _without("idempotent"), ANY_FAULT, (("append to branch",),)),
    *[replace(one, rules=_without("self-check-first"), beside=ANY_FAULT, operations=MANAGING) for one in MISREPORTS],
    Known("iceberg/hive-lock-pause", SURVIVE, "", ANY, UNFENCED, rules=ALL, beside=ANY_FAULT),
    *[Known("iceberg/hive-lock-pause", name, "", ANY, UNFENCED, UNDER_THE_LOCK, ALL, ANY_FAULT)
      for name in OVERWRITTEN[1:]],
    Known("hive/iceberg-shipped-lock-two", SURVIVE, "", ANY, STALE, rules=ALL),
    Known("hive/iceberg-shipped-lock-two", "no-aborted-reads", "vanished-write-read", ANY, STALE, rules=ALL),
    *[Known(name, "readable", "unreadable-table", MANAGING, where=(("catalog", (catalog,)),),
            needs=(("update spec",), ("expire",)), rules=_without("specs-stay-known"), beside=ANY_FAULT)
      for name, catalog in (("iceberg/rest-expire-spec-append", "rest"), ("iceberg/expire-spec-append", "java-api"))],
    Known("iceberg/rest-expire-schema-append", "table-invariants", "schema", MANAGING, where=OVER_REST,
          needs=(("add column", "rename column"), EXPIRE), rules=_without("schemas-stay-known"), beside=ANY_FAULT),
    Known("iceberg/delete-apart-compact", "no-leaks", "leak", (*JAVA, "delete apart"), needs=(("delete apart",),),
          rules=ALL),
    Known("iceberg/statistics-again-expire", "table-invariants", "statistics", MANAGING,
          needs=(("set statistics",), ("expire",)), rules=ALL),
    Known("iceberg/cluster-manifests-spec", "no-leaks", "leak", BLIND, needs=(OF_SPECS, ("cluster manifests",)),
          rules=ALL),
    Known("iceberg/spec-change-overwrite", "no-leaks", "leak", (*JAVA, "replace partitions"), needs=(OF_SPECS,),
          rules=ALL),
    Known("iceberg/spec-change-overwrite", "no-leaks", "leak", ALL_SQL, needs=(("update spec",),), rules=ALL),
    Known("iceberg/cluster-manifests-spec", "no-leaks", "leak", JAVA,
          needs=(OF_SPECS, ("cluster manifests", *TRANSACTION)), rules=ALL),
    Known("iceberg/replace-replace-old-delete", "no-needless-refusal", "needless-refusal", JAVA,
          rules=_without("named-files-only")),
    Known("iceberg/overwrite-delete-vector", "table-invariants", "kept-vector", MANAGING, rules=ALL, beside=ANY_FAULT),
    Known("iceberg/transaction-delete-where", SURVIVE, "", JAVA, needs=(BY_EQUALITY, TRANSACTION),
          rules=_without("manifests-by-number")),
    *[Known(f"iceberg/row-ids-{name}", "row-lineage", how, (*MANAGING, *TABLES, "replace partitions"), needs=needs,
            rules=_without("manifests-by-number"), beside=ANY_FAULT) for name, how, needs in ROW_IDS],
    *[Known("iceberg/row-ids-rewrite-manifests-insert", "row-lineage", how, MANAGING, needs=(("rewrite manifests",),),
            rules=_without("manifests-carry-row-ids"), beside=ANY_FAULT) for how in ("row-id-lost", "row-id-changed")],
    Known("iceberg/row-ids-upgraded-update-insert", "row-lineage", "upgraded-row-id-lost", (*ALL_SQL, "set"), rules=ALL,
          beside=ANY_FAULT),
    *[Known("iceberg/change-upsert", *how, (*MANAGING, *TABLES), rules=_without("all-new-deletes"), beside=ANY_FAULT,
            needs=(BY_EQUALITY, ("change", "copy", "replace", *TRANSACTION)))
      for how in ((SURVIVE, ""), ("snapshot-isolation", "write-overlap@stated"))],
    *OF_SQL_BESIDE, *ASKED_LAST,
    Known("iceberg/compact-starting-number", SURVIVE, "", (*MANAGING, *TABLES), needs=(BY_EQUALITY, ("compact",)),
          rules=_without("added-files-count")),
    Known("iceberg/create-or-replace-create", SURVIVE, "lost-row", MAKES, needs=(MAKES[:1], MAKES[1:2]), rules=ALL),
    Known("iceberg/create-or-replace-append", SURVIVE, "lost-row", TABLES, needs=(REPLACES[:1],), rules=ALL,
          beside=ANY_FAULT),
    Known("iceberg/replace-table-append", SURVIVE, "lost-row", TABLES, needs=(REPLACES[1:],), rules=ALL,
          beside=ANY_FAULT),
    Known("iceberg/rest-replace-table-append", "table-invariants", "metadata", TABLES, where=OVER_REST,
          needs=(REPLACES,), rules=ALL, beside=ANY_FAULT),
    *[Known("iceberg/rest-replace-resent", *how, TABLES, MISREPORTED, OVER_REST, _without("idempotent"), ANY_FAULT,
            (REPLACES,))
      for how in (("readable", "unreadable-table"), ("no-aborted-reads", ""), ("table-invariants", "history"))],
    Known("iceberg/rest-create-resent", "no-aborted-reads", "", TABLES, MISREPORTED, (), _without("idempotent"),
          ANY_FAULT, (("create or replace table", "create table"),)),
    Known("iceberg/rest-create-resent", "no-unasked-changes", "table", TABLES, MISREPORTED, (), _without("idempotent"),
          ANY_FAULT, (("create or replace table", "create table"), ("drop table",))),
    Known("iceberg/rest-create-resent", SURVIVE, "resurrected-row", TABLES, MISREPORTED, (), _without("idempotent"),
          ANY_FAULT, (("create or replace table", "create table"), ("drop table",))),
    Known("iceberg/insert-insert-misreported", "no-aborted-reads", "refused-commit-visible", TABLES, MISREPORTED,
          (), ALL, ANY_FAULT, (DROPS,)),
    *[replace(one, operations=TABLES, needs=((*MAKES[:2], *NAMES),)) for one in MISREPORTS],
    Known("iceberg/rest-rename-append-resent", "readable", "unreadable-table", TABLES, MISREPORTED,
          (("catalog", ("java-api", "rest")),), _without("gone-keeps-files"), ANY_FAULT, (NAMES,)),
    Known("iceberg/jdbc-rename-append-broken", "readable", "unreadable-table", TABLES, BROKEN, ON_JDBC,
          _without("gone-keeps-files"), ANY_FAULT, (NAMES,)),
    Known("iceberg/rest-put-resent", "no-aborted-reads", "refused-commit-visible", TABLES, MISREPORTED,
          (("catalog", ("java-api", "rest")),), _without("idempotent"), ANY_FAULT, (NAMES,)),
    Known("iceberg/jdbc-purge-put", "readable", "unreadable-table", TABLES, (), ON_JDBC, _without("purge-compares"),
          ANY_FAULT, (DROPS[1:], NAMES)),
    Known("iceberg/purge-put", "readable", "unreadable-table", TABLES, (), (("catalog", ("java-api",)),), ALL,
          ANY_FAULT, (DROPS[1:], NAMES)),
    Known("iceberg/hive-purge-put", "readable", "unreadable-table", TABLES, (), ON_HIVE, ALL, ANY_FAULT,
          (DROPS[1:], NAMES)),
    Known("iceberg/jdbc-put-broken", "no-aborted-reads", "refused-commit-visible", TABLES, BROKEN, ON_JDBC, ALL,
          ANY_FAULT, (NAMES,)),
    Known("iceberg/rest-drop-resent", SURVIVE, "", TABLES, ("500-after", "502-after", "503-after", "504-after",
          "429-after", "drop-after", "late"), OVER_REST, _without("idempotent"), ANY_FAULT, (DROPS,)),
    *[Known("iceberg/rest-roll-back-expire", *how, MANAGING, where=OVER_REST, needs=(EXPIRE, (*BACK, "manage")),
            rules=_without("expiry-asserts-refs"))
      for how in ((SURVIVE, "lost-row"), ("table-invariants", "metadata"))],
    Known("iceberg/retain-expire", "table-invariants", "retention-broken", MANAGING, needs=(EXPIRE, RETAIN),
          rules=_without("expiry-chooses-anew"), beside=ANY_FAULT),
    Known("iceberg/expire-shared-vectors", "readable", "unreadable-table", MANAGING, where=OF_FORMAT_3,
          needs=(EXPIRE, ("delete",)), rules=_without("expiry-keeps-live-files"), beside=ANY_FAULT),
    Known("iceberg/insert-expire-misreported", "table-invariants", "ring", MANAGING, (*MISREPORTED, *BROKEN), rules=ALL,
          beside=ANY_FAULT, needs=(EXPIRE,)),
    Known("iceberg/expire-insert-stale", "readable", "unreadable-table", MANAGING, STALE, needs=(EXPIRE,),
          rules=_without("expiry-cleans-as-committed"), beside=ANY_FAULT),
    Known("iceberg/rest-retain-append", "table-invariants", "retention-lost", MANAGING, where=OVER_REST,
          needs=(RETAIN,), rules=ALL, beside=ANY_FAULT),
    Known("iceberg/rest-roll-back-expire", "table-invariants", "retention-broken", MANAGING, where=OVER_REST,
          needs=(EXPIRE,), rules=ALL, beside=ANY_FAULT),
    *[Known("iceberg/rest-cherry-pick-expire", *how, MANAGING, where=OVER_REST, needs=(("cherry-pick",), EXPIRE),
            rules=ALL, beside=ANY_FAULT) for how in (("readable", "unreadable-table"), (SURVIVE, "lost-row"))],
    *[Known("iceberg/together-one-by-one-append", *how, SEVERAL, where=ONE_BY_ONE, rules=ALL,
            needs=(("commit together", "copy across"),)) for how in HALF],
    *[Known("iceberg/together-one-by-one-faults", *how, SEVERAL, ("",), ONE_BY_ONE, rules=ALL) for how in HALF],
    Known("iceberg/cherry-pick-expired-between", SURVIVE, "duplicated-row", MANAGING,
          needs=(("cherry-pick",), EXPIRE), rules=ALL, beside=ANY_FAULT),
    Known("iceberg/jdbc-drop-broken", SURVIVE, "", TABLES, BROKEN, ON_JDBC, ALL, ANY_FAULT, (DROPS,)),
    *RUN_AGAIN,
    *[replace(one, rules=("self-check-first",), where=(*one.where, ("retries", ("0",))))
      for one in (*RUN_AGAIN, *RENAME_FAILED)],
    *[replace(one, rules=("self-check-first",), operations=of, needs=(needs,))
      for of, needs in ((MANAGING, (*BACK, "cherry-pick", "publish")), (TABLES, DROPS))
      for one in (*MISREPORTS, *RUN_AGAIN, *RENAME_FAILED) if one.anomaly == "refused-commit-visible"],
    Known("iceberg/hadoop-drop-create-append", "readable", "unreadable-table", TABLES, (), ON_HADOOP, ALL, ANY_FAULT,
          (("drop table",), MAKES[:2], ("append",))),
    Known("iceberg/hadoop-drop-append", "readable", "unreadable-table", TABLES, (), ON_HADOOP, ALL, ANY_FAULT,
          (("drop table",),)),
    Known("iceberg/hadoop-drop-create-append", SURVIVE, "", TABLES, (), ON_HADOOP, ALL, ANY_FAULT,
          (("drop table",), ("create or replace table", "create table"))),
    *[Known("iceberg/hadoop-replacing-append-append", *how, (*TABLES, "replace partitions"), (), WRITTEN_OVER, ALL,
            ANY_FAULT) for how in OVER_WRITTEN],
    *[Known(f"iceberg/hadoop-pruned-{name}", *how, ("append",), (), OLD_FILES_GO, ALL)
      for name, how in (("hint", ("readable", "unreadable-table")), ("number", (SURVIVE, "")))],
    *[Known("iceberg/hive-create-resent", *how, TABLES, LOST_ANSWER, ON_HIVE, _without("creation-looks-again"),
            ANY_FAULT, (("create or replace table", "create table"),))
      for how in (("readable", "unreadable-table"), ("no-aborted-reads", ""))],
    *[Known("iceberg/hive-one-unlocked-append-append", name, "", ANY, (), UNDER_THE_LOCK, ALL, beside=ANY_FAULT,
            has=ONE_UNLOCKED) for name in OVERWRITTEN],
    Known("iceberg/hive-rename-append", SURVIVE, "", TABLES, (), ON_HIVE, _without("rename-compares"),
          needs=(("rename table",),)),
    Known("iceberg/hive-put-append", SURVIVE, "", TABLES, (), (("catalog", ("hive-lock",)),), ALL,
          needs=(("put table",),)),
    Known("iceberg/hive-drop-resent", SURVIVE, "", TABLES, LOST_ANSWER, ON_HIVE, ALL, ANY_FAULT, (DROPS,)),
    Known("iceberg/orphans-cached", "readable", "unreadable-table", MANAGING, rules=ALL, needs=(("remove orphans",),),
          beside=ANY_FAULT),
    Known("iceberg/purge-cached", "readable", "unreadable-table", ("move table aside", "purge table", "read"),
          needs=(("purge table",), ("move table aside",)), rules=_without("purge-compares")),
    *OVER_CACHES,
    *IN_BRANCHES, *IMPORTED, *OF_WHOLE_TABLES,
)  # fmt: skip


def _of_whom(scenario: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Where what this scenario shows can happen, as far as its writers say."""
    return () if scenario.startswith("pyiceberg/") else NOT_IN_PYTHON


OF_PAST = ("read at", *[f"read {what}" for what in get_args(Since)])
KNOWN = tuple([
    replace(one, operations=(*one.operations, *OF_PAST), where=(*one.where, *_of_whom(one.scenario)))
    for one in OF_WRITERS
])  # fmt: skip
"""Consumers change nothing: what happens without them happens beside them. What is known of Java, which has rules of
its own, excuses no failure of PyIceberg."""
