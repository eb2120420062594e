"""What seeds of drawn Iceberg races may be about: features that need each other, told together.

Options are named by their draws (`draw_statements`, `draw_managing`, `draw_tables`, ...).
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.generation.focus import Focus
from sim.iceberg.focuses_branches import OF_PYTHON_BRANCHES
from sim.iceberg.options import (
    ASKED_ALONE,
    CALLS,
    CATALOG,
    CLIENT,
    FORMAT,
    INCREMENTAL,
    OF_BRANCHES,
    OF_NAMES,
    OF_SNAPSHOTS,
)
from sim.world.fault_spaces import METASTORE, REGISTER

Texts = Mapping[str, tuple[str, ...]]
YES, NO = ("True",), ("False",)
SELDOM_MORE, MORE = ("0", "0", "1"), ("1",)
FEW: Texts = {"another of writers": SELDOM_MORE, "another of statements": SELDOM_MORE, "faults": ("0",)}
"""Two writers of one statement, or of little more, where nothing fails."""
JAVA: Texts = {CLIENT.key: ("java-api",), CATALOG.key: ("in-memory", "rest")}
REST: Texts = {CLIENT.key: ("java-api",), CATALOG.key: ("rest",)}
JDBC: Texts = {CLIENT.key: ("java-api",), CATALOG.key: ("jdbc",)}
SQL: Texts = {CLIENT.key: ("spark-sql",)}
SQL_OVER_REST: Texts = {**SQL, CATALOG.key: ("rest",)}
SQL_CONSUMED: Texts = {**SQL, CATALOG.key: ("jdbc",), CALLS.key: (INCREMENTAL,)}
SQL_MANAGED: Texts = {**SQL_OVER_REST, CALLS.key: (OF_SNAPSHOTS,)}
HIVE: Texts = {CLIENT.key: ("spark-sql", "java-api"), CATALOG.key: ("hive",)}
NOT_OF_PYTHON = (OF_BRANCHES, OF_NAMES, *ASKED_ALONE)
PYTHON: Texts = {
    CLIENT.key: ("pyiceberg",),
    CALLS.key: tuple([one for one in CALLS.values if one not in NOT_OF_PYTHON]),
}  # fmt: skip
"""What is written to branches has focuses of its own (`focuses_branches`)."""
MISREPORTED = ("409-after", "429-after", "503-after-retry", "503-after", "500-after", "resend")
"""A commit is applied, and its client is not told so."""


def _answers(*kinds: str, of: tuple[str, ...] = (str(REGISTER),)) -> Texts:
    """One call or two may be answered so, and nothing else."""
    return {"faults": ("1", "2"), "ports": of, "fault kind": kinds}


MANAGED: Texts = {"manages": YES, "another of managing": SELDOM_MORE}
UNMANAGED: Texts = {"manages": NO}
TABLES: Texts = {**UNMANAGED, "makes tables": YES, "repertoire": ("plain",), "statements": ("append",)}
NOTHING_RARER: Texts = {
    "several tables": NO, "renames": NO, "by filter": NO, "layout": NO, CALLS.key: CALLS.values[:1],
}  # fmt: skip
BY_EQUALITY: Texts = {
    **FEW, **UNMANAGED, "makes tables": NO, "equality deletes": YES, "upsert": ("no", "yes"), "delete where": YES,
    "validated": ("none",), "at the starting number": ("yes", "no"), "ids in use": ("1", "2"), "partitions": NO,
    "another of history": SELDOM_MORE,
}  # fmt: skip
EXPIRING: Texts = {
    "another of writers": SELDOM_MORE, "another of statements": ("0",), "statements": ("insert",), "faults": ("1",),
    "tries again": ("0",), "another of history": ("0",), "more of SQL": NO, "specs, in SQL": NO, "catalogs cache": NO,
    "calls procedures": YES, "of manifests": NO, "called": ("expire",), "another of calls": ("0",),
    "made beside": ("create tag", "stage"), "another of beside main": ("0",), "publishes": NO, "caller caches": NO,
    "SQL goes by time": NO,
}  # fmt: skip
OF_JAVA: tuple[Focus, ...] = (
    Focus("branches", {
        **FEW, **MANAGED, "made beside": ("append to branch",), "repertoire": ("plain",), "two manage": YES,
        "manages by": ("append to branch", "append to branch", "move branch", "expire", "change of refs"),
    }, JAVA),
    Focus("what is staged is picked, and expires", {
        **FEW, **MANAGED, "made beside": ("stage",), "another of beside main": ("0",), "repertoire": ("plain",),
        "statements": ("append",), "manages by": ("cherry-pick", "expire", "expire"), "keeps": ("1",),
    }, JAVA),
    Focus("what main has is picked, and expires", {
        **FEW, **MANAGED, "another of statements": MORE, "another of history": MORE, "made beside": ("create tag",),
        "another of beside main": ("0",), "repertoire": ("plain",), "statements": ("append",), "keeps": ("1",),
        "manages by": ("cherry-pick", "expire"), "back": ("0",), "before": ("append",),
    }, JAVA),
    Focus("an expiry beside changes", {
        **FEW, **MANAGED, "another of statements": ("0", "1", "1"), "two manage": NO, "manages by": ("expire",),
        "keeps": ("1",), "repertoire": ("wide",), "statements": ("append", "delete-row", "change", "overwrite"),
        "level": ("serializable", "snapshot"), "validated from": ("begin",), "ids in use": ("1", "2"), "has ages": NO,
        "equality deletes": NO,
    }, JAVA),
    Focus("snapshots are managed, and answers are lost", {
        **FEW, **MANAGED, **_answers(*MISREPORTED, "drop-after"), "fails beside managing": ("yes",), "faults": ("1",),
        "connections break": ("yes",), "repertoire": ("plain",), "statements": ("append",),
        "manages by": ("stage", "stage", "append to branch", "roll back", "cherry-pick", "move branch"),
        "made beside": ("create tag", "append to branch"), "has ages": NO,
    }, JAVA),
    Focus("vectors share a file", {
        **FEW, **MANAGED, "another of statements": ("0", "1", "1"), "two manage": NO, "manages by": ("expire",),
        "keeps": ("1",), "repertoire": ("plain",), "statements": ("append", "delete-row"), "rows": ("2", "3"),
        "deletes several": YES, "several before": ("yes",), "main alone": ("yes",), "and others": ("no",),
        "each row in a file of its own": NO, "before": ("append",), "another of history": ("1", "0"), "has ages": NO,
        "equality deletes": NO,
    }, {**JAVA, FORMAT.key: ("3",)}),
    Focus("ages", {
        **FEW, **MANAGED, "has ages": YES, "retains and expires": ("yes", "no"), "made beside": ("append to branch",),
        "retained": ("b", "b", "main"), "says": ("keep", "snapshots"), "another of by age": SELDOM_MORE,
        "manages by": ("append to branch", "expire", "roll back", "change of refs"),
    }, JAVA),
    Focus("main goes back beside a branch, and answers are lost", {
        **FEW, **MANAGED, **_answers("429-after", "503-after-retry"), "faults": ("1",), "two manage": NO,
        "fails beside managing": ("yes",), "repertoire": ("plain",), "statements": ("append",),
        "another of writers": ("0",), "another of statements": ("0",), "another of managing": ("0",),
        "another of beside main": ("0",), "made beside": ("create tag",), "manages by": ("append to branch",),
        "has ages": YES, "clock was wrong": ("0",), "another of by age": ("0",), "back to": ("1",),
        "goes by age": ("roll back to a time",), "retains and expires": ("no",), "ages in properties": NO,
        "head a little ahead": NO, "another of fault kinds": MORE, "every port call is a step": ("yes",),
        "another of history": SELDOM_MORE,
    }, REST),
    Focus("an expiry of files that other tables have", {
        **FEW, **MANAGED, "manages by": ("expire", "expire", "append to branch"), "files shared": YES,
    }, JAVA),
    Focus("tables are made", {**FEW, **TABLES}, JAVA),
    Focus("tables are made where there is none", {
        **FEW, **TABLES, "no table": ("yes",), "of table": ("create table", "create or replace table"),
        "another of of tables": SELDOM_MORE,
    }, JAVA),
    Focus("tables are made, and answers are lost", {
        **FEW, **TABLES, **_answers(*MISREPORTED, "drop-after"), "faults": ("1",), "another of statements": ("0",),
        "fails beside tables": ("yes",), "another of of tables": ("0", "1"), "no table": ("yes", "no"),
        "of table": ("create table", "drop table", "create table", "create or replace table", "replace table"),
    }, JAVA),
    Focus("tables are made, and connections break", {
        **FEW, **TABLES, "faults": ("1",), "ports": (str(REGISTER),), "fault kind": ("drop-after",),
        "connections break": ("yes",), "another of statements": ("0",), "fails beside tables": ("yes",),
        "no table": ("yes", "no"), "of table": ("create table", "drop table"), "another of of tables": ("0", "1"),
    }, JDBC),
    Focus("changes of rows and files", {
        **FEW, **UNMANAGED, "makes tables": NO, "repertoire": ("wide",), "ids in use": ("1", "2"), "partitions": NO,
        "statements": ("delete-row", "replace", "take away", "overwrite", "change", "compact"),
        "equality deletes": NO,
        "level": ("serializable", "snapshot"), "validated from": ("begin",), "another of history": SELDOM_MORE,
    }, JAVA),
    Focus("partitions are replaced", {
        **FEW, **UNMANAGED, "makes tables": NO, "repertoire": ("wide",), "partitions": YES, "by partition": YES,
        "statements": ("append", "overwrite", "change", "delete-row"), "partitions validated": ("serializable",),
        "level": ("serializable", "snapshot"), "equality deletes": NO, "ids in use": ("1", "2"),
    }, JAVA),
    Focus("equality deletes and compactions", {
        **BY_EQUALITY, "repertoire": ("wide",), "statements": ("append", "delete-row", "compact"),
        "kind": ("compact", "delete-row", "delete-row"), "another of writers": MORE, "another of statements": ("0",),
        "upsert": ("yes",), "rows": ("2", "3"), "another of history": ("0",), "ids in use": ("2",),
    }, JAVA),
    Focus("equality deletes and changes", {
        **BY_EQUALITY, "repertoire": ("wide",), "statements": ("append", "delete-row", "change", "replace", "copy"),
        "level": ("serializable", "snapshot"), "validated from": ("begin",),
    }, JAVA),
    Focus("equality deletes beside changes of the same file", {
        **BY_EQUALITY, **NOTHING_RARER, "repertoire": ("wide",), "statements": ("delete-row", "change"),
        "each row in a file of its own": NO, "another of history": ("0",), "another of statements": ("0",),
        "kind": ("delete-row", "change", "change"), "level": ("snapshot",), "validated from": ("begin",),
        "rows": ("2", "3"), "ids in use": ("2",), "id": ("1", "2"), "specs": NO, "manifests": NO,
    }, JAVA),
    Focus("equality deletes and transactions", {
        **BY_EQUALITY, "repertoire": ("transactions",), "statements": ("append", "delete-row", "merge append"),
        "validated from": ("begin",),
    }, JAVA),
    Focus("replacements beside deletes of what is gone", {
        **FEW, **UNMANAGED, "makes tables": NO, "each row in a file of its own": YES, "repertoire": ("plain",),
        "statements": ("replace",), "before": ("delete and replace", "append"), "another of history": ("1", "1", "0"),
        "rows": ("2", "3"), "equality deletes": NO,
    }, JAVA),
    Focus("the spec changes beside changes of files", {
        **FEW, **UNMANAGED, **NOTHING_RARER, "makes tables": NO, "repertoire": ("wide",), "specs": YES,
        "spec changed": ("before", "in a transaction"), "transform then": ("truncate",), "partitions": YES,
        "by partition": ("True", "False"), "statements": ("append", "overwrite", "overwrite unvalidated", "change"),
        "level": ("serializable", "snapshot"), "validated from": ("begin",), "another of history": SELDOM_MORE,
        "equality deletes": NO, "rows": ("2", "3"),
    }, JAVA),
    Focus("the spec changes beside rewrites of manifests", {
        **FEW, **UNMANAGED, **NOTHING_RARER, "makes tables": NO, "repertoire": ("plain",), "statements": ("append",),
        "specs": YES, "spec changed": ("in a transaction",), "manifests": YES, "manifests in a transaction": ("no",),
        "another of statements": ("0",),
    }, JAVA),
    Focus("files are replaced beside deletion vectors", {
        **FEW, **UNMANAGED, **NOTHING_RARER, "makes tables": NO, "repertoire": ("wide",), "rows": ("3",),
        "each row in a file of its own": NO, "before": ("delete-row",), "another of history": ("1", "1", "0"),
        "statements": ("delete-row", "overwrite unvalidated"), "another of writers": ("0",), "ids in use": ("3",),
        "another of statements": ("0",), "id": ("1", "2", "3"), "level": ("serializable", "snapshot"),
        "validated from": ("begin",), "by file": ("yes",), "partitions": NO, "equality deletes": NO, "specs": NO,
        "deletes several": NO, "manifests": NO,
    }, {**JAVA, FORMAT.key: ("3",)}),
    Focus("an expiry beside statistics", {
        **FEW, **UNMANAGED, "makes tables": NO, "repertoire": ("plain",), "statements": ("append",), "renames": NO,
        "specs": NO, "by filter": NO, "layout": YES, "layout alone": ("set statistics", "remove statistics"),
        "expiry beside": YES, "back, alone": ("1", "0"), "file, alone": ("alone", "before"), "manifests": NO,
        "of partitions, alone": ("no", "yes"), "another of history": ("0",),
    }, JAVA),
    Focus("partitions are replaced by a newer spec", {
        **FEW, **UNMANAGED, **NOTHING_RARER, "makes tables": NO, "repertoire": ("wide",), "partitions": YES,
        "statements": ("append", "change"), "kind": ("append", "change", "change"), "by partition": ("True",),
        "partitions validated": ("serializable", "snapshot"), "level": ("serializable", "snapshot"), "specs": YES,
        "spec changed": ("before",), "transform then": ("truncate",), "equality deletes": NO, "manifests": NO,
        "another of history": SELDOM_MORE, "each row in a file of its own": NO,
    }, JAVA),
    Focus("manifests are rewritten, and answers are lost", {
        **UNMANAGED, **NOTHING_RARER, **_answers("409-after", "429-after", "503-after-retry", "resend"),
        "makes tables": NO, "repertoire": ("plain",), "statements": ("append",), "another of writers": ("0",),
        "specs": NO, "another of statements": ("0",), "manifests": YES, "whose manifests": ("w2",),
        "manifests in a transaction": ("no",), "equality deletes": NO,
    }, REST),
    Focus("several tables", {**UNMANAGED, "makes tables": NO, "several tables": YES}, REST),
    Focus("several tables, and answers are lost", {
        **UNMANAGED, **_answers(*MISREPORTED), "makes tables": NO, "several tables": YES,
    }, REST),
)  # fmt: skip
OF_SQL: tuple[Focus, ...] = (
    Focus("merges", {
        **FEW, "more of SQL": YES, "statements": ("insert", "update"),
        "instead of an INSERT": ("merge", "merge missing"),
        "instead of an UPDATE": ("merge",), "inserts": ("yes",), "tries again": ("0",), "rows": ("1",),
        "another of history": ("0",), "ids in use": ("3",), "id": ("1", "2", "3"),
    }, SQL),
    Focus("deletes and updates", {
        **FEW, "more of SQL": NO, "statements": ("delete", "update"), "rows": ("1", "2"), "another of history": ("0",),
        "another of statements": ("0",), "ids in use": ("1", "2"), "id": ("1", "2"), "tries again": ("0",),
        "catalogs cache": NO, "calls procedures": NO, "purges": NO,
    }, SQL),
    Focus("overwrites, truncations and compactions", {**FEW, "more of SQL": YES, "tries again": ("0",)}, SQL),
    Focus("cached tables", {
        **FEW, "catalogs cache": YES, "has read before": ("yes",), "removes orphans": ("True", "False"),
        "tries again": ("0",),
        "another of statements": ("0", "1"), "ids in use": ("1", "2", "3"),
    }, SQL_OVER_REST),
    Focus("a branch is published", {
        **FEW, "calls procedures": YES, "catalogs cache": NO, "purges": NO, "of manifests": NO, "more of SQL": NO,
        "made beside": ("append to branch",), "another of beside main": ("0",), "another of calls": ("0",),
        "called": ("rewrite manifests",), "publishes": YES, "branch moved beside": YES, "statements": ("insert",),
        "another of writers": ("0",), "another of statements": ("0",), "tries again": ("0",),
        "caller has read": ("yes", "no"),
    }, SQL_OVER_REST),
    Focus("an expiry is answered with an older table", {
        **_answers("stale"), **EXPIRING, "another of fault kinds": ("0",), "keeps": ("2",),
    }, SQL_MANAGED),
    Focus("an expiry beside commits whose answers are lost", {
        **_answers("409-after", "429-after", "503-after-retry"), **EXPIRING, "keeps": ("1",),
        "another of writers": ("0", "1"),
    }, SQL_MANAGED),
    Focus("a tag is moved beside who reads it", {
        **FEW, "another of statements": ("0",), "statements": ("insert",), "another of history": ("1", "1", "0"),
        "tries again": ("0",), "more of SQL": NO, "specs, in SQL": NO, "catalogs cache": NO, "calls procedures": YES,
        "of manifests": NO, "made beside": ("create tag",), "another of beside main": ("0",), "publishes": NO,
        "another of calls": ("0",), "tag changes": YES, "tag is": ("moved",), "what is read": ("a ref",),
        "which ref": ("t",), "another of consumers": ("0",), "another of reads": ("0",),
    }, SQL_CONSUMED),
    Focus("answers are lost", {
        **_answers(*MISREPORTED), "another of writers": SELDOM_MORE, "another of statements": SELDOM_MORE,
        "keys": ("released", "expired"), "more of SQL": NO,
    }, SQL_OVER_REST),
    Focus("a lock is lost", {
        "faults": ("1",), "ports": (str(METASTORE),), "fault kind": ("pause",), "another of fault kinds": ("0",),
        "another of writers": ("0",), "another of statements": SELDOM_MORE, "every port call is a step": ("yes",),
    }, HIVE),
    Focus("metastores answer badly", {
        **_answers("drop-after", "drop-before", "late", of=(str(METASTORE),)), "faults": ("2",),
        "another of writers": ("0",), "another of statements": SELDOM_MORE,
    }, HIVE),
)  # fmt: skip
OF_PYTHON: tuple[Focus, ...] = (
    Focus("upserts", {
        **FEW, "repertoire": ("wide",), "statements": ("upsert",), "kind": ("upsert",), "ids in use": ("3",),
        "id": ("3",), "own catalog": NO, "of PyIceberg alone": NO,
    }, PYTHON),
    Focus("answers are lost", {
        **_answers(*MISREPORTED), "repertoire": ("plain",), "another of writers": SELDOM_MORE,
        "another of statements": SELDOM_MORE, "own catalog": NO, "of PyIceberg alone": NO,
    }, PYTHON),
    Focus("what PyIceberg alone has", {**FEW, "of PyIceberg alone": YES}, PYTHON),
    Focus("changes", {
        **FEW, "repertoire": ("wide", "transactions"), "statements": ("append", "delete", "change", "copy"),
        "ids in use": ("1", "2"), "own catalog": NO, "of PyIceberg alone": NO,
    }, PYTHON),
    Focus("snapshots are managed", {
        **FEW, "repertoire": ("managed",), "of PyIceberg alone": NO,
    }, PYTHON),
)  # fmt: skip
FOCUSES = (*OF_JAVA, *OF_SQL, *OF_PYTHON, *OF_PYTHON_BRANCHES)
