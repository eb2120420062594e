"""Deletion vectors that share a file, and tables of Spark SQL in other formats than 2, on the real Iceberg."""

from itertools import islice

import pytest

from sim.generation.draws import seeded
from sim.generation.focus import Focused
from sim.iceberg.focuses import FOCUSES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.workload import Append, Compact, DeleteRow, RewriteDataFiles, Update, sql_text
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import agree, both, scenario_of

pytestmark = pytest.mark.live
SHARED = next(one for one in FOCUSES if one.name == "vectors share a file")
COPIES = {"write.delete.mode": "copy-on-write", "write.update.mode": "copy-on-write"}
MERGES = dict.fromkeys(COPIES, "merge-on-read")
IN_SQL = [("3", COPIES), ("3", MERGES), ("1", {})]
EACH = 3
THREE = (("format-version", "3"),)


@pytest.mark.parametrize("schedule", ["w1:end w2:end", "w1:commit w2:end w1:end", "w2:end w1:end"])
def test_vectors_of_two_tasks_are_merged(java, schedule):
    """What they delete of one data file, or their commit is refused."""
    writers = {"w1": [DeleteRow(3, also=(4,), apart=True)], "w2": [Compact()]}
    history = (Append(((3, "c"), (4, "d"))),)
    both(java, scenario_of(writers, catalog="java-api", history=history, table_properties=THREE), schedule)


def drawn_in_java():
    """Races of the Java API in format 3 that nothing befalls, with deletes of several rows."""
    for seed in range(10_000):
        scenario = GENERATOR.make(Focused(seed, SHARED), GENERATOR.configurations["Java API, format 3"])
        assert scenario.live is not None
        done = [one for _, todo in scenario.live.workload.writers for one in todo] + [*scenario.live.workload.history]
        if not scenario.faults.limit and any(isinstance(one, DeleteRow) and one.also for one in done):
            yield seed, scenario


def drawn_in_sql(version, modes):
    """Races of Spark SQL that nothing befalls."""
    for seed in range(10_000):
        pinned = {"client": "spark-sql", "type": "rest", "format-version": version, **modes}
        scenario = GENERATOR.make(seeded(seed), pinned)
        if not scenario.faults.limit:
            yield seed, scenario


def playable(drawn):
    """A run of each that the gates can play."""
    for seed, scenario in drawn:
        found = projection(Runner(scenario).run(RandomWalk(seed)))
        if found is not None:
            yield found


def test_generated_races_with_shared_vectors_agree(java):
    """In outcomes, refs, rows and files, and in what cannot be read any more."""
    for found in islice(playable(drawn_in_java()), 15):
        agree(java, found)


@pytest.mark.parametrize(("version", "modes"), IN_SQL, ids=["3", "3-merge-on-read", "1"])
def test_generated_races_in_sql_agree_in_another_format(sql, version, modes):
    for found in islice(playable(drawn_in_sql(version, modes)), EACH):
        agree(sql, found)


def made(session, folder, command):
    """A table of format 3 in a catalog of its own, with two rows in one file; `command` is merge-on-read."""
    catalog = f"spark.sql.catalog.vectors_{command}"
    session.spark.conf.set(catalog, "org.apache.iceberg.spark.SparkCatalog")
    session.spark.conf.set(f"{catalog}.type", "hadoop")
    session.spark.conf.set(f"{catalog}.warehouse", str(folder))
    table = f"vectors_{command}.db.t"
    properties = f"'format-version'='3', 'write.{command}.mode'='merge-on-read'"
    session.sql(f"CREATE TABLE {table} (id INT, v STRING) USING iceberg TBLPROPERTIES ({properties})")
    session.sql(f"INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b') AS x(id, v)")
    return table


def test_an_expiry_deletes_the_file_of_a_vector_that_spark_needs(spark, tmp_path):
    """Everything by Spark SQL but the expiry, which is Java's as it is: no gate, no race."""
    session = spark[0]
    table = made(session, tmp_path, "delete")
    insert = "INSERT INTO {} SELECT /*+ COALESCE(1) */ * FROM VALUES (3, 'c'), (4, 'd') AS x(id, v)"
    for statement in (insert, "DELETE FROM {} WHERE id IN (1, 3)", "DELETE FROM {} WHERE id = 2"):
        session.sql(statement.format(table))
    session.sql(f"INSERT INTO {table} VALUES (5, 'x')")
    assert sorted(row.id for row in session.spark.table(table).collect()) == [4, 5]
    java = session.spark._jvm
    loaded = java.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(session.spark._jsparkSession, table)
    loaded.expireSnapshots().expireOlderThan(java.System.currentTimeMillis()).retainLast(1).commit()
    session.sql(f"REFRESH TABLE {table}")
    with pytest.raises(Exception, match=r"NotFoundException.*deletes\.puffin"):
        session.spark.table(table).collect()


def test_sparks_compaction_takes_the_vectors_of_its_files_with_it(spark, tmp_path):
    """They are in two manifests: it names them, so both are looked into."""
    session = spark[0]
    table = made(session, tmp_path, "update")
    for statement in (Update(1, "x"), Update(1, "y")):
        session.sql(sql_text(statement, table))
    assert session.spark.table(f"{table}.delete_files").count() == 2
    session.sql(sql_text(RewriteDataFiles(), table))
    assert session.spark.table(f"{table}.delete_files").count() == 0
