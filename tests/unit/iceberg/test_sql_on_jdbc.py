"""Spark SQL on the JDBC catalog: what it asks the database, and what is drawn for it; live in tests/live."""

import pytest

from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import Procedures, RollBack
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Insert, RewriteManifests, Select
from sim.search.run import Runner
from sim.search.strategies import FirstCome

MORE, CALLS = Insert(((4, "d"),)), ("load", "commit")


@pytest.mark.parametrize(
    ("catalog", "asked"),
    [("rest", "load load load commit load load"), ("jdbc", "load load load load commit load load load")],
)
def test_a_procedure_looks_at_the_table_at_last_where_its_commit_outdates_what_it_knows(catalog, asked):
    """A commit on JDBC looks before, and Spark's cache asks for the columns behind; then somebody reads."""
    scenario = race("called", "", {"w1": [RollBack(1), Select()]}, catalog=catalog, history=(MORE,))
    run = Runner(scenario, yield_points=CALLS).run(FirstCome())
    assert " ".join(operation for _, actor, operation, *_ in run.trace if actor == "w1" and operation in CALLS) == asked


@pytest.mark.parametrize("configuration", ["default", "JDBC catalog"])
def test_procedures_are_drawn_where_something_fails(configuration):
    """And without faults, too."""
    made = [GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(200)]
    called = [one for one in made if any(isinstance(each, Procedures | RewriteManifests) for each in sent(one))]
    assert {bool(one.faults.limit) for one in called} == {False, True}


def sent(scenario):
    return [one for _, todo in scenario.program.workload.writers for one in todo]
