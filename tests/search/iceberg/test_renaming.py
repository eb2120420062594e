"""Tables that get another name in memory, over REST and on JDBC: what the default search finds, what repairs it."""

import pytest

from model.iceberg.rules import GONE_KEEPS_FILES, IDEMPOTENT
from sim.iceberg.built_in.creating import LEFT, NEW, of_tables
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.built_in.renaming import RENAMED, RENAMING
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.creating import DropTable, DropWithFiles, PutTable, RenameTable
from sim.iceberg.scenarios import CATALOG_STEPS
from sim.iceberg.workload import Append, IcebergWorkload
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.world.scenario import FaultSpace
from tests.mutants.iceberg import BY_NAME

COMMITS = FaultSpace({"commit": ("503-after-retry",)}, 1)
SENT_AGAIN = steps_of("w2:commit w2.commit!503-after-retry w1:end w2:end")


@pytest.mark.parametrize("scenario", RENAMING, ids=[scenario.name for scenario in RENAMING])
def test_the_default_search_says_what_the_scenario_expects(scenario):
    """The losses are found within a hundred schedules."""
    found = default_plan(scenario)
    assert found.verdict == ("violated" if scenario.broken else "holds")
    assert [key.split("/")[0] for key in found.failures] == ([scenario.broken] if scenario.broken else [])
    assert not scenario.broken or found.schedules <= 100


@pytest.mark.parametrize(("rules", "told"), [({"rules": IDEMPOTENT}, "ok"), ({"rules": GONE_KEEPS_FILES}, "fail")])
def test_two_repairs_hold_where_the_shipped_client_deletes_a_table(rules, told):
    """On one schedule: with keys the append is told the truth, and without them nothing is deleted."""

    def played(**given):
        scenario = of_tables("renamed", "", RENAMED, catalog="rest", faults=COMMITS, properties=LEFT, **given)
        return Runner(scenario, yield_points=CATALOG_STEPS).play(SENT_AGAIN)

    shipped, mended = played(), played(**rules)
    assert (shipped.failure, mended.failure) == ("readable/unreadable-table", None)
    assert [event.type for event in mended.events if event.process == "w2"][-1] == told


@pytest.mark.parametrize(("mutant", "catalog"), [("rename-over-table", "java-api"), ("rest-rename-over-table", "rest")])
def test_a_rename_that_makes_room_for_itself_is_found(mutant, catalog):
    """What was created meanwhile, and acknowledged, is gone."""
    writers: Writers = {"w1": [DropTable(), PutTable(((8, "m"),))], "w2": [NEW]}
    scenario = of_tables("put", "", writers, catalog=catalog, properties=("acknowledged-writes-survive",))
    assert default_plan(scenario).verdict == "holds"
    with BY_NAME[mutant].alive():
        assert default_plan(scenario).verdict == "violated"


def test_the_repair_repairs_something():
    """Its mutant deletes what the table needs."""
    scenario = of_tables("renamed", "", RENAMED, catalog="rest", faults=COMMITS, rules=GONE_KEEPS_FILES)
    with BY_NAME["gone-keeps-nothing"].alive():
        played = Runner(scenario, yield_points=CATALOG_STEPS).play(SENT_AGAIN)
    assert played.failure == "readable/unreadable-table"


@pytest.mark.parametrize(
    ("catalog", "statements", "text"),
    [
        ("hadoop", (DropWithFiles(),), "catalog: expected another one than hadoop for DropWithFiles"),
        ("rest", (RenameTable(), NEW), "expected RenameTable once, and nothing else"),
        ("jdbc", (RenameTable(), RenameTable()), "expected RenameTable once, and nothing else"),
        ("jdbc", (RenameTable(), DropTable()), "expected RenameTable once, and nothing else"),
    ],
)
def test_a_workload_says_what_it_cannot_have(catalog, statements, text):
    """One line, which names the argument."""
    with pytest.raises(ValueError, match=text):
        IcebergWorkload((("w1", statements),), catalog=catalog)


def test_an_append_is_never_committed_to_a_table_that_took_the_name():
    """However many commits each of them has: what names a version names its table, too."""
    swaps = (RenameTable(), PutTable(((8, "m"),)))
    writers: Writers = {"w1": [ADDED], "w2": [Append(((4, "y"),))], "w3": swaps}
    scenario = of_tables("swapped", "", writers, catalog="jdbc", yield_points=CATALOG_STEPS)
    played = Runner(scenario).play(steps_of("w1.load w2:end w3:end w1:end"))
    assert played.failure is None
    told = [event.error or "" for event in played.events if event.process == "w1"]
    assert told[-1].startswith("InvalidOperation")


def test_a_hadoop_catalog_renames_nothing():
    """A workload says so in one line."""
    with pytest.raises(ValueError, match="catalog: expected another one than hadoop for tables that are renamed"):
        IcebergWorkload(tuple((name, tuple(todo)) for name, todo in RENAMED.items()), catalog="hadoop")
