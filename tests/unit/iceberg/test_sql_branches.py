"""Spark SQL's INSERT into a branch: what the vectors say, and what kills each mutant."""

import pytest

from sim.iceberg.sql_branches import InsertTo
from sim.iceberg.workload import IcebergWorkload
from tests.mutants.iceberg_sql_branches import SQL_BRANCHES
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.sql_branch_vectors import BY_NAME, VECTORS, run

MUTANTS = {mutant.name: mutant for mutant in SQL_BRANCHES}
X = InsertTo("b", ((3, "x"),))


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(name):
    """Outcomes, the rows of main, and those of the branch."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    assert spared(MUTANTS[name], VECTORS, run) == []


def test_the_branch_is_named_in_the_tables_identifier():
    """As Spark finds it."""
    assert X.text("c.db.t") == "INSERT INTO c.db.t.branch_b VALUES (3, 'x')"


def test_it_stands_beside_other_statements_of_sql():
    """Alone it would be taken for a race of the Java API."""
    with pytest.raises(ValueError, match="writers: expected another statement of SQL beside InsertTo and InsertStaged"):
        IcebergWorkload((("w1", (X,)),))
