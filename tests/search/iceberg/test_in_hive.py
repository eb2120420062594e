"""Tables of the Hive catalog that are made, dropped and renamed: what a workload of them cannot have, what repairs."""

import pytest

from model.iceberg.rules import RENAME_COMPARES
from sim.iceberg.built_in.in_hive import UNLOCKED, on_hive
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.creating import CreateTable, RenameTable
from sim.iceberg.in_hive import STEPS, in_hive
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import steps_of
from sim.search.run import Runner


@pytest.mark.parametrize(
    ("catalog", "statements", "text"),
    [
        ("hadoop", (RenameTable(),), "catalog: expected another one than hadoop for tables that are renamed"),
        ("hive-lock", (RenameTable(), CreateTable(((7, "n"),))), "expected RenameTable once, and nothing else"),
        ("hive-lock", (RenameTable(), RenameTable()), "expected RenameTable once, and nothing else"),
    ],
)
def test_a_workload_says_which_renames_it_cannot_have(catalog, statements, text):
    """One line, which names the argument."""
    with pytest.raises(ValueError, match=text):
        IcebergWorkload((("w1", statements), ("w2", (ADDED,))), catalog=catalog)


def test_a_rename_that_compares_is_refused_where_the_shipped_one_loses_a_commit():
    """On one schedule, without the lock."""
    writers, schedule = {"w1": [RenameTable()], "w2": [ADDED]}, steps_of("w1:rename_table w2:end w1:end")

    def played(**rules):
        return Runner(on_hive("renamed", "", writers, catalog=UNLOCKED, **rules), yield_points=STEPS).play(schedule)

    def told(run):
        return [event.type for event in run.events if event.process == "w1"][-1]

    shipped, mended = played(), played(rules=RENAME_COMPARES)
    assert (shipped.failure, told(shipped)) == ("acknowledged-writes-survive/lost-row", "ok")
    assert (mended.failure, told(mended)) == (None, "fail")


def test_only_what_is_shipped_is_played_live():
    """Repairs are in no release."""
    scenario = on_hive("renamed", "", {"w1": [RenameTable()], "w2": [ADDED]}, rules=RENAME_COMPARES)
    assert scenario.live is None
    assert in_hive(scenario).not_live
