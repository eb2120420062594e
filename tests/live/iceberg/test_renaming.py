"""Tables that get another name beside commits, on real catalogs in memory, over REST and on JDBC."""

import pytest

from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.creating import CreateTable, DropTable, DropWithFiles, PutTable, RenameTable
from sim.iceberg.workload import Append
from tests.live.iceberg.agreement import both, failures_of_all, kinds, scenario_of

pytestmark = pytest.mark.live
ADDED, PUT, NEW = Append(((3, "x"),)), PutTable(((7, "n"),)), CreateTable(((8, "m"),))
RENAMES, SWAPS, CREATES = ((RenameTable(),), (ADDED,)), ((DropTable(), PUT), (ADDED,)), ((DropTable(), PUT), (NEW,))
ABORTED = "no-aborted-reads/refused-commit-visible"
BROKEN = "readable/unreadable-table"


def pair(writers, catalog, rules=None):
    given = {f"w{number}": list(one) for number, one in enumerate(writers, 1)}
    return scenario_of(given, rules, catalog=catalog, rows=((1, "a"),), properties=KEPT)


@pytest.mark.parametrize("writers", [RENAMES, SWAPS, CREATES], ids=["rename", "swap", "swap beside create"])
@pytest.mark.parametrize("catalog", ["java-api", "rest"])
def test_model_and_real_java_agree_on_every_interleaving(java, writers, catalog):
    """In steps, outcome classes, lineage, files and rows; nothing is lost."""
    assert failures_of_all(java, pair(writers, catalog)) == set()


def test_model_and_the_jdbc_catalog_agree_on_every_interleaving_of_statements(java):
    """Two SELECTs and an UPDATE, beside those of a creation; queries about namespaces are no steps."""
    assert failures_of_all(java, pair(CREATES, "jdbc")) == set()


@pytest.mark.parametrize(
    ("catalog", "schedule", "told", "broken"),
    [
        ("jdbc", "w1:end w2:end", "no table", None),
        ("jdbc", "w1.load w2.load w2.load w2.commit w1:end w2:end", "ok", None),
        ("jdbc", "w1.load w2:end w1:end", "ok", BROKEN),
        ("jdbc", "w2:end w1:end", "ok", None),
        ("java-api", "w1:end w2:end", "no table", None),
        ("java-api", "w1.load w2.commit w1:end w2:end", "ok", None),
        ("java-api", "w1.load w2:end w1:end", "ok", BROKEN),
        ("java-api", "w2:end w1:end", "ok", None),
        ("rest", "w1:end w2:end", "no table", None),
        ("rest", "w2.commit w1:end w2:end", "ok", None),
        ("rest", "w2:end w1:end", "ok", None),
    ],
)
def test_a_drop_with_files_deletes_those_of_the_table_that_it_has_loaded(java, catalog, schedule, told, broken):
    """A look and a drop, and whatever has the name between them is dropped; over REST the server does it at once."""
    work = pair(((DropWithFiles(),), (RenameTable(), PUT)), catalog)
    run, live = both(java, work, schedule)
    assert (kinds(live), run.failure) == ({"w1": "ok", "w2": told}, broken)


@pytest.mark.parametrize("beside", [ADDED, NEW], ids=["append", "create"])
@pytest.mark.parametrize("catalog", ["java-api", "rest"])
def test_who_writes_beside_a_drop_with_files_agrees_on_every_interleaving(java, beside, catalog):
    """Files, too, which the table that is left, if any, needs."""
    assert failures_of_all(java, pair(((DropWithFiles(),), (beside,)), catalog)) == set()


@pytest.mark.parametrize("fault", ["503-after", "503-before", "429-after", "drop-after", "drop-before"])
def test_a_purge_that_is_sent_again_takes_the_table_that_was_created_since(java, fault):
    """A DELETE is idempotent, and sent again after any server error: a table that is new goes with its files."""
    work = pair(((DropWithFiles(),), (NEW,)), "rest")
    run, live = both(java, work, f"w1:commit w1.commit!{fault} w2:end w1:end")
    assert kinds(live)["w1"] == "ok"
    assert (run.failure is None) == fault.endswith("before")


@pytest.mark.parametrize(
    ("writers", "catalog", "schedule", "kind", "broken"),
    [
        (SWAPS[:1], "rest", "w1:commit w1.commit w1.commit!503-after-retry w1:end", "no table", ABORTED),
        (SWAPS[:1], "rest", "w1:commit w1.commit w1.commit!503-after w1:end", "unavailable", None),
        (SWAPS[:1], "rest", "w1:commit w1.commit w1.commit!drop-after w1:end", "no answer", None),
        (SWAPS[:1], "rest", "w1:commit w1.commit w1.commit!429-before w1:end", "ok", None),
        (SWAPS[:1], "jdbc", "w1.commit w1.load w1.load w1.commit!drop-after w1:end", "no table", ABORTED),
        (SWAPS[:1], "jdbc", "w1.commit w1.load w1.load w1.commit!drop-before w1:end", "ok", None),
        (SWAPS[:1], "java-api", "w1.commit w1.commit!503-after w1:end", "state unknown", None),
        (RENAMES, "rest", "w2:commit w2.commit!503-after-retry w1:end w2:end", "ok", BROKEN),
        (RENAMES, "rest", "w2:commit w2.commit!503-after w1:end w2:end", "ok", None),
        (RENAMES, "jdbc", "w2:commit w2.commit!drop-after w2.commit w1:end w2:end", "ok", BROKEN),
    ],
)
def test_what_a_client_makes_of_a_rename_that_it_is_not_told_of(java, writers, catalog, schedule, kind, broken):
    """One that is sent again finds no table; a commit that is sent again to a name that is gone deletes its files."""
    run, live = both(java, pair(writers, catalog), schedule)
    assert (kinds(live)["w1"], run.failure) == (kind, broken)
