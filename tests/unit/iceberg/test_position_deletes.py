"""Spark's rewrites of position deletes: what the vectors say, and what kills each mutant."""

import pytest

from sim.generation.draws import seeded
from sim.iceberg.built_in.position_delete import POSITION_DELETES
from sim.iceberg.draw.position_deletes import KIND
from sim.iceberg.generate import GENERATOR
from sim.iceberg.workload import RewritePositionDeletes, describe, sql_text
from sim.search.explore import default_plan
from tests.mutants.iceberg_position_deletes import POSITION_DELETES as MUTANTS
from tests.unit.iceberg.position_delete_vectors import BY_NAME, VECTORS, run

BY_SCENARIO = {scenario.name.removeprefix("iceberg/rewrite-deletes-"): scenario for scenario in POSITION_DELETES}
BY_MUTANT = {mutant.name: mutant for mutant in MUTANTS}
KILLED = sorted({name for vector in VECTORS for name in vector["kills"]})


@pytest.mark.parametrize("name", BY_NAME)
def test_a_rewrite_makes_what_the_vector_says(name):
    """Outcomes, rows, operations, and the delete files that are left."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", KILLED)
def test_a_vector_kills_a_mutant(name):
    """It is named by the vectors that do."""
    with BY_MUTANT[name].alive():
        assert all(run(vector) != vector["expect"] for vector in VECTORS if name in vector["kills"])


@pytest.mark.parametrize(("mutant", "scenario", "failure"), [
    ("rewritten-deletes-may-be-gone", "to-vectors-delete", "readable/unreadable-table"),
    ("rewritten-deletes-may-be-gone", "copy-on-write", "table-invariants/dangling-delete"),
    ("rewritten-deletes-may-be-gone", "roll-back", "acknowledged-writes-survive/lost-row"),
    ("rewritten-at-the-lowest-number", "insert", "no-aborted-reads/thin-air-read"),
    ("rewritten-in-format-2", "to-vectors-update", "no-leaks/leak"),
])  # fmt: skip
def test_a_search_kills_a_mutant(mutant, scenario, failure):
    """By the property."""
    with BY_MUTANT[mutant].alive():
        assert failure in default_plan(BY_SCENARIO[scenario]).failures


def test_a_statement_is_said_as_spark_knows_it():
    """In the history, and in SQL."""
    assert describe(RewritePositionDeletes()) == (KIND, "")
    call = "CALL c.system.rewrite_position_delete_files(table => 'db.t', options => map('rewrite-all', 'true'))"
    assert sql_text(RewritePositionDeletes(), "c.db.t") == call


@pytest.mark.parametrize(("configuration", "drawn"), [
    ("merge-on-read", True), ("merge-on-read updates, snapshot", True), ("merge-on-read, format 3", True),
    ("JDBC catalog, merge-on-read, snapshot", True), ("default", False), ("Java API", False),
    ("Hive catalog without lock, merge-on-read, snapshot", False),
])  # fmt: skip
def test_it_is_drawn_where_there_are_position_deletes_and_procedures(configuration, drawn):
    """Rarely; of Spark SQL alone."""
    scenarios = [GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(40)]
    assert any("RewritePositionDeletes" in scenario.summary for scenario in scenarios) is drawn
