"""A validator, clean-up rule or step of the loop that is broken is noticed: the default search kills its mutant.

Each row names the race, the property that must break, and nothing else: the same race under the shipped rules keeps
that property within the same search. Mutants of waiting (`no-resend`, `no-reconcile`, `no-heartbeat` and the like)
change no history that is safe; they are killed by vectors (`tests/unit/iceberg/test_vectors.py`).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from model.iceberg.rules import SHIPPED, Rules
from sim.iceberg.built_in.hadoop import PRUNED as OLD_FILES_GO
from sim.iceberg.built_in.vector import SHARED, THREE
from sim.iceberg.creating import CreateTable, DropTable, RenameTable
from sim.iceberg.managing import AppendTo, CherryPick, Expire, ReplaceTable, RollBack, Stage
from sim.iceberg.scenarios import race
from sim.iceberg.workload import (
    AddColumn,
    Append,
    Delete,
    DeleteRow,
    Insert,
    InsertOverwrite,
    Merge,
    Overwrite,
    Replace,
    ReplacePartitions,
    RewriteDataFiles,
    Select,
    Statement,
    Transaction,
    Truncate,
    Update,
)
from sim.search.explore import default_plan
from sim.search.result import Result
from sim.world.scenario import FaultSpace
from tests.mutants.iceberg import BY_NAME, CLEANUP, VALIDATORS
from tests.search.iceberg.test_programs import PROGRAMS

ALL_A, ALL_B = ((1, "A"), (2, "a2")), ((1, "B"), (2, "b2"))
ONE_ROW, ONE_A = ((1, "a"),), ((1, "A"),)

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Kill(NamedTuple):
    """How a mutant dies: writers w1, w2, ... in order, the property, and how the table or the world differs."""

    mutant: str
    broken: str
    writers: tuple[Statement, ...]
    table: Mapping[str, Any] = NOTHING
    faults: Mapping[str, tuple[str, ...]] = NOTHING


def _w(*statements: Statement) -> tuple[Statement, ...]:
    return statements


SERIALIZABLE = {"isolation": "serializable"}
COW = {"mode": "copy-on-write"}
API = {"catalog": "java-api"}
LOCK, NO_HMS = {"catalog": "hive-lock"}, {"catalog": "hive-no-lock"}
NEW = ReplaceTable(((7, "n"),))
WHOLE = ReplacePartitions(((1, "A"),), "serializable")
BY_PARTITION = {**API, "rows": ((1, "a"), (4, "d")), "partition_width": 4}
IN_SQL = {"rows": ((1, "a"), (4, "d")), "partition_width": 4}
APPENDED = {"rows": ONE_ROW, "history": (Append(((2, "b"),)),)}
ABSENT = {**API, "rows": ONE_ROW, "history": (DropTable(),)}
ABSENT_OVER_REST = {**ABSENT, "catalog": "rest"}
ABSENT_IN_HIVE = {**ABSENT, "catalog": "hive-no-lock"}
ON_BRANCH = AppendTo("b", ((4, "y"),))
BRANCHED = {**API, "history": (AppendTo("b", ((6, "q"),)),)}
STAGED = {"history": (Stage(((5, "s"),)),)}
VECTORS_OF_TWO = {**API, "table_properties": THREE, "history": SHARED[:1]}
UPDATED = {"table_properties": THREE, "history": (Update(1, "x"), Update(1, "y"))}
ON_JDBC, ON_HADOOP = {"catalog": "jdbc"}, {"catalog": "hadoop"}
PRUNED = {**ON_HADOOP, "table_properties": OLD_FILES_GO}
BROKEN: dict[str, tuple[str, ...]] = {"commit": ("drop-after",)}
RESENT_ALTER: dict[str, tuple[str, ...]] = {"alter_table": ("resend",)}
SURVIVE, ISOLATION, LEAKS = "acknowledged-writes-survive", "snapshot-isolation", "no-leaks"

ADDS_TWO = Transaction((Append(((3, "x"),)), Append(((4, "y"),))))
ADDS_AND_DELETES = Transaction((Append(((3, "x"),)), DeleteRow(3)))
REPLACES = Transaction((Append(((3, "x"),)), Replace(1, ALL_A)))

KILLS = (
    # validators
    Kill("no-added-data-files-check", SURVIVE, _w(Delete(1), Update(1, "A")), SERIALIZABLE),
    Kill("no-data-files-exist-check", SURVIVE, _w(DeleteRow(1), Overwrite(ALL_B, by="file")), API),
    Kill("data-files-exist-ignores-deletes", "no-lost-update", _w(Delete(1), Update(1, "A")), {"rows": ONE_ROW}),
    Kill(
        "no-deleted-data-files-check", ISOLATION, _w(Overwrite(ONE_A, validate=True), Replace(1, ())),
        {"rows": ONE_ROW, **API},
    ),
    Kill("no-new-delete-files-check", SURVIVE, _w(Update(1, "A"), Update(1, "B"))),
    Kill(
        "no-new-deletes-for-data-files-check", ISOLATION,
        _w(Overwrite(ALL_A, validate=True, by="file"), DeleteRow(1)), API,
    ),
    Kill(
        "no-added-vectors-check", "readable", _w(DeleteRow(1), DeleteRow(2)),
        {**API, "table_properties": (("format-version", "3"),)},
    ),
    Kill(
        "vectors-stay", "table-invariants", _w(Replace(1, ALL_A), Append(((3, "x"),))),
        {**API, "history": (DeleteRow(1),), "table_properties": (("format-version", "3"),)},
    ),
    Kill("no-missing-paths-check", SURVIVE, _w(Update(1, "A"), Update(2, "B")), COW),
    Kill("no-partial-match-check", SURVIVE, _w(Delete(1), Insert(((1, "x"), (5, "y")))), {"rows": ((2, "b"),)}),
    Kill("start-taken-too-late", SURVIVE, _w(Delete(1), Update(1, "A")), SERIALIZABLE),
    # the loop
    Kill("validates-first-attempt-only", SURVIVE, _w(Delete(1), Update(1, "A")), SERIALIZABLE),
    Kill("first-result-recommitted", SURVIVE, _w(Append(((3, "x"),)), Append(((4, "y"),))), API),
    Kill("new-manifest-per-attempt", LEAKS, _w(Append(((3, "x"),)), Append(((4, "y"),))), API),
    Kill("new-id-per-attempt", ISOLATION, _w(Insert(((3, "x"),)), Select()), {}, {"commit": ("409-after",)}),
    Kill("no-self-recognition", "readable", _w(Insert(((3, "x"),))), {}, {"commit": ("503-after-retry",)}),
    # clean-up
    Kill("no-cleanup-after-failure", LEAKS, _w(Update(1, "A"), Update(1, "B"))),
    Kill("cleanup-not-strict", "readable", _w(Update(1, "A")), {}, {"commit": ("drop-after",)}),
    Kill("cleans-after-unknown", "readable", _w(Append(((3, "x"),))), API, {"commit": ("drop-after",)}),
    Kill("keeps-unused-manifests", LEAKS, _w(Overwrite(ALL_A), Overwrite(ALL_B)), API),
    Kill("keeps-unused-manifest-lists", LEAKS, _w(Append(((3, "x"),)), Append(((4, "y"),))), API),
    Kill("cleans-against-last-attempt", "readable", _w(Insert(((3, "x"),))), {}, {"commit": ("503-after-retry",)}),
    Kill("cleans-without-snapshot", "readable", _w(Append(((3, "x"),))), API, {"load": ("stale",)}),
    Kill("cleanup-error-is-failure", "readable", _w(Insert(((3, "x"),))), {}, {"get": ("500-before",)}),
    Kill("abort-deletes-always", "readable", _w(Update(1, "A")), {}, {"commit": ("drop-after",)}),
    # transactions
    Kill("updates-not-applied-again", SURVIVE, _w(ADDS_TWO, Append(((5, "z"),))), API),
    Kill("last-update-applied-again", SURVIVE, _w(ADDS_TWO, Append(((5, "z"),))), API),
    Kill("updates-applied-again-backwards", SURVIVE, _w(ADDS_AND_DELETES, Append(((5, "z"),))), API),
    Kill("intermediates-in-history", "table-invariants", _w(ADDS_TWO, Append(((5, "z"),))), API),
    Kill("transaction-keeps-files", LEAKS, _w(REPLACES, Replace(1, ALL_B)), API),
    Kill("transaction-cleans-after-unknown", "readable", _w(ADDS_TWO), API, {"commit": ("drop-after",)}),
    # Spark SQL
    Kill("merge-inserts-all", SURVIVE, _w(Merge(((1, "x"),)), Delete(2)), SERIALIZABLE),
    Kill("merge-validated-as-delete", SURVIVE, _w(Merge(((1, "x"),), inserts=False), Update(1, "A"))),
    Kill("truncates-what-was-seen", SURVIVE, _w(Truncate(), Insert(((3, "x"),)))),
    Kill("dynamic-overwrites-all", SURVIVE, _w(InsertOverwrite(((1, "A"),), dynamic=True), Update(4, "D")), IN_SQL),
    # the REST client
    Kill("server-errors-are-failures", "readable", _w(Insert(((3, "x"),))), {}, {"commit": ("503-after",)}),
    Kill("gateway-errors-resent", "readable", _w(Update(1, "A")), {}, {"commit": ("502-after",)}),
    Kill("idempotency-key-unused", "readable", _w(Update(1, "A")), {}, {"commit": ("503-after-retry",)}),
    Kill("ref-not-asserted", SURVIVE, _w(CherryPick(), Append(((3, "x"),))), STAGED),
    Kill("requirements-not-checked", SURVIVE, _w(CherryPick(), Append(((3, "x"),))), STAGED),
    Kill("expiry-asserts-nothing", SURVIVE, _w(RollBack(1), Expire(1)), APPENDED),
    # replacements of a table
    Kill("replacement-keeps-files", LEAKS, _w(NEW, AddColumn("c")), {**API, "retries": 0}),
    Kill("replacement-cleans-after-unknown", "readable", _w(NEW), API, {"commit": ("503-after",)}),
    # renames of a table
    Kill("jdbc-rename-puts-back", SURVIVE, _w(RenameTable(), Append(((3, "x"),))), ON_JDBC),
    # creations of a table
    Kill("creation-overwrites", SURVIVE, _w(CreateTable(((7, "n"),)), CreateTable(((8, "m"),))), ABSENT),
    Kill("creation-overwrites", SURVIVE, _w(CreateTable(((7, "n"),)), CreateTable(((8, "m"),))), ABSENT_OVER_REST),
    Kill(
        "creation-cleans-after-exists", "readable", _w(CreateTable(((7, "n"),))), ABSENT_OVER_REST,
        {"commit": ("503-after-retry",)},
    ),
    Kill("stale-sequence-allowed", "table-invariants", _w(Stage(((5, "s"),)), Append(((3, "x"),)))),
    # branches
    Kill("branches-begin-at-main", "table-invariants", _w(ON_BRANCH, AppendTo("b", ((5, "z"),))), BRANCHED),
    # replacements of partitions
    Kill("drops-no-partition", SURVIVE, _w(WHOLE, Append(((5, "z"),))), BY_PARTITION),
    Kill("partitions-data-not-validated", SURVIVE, _w(WHOLE, Append(((2, "x"),))), BY_PARTITION),
    Kill("partitions-deletes-not-validated", ISOLATION, _w(WHOLE, DeleteRow(1)), BY_PARTITION),
    Kill("all-partitions-validated", "no-needless-refusal", _w(WHOLE, Append(((5, "z"),))), BY_PARTITION),
    # deletion vectors
    Kill("vectors-named-by-file", SURVIVE, _w(DeleteRow(1, also=(3,)), DeleteRow(2)), VECTORS_OF_TWO),
    Kill("compaction-leaves-vectors", "table-invariants", _w(RewriteDataFiles()), UPDATED),
    # the JDBC catalog
    Kill("jdbc-location-not-compared", SURVIVE, _w(Append(((3, "x"),)), Append(((4, "y"),))), ON_JDBC),
    Kill("jdbc-broken-is-refused", "no-aborted-reads", _w(Append(((3, "x"),))), ON_JDBC, BROKEN),
    Kill("jdbc-cleans-after-broken", "readable", _w(CreateTable(((7, "n"),))), {**ABSENT, **ON_JDBC}, BROKEN),
    # the Hadoop catalog
    Kill("hadoop-next-number", SURVIVE, _w(Append(((3, "x"),)), Append(((4, "y"),))), ON_HADOOP),
    Kill("hadoop-unanswered-believed", SURVIVE, _w(Append(((3, "x"),))), ON_HADOOP, {"commit": ("drop-before",)}),
    Kill("hadoop-prunes-early", "readable", _w(Append(((3, "x"),)), Append(((4, "y"),))), PRUNED),
    Kill("hadoop-hints-at-nothing", "readable", _w(Append(((3, "x"),)), Append(((4, "y"),))), PRUNED),
    # the Hive catalog
    Kill("location-not-compared", SURVIVE, _w(Append(((3, "x"),)), Append(((4, "y"),))), LOCK),
    Kill("no-expected-location", SURVIVE, _w(Append(((3, "x"),)), Append(((4, "y"),))), NO_HMS),
    Kill("no-status-check", "readable", _w(Append(((3, "x"),))), LOCK, {"alter_table": ("drop-after",)}),
    Kill("status-check-says-failure", "readable", _w(Append(((3, "x"),))), LOCK, {"alter_table": ("late",)}),
    Kill("no-strict-status-check", "readable", _w(Append(((3, "x"),))), NO_HMS, RESENT_ALTER),
    Kill("hive-creation-overwrites", SURVIVE, _w(CreateTable(((7, "n"),)), CreateTable(((8, "m"),))), ABSENT_IN_HIVE),
    Kill("keeps-json-after-failure", LEAKS, _w(Append(((3, "x"),)), Append(((4, "y"),))), LOCK),
)  # fmt: skip


def search(kill: Kill, rules: Rules) -> Result:
    """The default search over the row's race under these rules, for the row's property alone."""
    writers: Mapping[str, Sequence[Statement]] = {f"w{i}": [statement] for i, statement in enumerate(kill.writers, 1)}
    faults = FaultSpace(kill.faults, 1, ("w1",)) if kill.faults else FaultSpace()
    program = race(kill.mutant, "", writers, rules=rules, faults=faults, properties=(kill.broken,), **kill.table)
    return default_plan(program, budget=1_400)


@pytest.mark.parametrize("kill", KILLS, ids=[kill.mutant for kill in KILLS])
def test_mutant_is_killed_on_its_property(kill: Kill) -> None:
    """The broken rule shows on the named property, which the shipped rules keep in the same search."""
    mutant = BY_NAME[kill.mutant]
    rules = mutant.base or SHIPPED
    with mutant.alive():
        assert {key.split("/")[0] for key in search(kill, rules).failures} == {kill.broken}
    assert search(kill, rules).failures == {}


def test_every_validator_and_cleanup_rule_has_a_row_or_a_story() -> None:
    """Three validators need more than two commands; they have programs of their own (`test_programs.py`)."""
    told = {kill.mutant for kill in KILLS} | set(PROGRAMS)
    assert {mutant.name for mutant in (*VALIDATORS, *CLEANUP)} <= told
