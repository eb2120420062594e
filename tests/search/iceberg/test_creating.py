"""Tables that are created, replaced and dropped beside one another: what the default search finds, what is refused."""

import pytest

from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.built_in.creating import CREATING, DROPPED_AGAIN, NEW, of_tables
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.scenarios import CATALOG_STEPS
from sim.iceberg.workload import Append, IcebergWorkload, Scan
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner
from tests.mutants.iceberg import BY_NAME

BY_SCENARIO = {scenario.name: scenario for scenario in CREATING}


@pytest.mark.parametrize("scenario", CREATING, ids=[scenario.name for scenario in CREATING])
def test_the_default_search_says_what_the_scenario_expects(scenario):
    """The losses are found within forty schedules."""
    found = default_plan(scenario)
    assert found.verdict == ("violated" if scenario.broken else "holds")
    assert [key.split("/")[0] for key in found.failures] == ([scenario.broken] if scenario.broken else [])
    assert not scenario.broken or found.schedules <= 40


def test_a_commit_goes_into_another_table_if_uuids_are_not_compared():
    """An append that was refused commits."""
    scenario, schedule = BY_SCENARIO["iceberg/drop-create-append"], steps_of("w1:end w2:end")

    def told():
        run = Runner(scenario, yield_points=CATALOG_STEPS).play(schedule)
        return [event.type for event in run.events if event.process == "w2"][-1]

    assert told() == "fail"
    with BY_NAME["uuid-not-compared"].alive():
        assert told() == "ok"


def test_a_drop_that_is_sent_again_under_its_key_drops_once():
    """The repair holds, and the shipped client breaks, on one schedule."""
    schedule = steps_of("w1.commit!503-after w2:end w1:end")
    broken = Runner(BY_SCENARIO["iceberg/rest-drop-resent"], yield_points=CATALOG_STEPS).play(schedule)
    mended = of_tables("mended", "", DROPPED_AGAIN, catalog="rest", rules=IDEMPOTENT)
    assert broken.failure == "acknowledged-writes-survive/lost-row"
    assert Runner(mended, yield_points=CATALOG_STEPS).play(schedule).failure is None


@pytest.mark.parametrize(
    ("writers", "history", "text"),
    [
        ({"w1": (Scan(),)}, (DropTable(),), "expected CreateTable, DropTable or Append where no table is"),
        ({"w1": (NEW,)}, (DropTable(), Append(((3, "x"),))), "expected DropTable at last"),
        ({"w1": (CreateTable(((7, "n"),)),)}, (DropTable(), DropTable()), "expected DropTable at last"),
    ],
)
def test_a_workload_without_a_table_says_what_it_cannot_have(writers, history, text):
    """One line, which names the argument."""
    with pytest.raises(ValueError, match=text):
        IcebergWorkload(tuple(writers.items()), catalog="java-api", history=history)
