"""Spark SQL on tables whose partition fields are altered: which spec its sessions write by, and what is refused."""

import pytest

from model.iceberg.partitioning import Field
from sim.iceberg.sql_statements import AlterPartitionField, Insert, sql_text
from sim.iceberg.workload import Append, IcebergWorkload
from tests.mutants.iceberg_specs import IN_SQL
from tests.mutants.iceberg_specs import SPECS as IN_JAVA
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.sql_spec_vectors import BY_NAME, VECTORS, run

MUTANTS = {mutant.name: mutant for mutant in (*IN_SQL, *IN_JAVA)}
TWO_IDS, BUCKETS = Field("truncate", 2), Field("bucket", 2)


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(name):
    """Outcomes, rows, specs, and how many files of each a manifest has."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", [mutant.name for mutant in IN_SQL])
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    assert spared(MUTANTS[name], VECTORS, run) == []


@pytest.mark.parametrize(("statement", "text"), [
    (AlterPartitionField(None, BUCKETS), "ALTER TABLE c.db.t ADD PARTITION FIELD bucket(2, id)"),
    (AlterPartitionField(TWO_IDS), "ALTER TABLE c.db.t DROP PARTITION FIELD truncate(2, id)"),
    (AlterPartitionField(TWO_IDS, BUCKETS),
     "ALTER TABLE c.db.t REPLACE PARTITION FIELD truncate(2, id) WITH bucket(2, id)"),
])  # fmt: skip
def test_an_alter_has_the_text_that_spark_is_sent(statement, text):
    """By the transforms of its fields."""
    assert sql_text(statement, "c.db.t") == text


@pytest.mark.parametrize(("statements", "given", "message"), [
    ([AlterPartitionField(BUCKETS)], {"partition_width": 2}, "expected one that drops Field(transform='truncate'"),
    ([AlterPartitionField()], {}, "expected one that changes something"),
    ([AlterPartitionField(None, Field("bucket"))], {}, "expected one that changes something"),
    ([AlterPartitionField(None, BUCKETS), AlterPartitionField(None, TWO_IDS)], {}, "expected one ADD at most"),
    ([Insert(((3, "x"),))], {"partition_transform": "bucket"}, "partition_transform: expected truncate but for SQL"),
    ([Append(((3, "x"),))], {"partition_transform": "bucket", "partition_width": 2}, "partition_transform: expected"),
])  # fmt: skip
def test_what_is_not_simulated_is_refused(statements, given, message):
    """One line that names the argument."""
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload((("w1", tuple(statements)),), **given)
    assert message in str(refused.value)
