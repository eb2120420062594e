"""Spark's own import of a table with partitions, on a catalog that applies a commit and does not say so."""

import pytest
from py4j.protocol import Py4JJavaError

pytestmark = pytest.mark.live
SCHEMA = (
    '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"},'
    '{"id":2,"name":"p","required":false,"type":"string"}]}'
)


class Silent:
    """A table's operations whose commits are made, and whose outcome is not known."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.iceberg.TableOperations",)

    def __init__(self, jvm, real) -> None:
        self._jvm, self._real = jvm, real

    def commit(self, base, metadata):
        """As the real ones do, but for what is told."""
        self._real.commit(base, metadata)
        cause = self._jvm.java.java.lang.RuntimeException("no answer")
        raise Py4JJavaError("no answer", self._jvm.iceberg.exceptions.CommitStateUnknownException(cause))

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def imported(session, name, *, silent):
    """A new table, and the error of an import into it (None: there was none). Returns: its folder, and that."""
    jvm, spark, folder = session.jvm, session.spark, f"file://{session.location(f'import-{name}')}"
    spark.sql("select cast(id as int) id, concat('p', id % 2) p from range(4)").write.partitionBy("p").parquet(
        f"{folder}/source"
    )
    schema = jvm.iceberg.SchemaParser.fromJson(SCHEMA)
    spec = jvm.iceberg.PartitionSpec.builderFor(schema).identity("p").build()
    tables = jvm.iceberg.hadoop.HadoopTables(spark._jsc.hadoopConfiguration())
    real = tables.create(schema, spec, jvm.java_map({"format-version": "2"}), f"{folder}/t").operations()
    table = jvm.iceberg.BaseTable(Silent(jvm, real) if silent else real, "t")
    java, in_java = jvm.gateway.jvm, spark._jsparkSession
    source = java.org.apache.hadoop.fs.Path(f"{folder}/source")
    found = java.org.apache.iceberg.spark.Spark3Util.getPartitions(in_java, source, "parquet", jvm.java_map({}), spec)
    try:
        java.org.apache.iceberg.spark.SparkTableUtil.importSparkPartitions(
            in_java, found, table, spec, f"{folder}/t/metadata"
        )
    except Py4JJavaError as error:
        return f"{folder}/t", str(error.java_exception.getClass().getSimpleName())
    return f"{folder}/t", None


def test_an_import_deletes_what_it_has_committed_where_the_outcome_is_not_known(spark):
    """The manifests that it has written, which the table has by then."""
    session = spark[0]
    told, error = imported(session, "told", silent=False)
    assert error is None
    assert sorted(session.spark.read.format("iceberg").load(told).collect())[0] == (0, "p0")
    untold, error = imported(session, "untold", silent=True)
    assert error == "CommitStateUnknownException"
    with pytest.raises(Exception, match=r"NotFoundException.*manifest"):
        session.spark.read.format("iceberg").load(untold).collect()
