"""What PyIceberg's own catalogs talk to: a rule of theirs that is broken is noticed, by races and by generated ones."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from pyiceberg.exceptions import CommitFailedException

from lakeproof.protocols import known_properties
from sim.generation.draws import replayed, seeded
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import RollBack
from sim.iceberg.pyiceberg import TABLE_IN, race
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.workload import Append, Statement
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import Deviations
from tests.mutants.pyiceberg_services import HIVE_SERVICE, REST_SERVICE, REST_TABLES, SQL_SERVICE
from tests.search.iceberg.own_catalogs import CALLED, MUTANTS, in_catalog, of_services
from tests.search.planted import find

BY_NAME = {one.name: one for one in (*SQL_SERVICE, *REST_SERVICE, *REST_TABLES, *HIVE_SERVICE)}
SURVIVE = "acknowledged-writes-survive"
Writers = Mapping[str, Sequence[Statement]]
TWO: Writers = {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}
BACK: Writers = {"w1": [RollBack(1)], "w2": [Append(((4, "y"),))]}
MADE: Writers = {"w1": [CreateTable(((3, "x"),))], "w2": [CreateTable(((4, "y"),))]}
ENOUGH = 60


class Kill(NamedTuple):
    """How a mutant dies: on which property, in which catalog, and in which race."""

    mutant: str
    catalog: str
    writers: Writers = TWO
    steps: tuple[str, ...] = ()
    history: tuple[Statement, ...] = ()


KILLS = (
    Kill("sql-row-count-is-one", SQL),
    Kill("sql-many-write-at-once", SQL),
    Kill("rest-requirements-ignored", REST, BACK, history=(Append(((3, "c"),)),)),
    Kill("rest-conflict-says-done", REST),
    Kill("rest-create-replaces", REST, MADE, history=(DropTable(),)),
    Kill("hms-lock-granted-anyway", HIVE, steps=("lock", "get_table", "alter_table")),
    Kill("hms-waiting-says-granted", HIVE, steps=("lock", "get_table", "alter_table")),
    Kill("hms-alter-left-out", HIVE, {"w1": TWO["w1"]}),
)


@pytest.mark.parametrize("kill", KILLS, ids=lambda one: one.mutant)
def test_a_broken_rule_loses_what_was_acknowledged(kill: Kill) -> None:
    """Which the same race keeps where the rule is whole."""
    scenario = race(
        "x", "", kill.writers, retries=1, history=kill.history, catalog=kill.catalog, steps=kill.steps,
        properties=(SURVIVE,),
    )  # fmt: skip
    with BY_NAME[kill.mutant].alive():
        found = exhaustive(scenario, limit=ENOUGH).failures
    assert {key.split("/")[0] for key in found} == {SURVIVE}
    assert exhaustive(scenario, limit=ENOUGH).failures == {}


def test_a_lock_that_nobody_gives_back_keeps_the_next_commit_out() -> None:
    """The table cannot even be made: its second commit waits in vain."""
    scenario = race("x", "", TWO, catalog=HIVE)
    with BY_NAME["hms-never-unlocks"].alive(), pytest.raises(CommitFailedException):
        Runner(race("x", "", TWO, catalog=HIVE, history=(Append(((3, "c"),)),))).run(Deviations())
    assert Runner(scenario).run(Deviations()).failure is None


def test_every_rule_has_a_row_or_a_story() -> None:
    """None is left out of the planted ones either."""
    assert {kill.mutant for kill in KILLS} | {"hms-never-unlocks"} == set(BY_NAME)
    assert [one.name for one in of_services()] == [one.name for some in MUTANTS.values() for one in some]


@pytest.mark.parametrize("kind", MUTANTS)
def test_races_in_a_catalog_are_made_again_by_their_names(kind: str) -> None:
    """Without the pin."""
    generator = in_catalog(kind)
    settings: Any = generator.configurations[CALLED[kind]]
    for seed in range(20):
        scenario = generator.make(seeded(seed), settings)
        assert dict(scenario.parameters)[TABLE_IN] == kind
        again = GENERATOR.make(replayed(scenario.name.rpartition("/")[2]))
        assert again == scenario


@pytest.mark.search
def test_a_broken_rule_is_found_without_a_scenario_of_its_own() -> None:
    """The page of planted ones says what it takes for each."""
    known_properties()
    assert find(of_services()[0], 0, 50) is not None
