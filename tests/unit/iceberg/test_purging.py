"""`DROP TABLE ... PURGE` in Spark: which table it drops, and whose files it deletes."""

import pytest

from model.iceberg.tables import Catalog
from sim.iceberg.built_in.cached import CACHED
from sim.iceberg.counterparts import live_of
from sim.iceberg.creating import DropTable, DropWithFiles, MoveAside, PurgeTable
from sim.iceberg.scenarios import CATALOG_STEPS
from sim.iceberg.workload import Append, ChangeRow, IcebergWorkload, Insert, Select
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.live import Live
from tests.mutants.iceberg import BY_NAME

SCENARIOS = {scenario.name: scenario for scenario in CACHED}
LOST, GONE = "readable/unreadable-table", None
MOVED_BEFORE = "w1:commit w2:end w1:end"
BETWEEN = "w1:commit w2:commit w2.commit w1:end w2:end"


def played(name, schedule):
    """What breaks, and what w1's last statement was told."""
    run = Runner(SCENARIOS[f"iceberg/{name}"], yield_points=CATALOG_STEPS).play(steps_of(schedule))
    return run.failure, [event.type for event in run.events if event.process == "w1"][-1]


@pytest.mark.parametrize(
    ("name", "schedule", "broken", "told"),
    [
        ("purge-cached", MOVED_BEFORE, LOST, "ok"),
        ("purge-cached", BETWEEN, GONE, "ok"),
        ("purge-cached", "w1:end w2:end", GONE, "ok"),
        ("purge-cached-compared", MOVED_BEFORE, GONE, "fail"),
        ("purge-moved", "w1:load w2:end w1:end", GONE, "ok"),
        ("purge-moved", MOVED_BEFORE, LOST, "ok"),
    ],
)
def test_whose_files_go(name, schedule, broken, told):
    """Those of the table that the session knows by the name; none, if nothing has the name by then."""
    assert played(name, schedule) == (broken, told)


@pytest.mark.parametrize(
    ("mutant", "name", "schedule"),
    [
        ("purges-without-drop", "purge-cached", BETWEEN),
        ("purge-compares-nothing", "purge-cached-compared", MOVED_BEFORE),
    ],
)
def test_a_broken_purge_takes_a_table_that_was_moved(mutant, name, schedule):
    """Its files are deleted under its new name."""
    with BY_NAME[mutant].alive():
        assert played(name, schedule)[0] == LOST


@pytest.mark.parametrize("beside", [Insert(((3, "x"),)), PurgeTable()])
def test_who_writes_beside_a_purge_is_refused(beside):
    """As a workload; so is what other catalogs have not."""
    catalog: Catalog = "rest" if isinstance(beside, Insert) else "java-api"
    with pytest.raises(ValueError, match="PurgeTable and MoveAside beside Select alone, on catalog rest"):
        IcebergWorkload((("w1", (Select(), beside)), ("w2", (MoveAside(),))), catalog=catalog)


@pytest.mark.parametrize(("second", "is_played"), [(ChangeRow(1, "y"), False), (Append(((4, "y"),)), True)])
@pytest.mark.parametrize(("catalog", "drop"), [("rest", DropWithFiles()), ("hadoop", DropTable())])
def test_who_reads_files_again_beside_a_purge_is_not_played_live(second, is_played, catalog, drop):
    """A live client knows the files of all its statements before the race, so it would not miss those that are gone.
    On a Hadoop catalog each drop is one of them."""
    writers = (("w1", (ChangeRow(1, "x"), second)), ("w2", (drop,)))
    assert isinstance(live_of(IcebergWorkload(writers, catalog=catalog)), Live) == is_played
