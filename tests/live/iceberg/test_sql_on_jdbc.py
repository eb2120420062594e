"""Spark SQL on the real JDBC catalog, held at its database's statements: all statements, procedures, and broken
connections."""

import pytest

from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import Expire, RollBack
from sim.iceberg.workload import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    RewriteManifests,
    Select,
    Truncate,
    Update,
)
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.scenario import FaultSpace
from tests.live.iceberg.agreement import agree, both, kinds, scenario_of

pytestmark = pytest.mark.live
STATEMENTS = (
    Insert(((3, "x"),)), Select(), Update(1, "x"), Delete(1), Merge(((1, "x"), (3, "y"))),
    Merge(((3, "y"),), "nothing"), Truncate(), Truncate("DELETE FROM"), InsertOverwrite(((1, "A"),)),
    RewriteDataFiles(), RewriteManifests(), RemoveOrphanFiles(), Expire(1), RollBack(1),
)  # fmt: skip
CONFIGURATIONS = ("JDBC catalog", "JDBC catalog, merge-on-read, snapshot")
SEEDS, FAULTY = 16, 6
UPDATED = {"w1": [Update(1, "x")]}
BREAKS = FaultSpace({"commit": ("drop-after", "drop-before"), "load": ("drop-before",)}, 1)


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("statement", STATEMENTS, ids=[type(one).__name__ for one in STATEMENTS])
def test_a_statement_asks_the_database_what_the_model_says(sql, statement, mode):
    """Its SELECTs and its UPDATE, on a table of two snapshots; then somebody reads."""
    writers = {"w1": [statement], "w2": [Select()]}
    scenario = scenario_of(writers, catalog="jdbc", mode=mode, history=(Insert(((4, "d"),)),))
    found = projection(Runner(scenario).run(FirstCome()))
    assert found is not None
    agree(sql, found)


@pytest.mark.parametrize(
    ("schedule", "told", "broken"),
    [
        ("w1:commit w1.commit!drop-after w1:end", "refused", "readable/unreadable-table"),
        ("w1:commit w1.commit!drop-before w1:end", "ok", None),
        ("w1.load!drop-before w1:end", "ok", None),
    ],
)
def test_an_update_whose_connection_breaks_is_run_again(sql, schedule, told, broken):
    """Applied, it is a lost race to itself; its clean-up breaks the table (`iceberg/jdbc-change-broken`)."""
    scenario = scenario_of(
        UPDATED, catalog="jdbc", mode="copy-on-write", isolation="serializable", faults=BREAKS, properties=("readable",)
    )
    run, live = both(sql, scenario, schedule)
    assert (kinds(live), run.failure) == ({"w1": told}, broken)


def drawn(configuration, seed, *, fails):
    """A run of the first generated race from this seed on that its gate can play. `fails`: something is struck."""
    while True:
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        if scenario.live is not None and not scenario.live.timed and bool(scenario.faults.limit) == fails:
            found = projection(Runner(scenario).run(RandomWalk(seed)))
            if found is not None and bool(found.run.injected) == fails:
                return found
        seed += 1_000


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_generated_races_agree(sql, configuration, seed):
    """Step by step, in outcomes, lineage and rows; partitions and procedures among them."""
    agree(sql, drawn(configuration, seed, fails=False))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("seed", range(FAULTY))
def test_generated_races_whose_connections_break_agree(sql, configuration, seed):
    """The pool connects anew, and runs the statement again."""
    agree(sql, drawn(configuration, seed, fails=True))
