"""Tables that are created, replaced and dropped beside one another: every interleaving on real Java, and over REST."""

import pytest

from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.workload import Append
from tests.live.iceberg.agreement import NUMBERS, both, failures_of_all, kinds, scenario_of

pytestmark = pytest.mark.live
NEW, OTHER, ADDED = ((7, "n"),), ((8, "m"),), Append(((3, "x"),))
CREATES, REPLACES = CreateTable(NEW), CreateTable(NEW, replaces=True)
ABSENT, THERE = (DropTable(),), ()
LOST = "acknowledged-writes-survive/lost-row"
UNREADABLE = "readable/unreadable-table"
ABORTED = "no-aborted-reads/refused-commit-visible"


def pair(one, other, before, catalog, rules=None):
    given = {"w1": list(one), "w2": list(other)}
    return scenario_of(given, rules, catalog=catalog, rows=((1, "a"),), history=before, properties=KEPT)


@pytest.mark.parametrize(
    ("one", "other", "before", "in_memory", "over_rest"),
    [
        ((CREATES,), (CreateTable(OTHER),), ABSENT, set(), set()),
        ((REPLACES,), (CreateTable(OTHER, replaces=True),), ABSENT, {LOST}, set()),
        ((REPLACES,), (CreateTable(OTHER), ADDED), ABSENT, {LOST}, {NUMBERS}),
        ((DropTable(),), (ADDED,), THERE, set(), set()),
        ((DropTable(), CREATES), (ADDED,), THERE, set(), set()),
        ((REPLACES,), (ADDED,), THERE, {LOST}, {NUMBERS}),
        ((REPLACES,), (DropTable(),), THERE, set(), set()),
        ((DropTable(), CREATES), (DropTable(),), THERE, set(), set()),
    ],
    ids=[
        "two creations",
        "two create-or-replace",
        "create-or-replace beside create",
        "drop beside append",
        "drop and create beside append",
        "create-or-replace beside append",
        "create-or-replace beside drop",
        "drop and create beside drop",
    ],
)
@pytest.mark.parametrize("catalog", ["java-api", "rest"])
def test_model_and_real_java_agree_on_every_interleaving(java, one, other, before, in_memory, over_rest, catalog):
    """In steps, outcome classes, lineage, refs, columns, files and rows, and in what breaks."""
    work = pair(one, other, before, catalog)
    assert failures_of_all(java, work) == (in_memory if catalog == "java-api" else over_rest)


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [
        ((CREATES,), (CreateTable(OTHER),), ABSENT),
        ((DropTable(),), (ADDED,), THERE),
        ((DropTable(), CREATES), (ADDED,), THERE),
        ((REPLACES,), (DropTable(),), THERE),
        ((DropTable(), CREATES), (DropTable(),), THERE),
    ],
    ids=[
        "two creations",
        "drop beside append",
        "drop and create beside append",
        "create-or-replace beside drop",
        "drop and create beside drop",
    ],
)
def test_model_and_the_jdbc_catalog_agree_on_every_interleaving_of_statements(java, one, other, before):
    """Every SELECT, INSERT, UPDATE and DELETE of the real catalog is a step; nothing breaks."""
    assert failures_of_all(java, pair(one, other, before, "jdbc")) == set()


@pytest.mark.parametrize(
    ("one", "other", "before", "broken"),
    [
        ((CREATES,), (CreateTable(OTHER),), ABSENT, set()),
        ((DropTable(),), (ADDED,), THERE, {"readable/unreadable-table"}),
        ((DropTable(), CREATES), (ADDED,), THERE, {"readable/unreadable-table", LOST}),
        ((REPLACES,), (DropTable(),), THERE, {"readable/unreadable-table"}),
        ((ADDED,), (Append(((4, "y"),)),), THERE, set()),
    ],
    ids=[
        "two creations",
        "drop beside append",
        "drop and create beside append",
        "create-or-replace beside drop",
        "two appends",
    ],
)
def test_model_and_the_hadoop_catalog_agree_on_every_interleaving(java, one, other, before, broken):
    """On real files: a folder that is deleted, numbers that are taken, a table that comes back without its files."""
    assert failures_of_all(java, pair(one, other, before, "hadoop")) == broken


@pytest.mark.parametrize(
    ("one", "other", "before", "broken"),
    [
        ((CREATES,), (CreateTable(OTHER),), ABSENT, {"acknowledged-writes-survive/lost-row"}),
        ((DropTable(),), (ADDED,), THERE, {"readable/unreadable-table"}),
        ((ADDED,), (Append(((4, "y"),)),), THERE, {"acknowledged-writes-survive/commit-not-in-lineage"}),
    ],
    ids=["two creations", "drop beside append", "two appends"],
)
def test_model_and_a_hadoop_catalog_whose_renames_replace_agree_on_every_interleaving(java, one, other, before, broken):
    """On a local disk, where a commit looks for its number, and renames: whoever renames first is written over."""
    assert failures_of_all(java, pair(one, other, before, "hadoop-replacing")) == broken


@pytest.mark.parametrize(
    ("given", "before", "schedule", "kind", "broken"),
    [
        ((DropTable(),), THERE, "w1.commit!drop-after w1:end w2:end", "unknown", None),
        ((DropTable(),), THERE, "w1.commit!drop-before w1:end w2:end", "unknown", None),
        ((CREATES,), ABSENT, "w1.load w1.commit!drop-after w1:end w2:end", "lost the race", UNREADABLE),
        ((CREATES,), ABSENT, "w1.load w1.commit!drop-before w1:end w2:end", "lost the race", None),
        ((ADDED,), THERE, "w1.load w1.commit!drop-before w1:end w2:end", "ok", None),
        ((ADDED,), THERE, "w1.load!drop-before w1:end w2:end", "unknown", None),
        ((REPLACES,), THERE, "w1.load w1.load w1.commit!drop-after w1:end w2:end", "ok", None),
    ],
    ids=["drop-after", "drop-before", "create-after", "create-before", "append-before", "look-before", "replace-after"],
)
def test_what_a_hadoop_catalog_makes_of_a_call_that_fails(java, given, before, schedule, kind, broken):
    """Its file system throws: the look for a version, the rename to the next one, the delete of the folder."""
    run, live = both(java, pair(given, (CreateTable(OTHER),), before, "hadoop"), schedule)
    assert (kinds(live)["w1"], run.failure) == (kind, broken)


@pytest.mark.parametrize(
    ("given", "before", "schedule", "kind", "rows", "broken"),
    [
        ((DropTable(),), THERE, "w1.commit!drop-after w2:end w1:end", "ok", 0, LOST),
        ((DropTable(),), THERE, "w1.commit!drop-after w1:end w2:end", "ok", 1, None),
        ((DropTable(),), THERE, "w1.commit!drop-before w1:end w2:end", "ok", 1, None),
        ((CREATES,), ABSENT, "w1.load w1.load w1.load w1.commit!drop-after w1:end w2:end", "unknown", 1, None),
        ((CREATES,), ABSENT, "w1.load w1.load w1.load w1.commit!drop-before w1:end w2:end", "ok", 1, None),
        ((CREATES,), ABSENT, "w1.load!drop-before w1.load w1:end w2:end", "ok", 1, None),
        ((REPLACES,), THERE, "w1.load w1.load w1.load w1.commit!drop-after w1:end w2:end", "ok", 1, None),
    ],
    ids=[
        "drop-after-beside-create",
        "drop-after",
        "drop-before",
        "create-after",
        "create-before",
        "select-before",
        "replace-after",
    ],
)
def test_what_the_pool_makes_of_a_connection_that_breaks(java, given, before, schedule, kind, rows, broken):
    """Its own rules say what is run again, and what its second answer means."""
    run, live = both(java, pair(given, (CreateTable(OTHER),), before, "jdbc"), schedule)
    assert (kinds(live)["w1"], len(live.rows), run.failure) == (kind, rows, broken)


@pytest.mark.parametrize(
    ("given", "before", "schedule", "kind", "rows", "broken"),
    [
        ((DropTable(),), THERE, "w1.commit!503-after w2:end w1:end", "ok", 0, LOST),
        ((DropTable(),), THERE, "w1.commit!drop-after w2:end w1:end", "ok", 0, LOST),
        ((DropTable(),), THERE, "w1.commit!503-before w2:end w1:end", "ok", 0, None),
        ((CREATES,), ABSENT, "w1.load w1.commit!503-after-retry w1:end w2:end", "table exists", 1, ABORTED),
        ((CREATES,), ABSENT, "w1.load w1.commit!429-before w1:end w2:end", "ok", 1, None),
        ((CREATES,), ABSENT, "w1.load w1.commit!503-after w1:end w2:end", "state unknown", 1, None),
        ((CREATES,), ABSENT, "w1.load w1.commit!409-before w1:end w2:end", "table exists", 1, None),
    ],
    ids=[
        "drop-503-after",
        "drop-drop-after",
        "drop-503-before",
        "create-503-after-retry",
        "create-429-before",
        "create-503-after",
        "create-409-before",
    ],
)
def test_what_the_http_client_makes_of_an_answer(java, given, before, schedule, kind, rows, broken):
    """Its own strategy says what is sent again: a drop after any server error, a creation after a time to wait."""
    work = pair(given, (CreateTable(OTHER),), before, "rest")
    run, live = both(java, work, schedule)
    assert (kinds(live)["w1"], len(live.rows), run.failure) == (kind, rows, broken)


@pytest.mark.parametrize(
    ("given", "before", "schedule", "rows"),
    [
        ((DropTable(),), THERE, "w1.commit!503-after w2:end w1:end", 1),
        ((DropTable(),), THERE, "w1.commit!drop-after w1:end w2:end", 1),
        ((CREATES,), ABSENT, "w1.load w1.commit!503-after-retry w1:end w2:end", 1),
        ((CREATES,), ABSENT, "w1.load w1.commit!429-after w2:end w1:end", 1),
    ],
)
def test_a_server_that_honours_keys_repeats_its_answer(java, given, before, schedule, rows):
    """The real server's store of answers, under the real client's keys: nobody is dropped or refused by himself."""
    work = pair(given, (CreateTable(OTHER),), before, "rest", IDEMPOTENT)
    run, live = both(java, work, schedule)
    assert (kinds(live)["w1"], len(live.rows), run.failure) == ("ok", rows, None)


@pytest.mark.parametrize(("catalog", "told"), [("jdbc", "ok"), ("rest", "no table")])
def test_who_has_begun_to_replace_a_table_that_is_dropped_makes_it_anew_on_jdbc(java, catalog, told):
    """Also where another one has had its name meanwhile; elsewhere there is nothing to replace."""
    others = (DropTable(), CreateTable(OTHER, replaces=True), DropTable())
    run, live = both(java, pair((REPLACES,), others, THERE, catalog), "w1:commit w2:end w1:end")
    assert (kinds(live)["w1"], live.rows) == (told, NEW if told == "ok" else ())
    assert run.failure is None
