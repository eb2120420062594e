"""Spark SQL on branches: what the vectors say, and what kills each mutant."""

import pytest

from model.iceberg.errors import ValidationFailed
from model.iceberg.metadata import TableMetadata
from model.iceberg.spark_target import Target
from sim.iceberg.managing import CreateRef
from sim.iceberg.sql_branches import InsertTo
from sim.iceberg.workload import IcebergWorkload, Insert, RewriteDataFiles
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


NAMED = Target("b")
MADE = (CreateRef("b"),)
REFUSED = (
    ({"target": Target("main")}, "target: expected Target of a branch other than main"),
    ({"target": NAMED, "history": MADE, "catalog": "jdbc"}, "target: expected main, unless on catalog rest without"),
    ({"target": NAMED, "history": MADE, "cached": ("w1",)}, "target: expected main, unless on catalog rest without"),
    ({"target": NAMED}, r"history: expected CreateRef\('b'\) at last where statements name it"),
    (
        {"target": NAMED, "history": (*MADE, Insert(((3, "x"),)))},
        r"history: expected CreateRef\('b'\) at last, or none",
    ),
)


@pytest.mark.parametrize(("given", "expected"), REFUSED)
def test_a_race_on_a_branch_is_refused_where_it_is_not_followed(given, expected):
    """Over REST it is, without a cache, on a branch that is made at last."""
    with pytest.raises(ValueError, match=expected):
        IcebergWorkload((("w1", (Insert(((4, "y"),)),)),), **given)


def test_procedures_are_refused_on_a_branch():
    """They are of main."""
    with pytest.raises(ValueError, match="writers: expected statements of SQL that read or write rows, alone"):
        IcebergWorkload((("w1", (Insert(((4, "y"),)), RewriteDataFiles())),), history=MADE, target=NAMED)


def test_a_branch_that_is_named_has_to_be_there():
    """A session's need not."""
    metadata = TableMetadata(1, refs=(("c", 1),))
    with pytest.raises(ValidationFailed, match="use branch b: expected a branch of the table, it has none"):
        NAMED.require(metadata)
    Target("b", by_session=True).require(metadata)
    Target("c").require(metadata)
