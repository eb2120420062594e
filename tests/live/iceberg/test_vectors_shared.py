"""Deletion vectors that share a file, and tables of Spark SQL in other formats than 2, on the real Iceberg."""

from itertools import islice

import pytest

from real_backend.iceberg.conformance import conform
from sim.generation.draws import seeded
from sim.generation.focus import Focused
from sim.iceberg.focuses import FOCUSES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.workload import DeleteRow, RewriteDataFiles, Update, sql_text
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import NUMBERS, failure_of

pytestmark = pytest.mark.live
SHARED = next(one for one in FOCUSES if one.name == "vectors share a file")
COPIES = {"write.delete.mode": "copy-on-write", "write.update.mode": "copy-on-write"}
MERGES = {key: "merge-on-read" for key in COPIES}
IN_SQL = [("3", COPIES), ("3", MERGES), ("1", {})]
EACH = 3


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


def agree(live, scenario, seed):
    """Live, the same schedule ends alike, and what the checkers say of it is the same."""
    found = projection(Runner(scenario).run(RandomWalk(seed)))
    assert found is not None
    seen = live.run(scenario.live.workload, found.schedule)
    result = conform(found.run, seen)
    assert result.agrees, f"{scenario.name}: {result}"
    assert found.run.failure == NUMBERS or failure_of(seen, scenario) == found.run.failure


def test_generated_races_with_shared_vectors_agree(java):
    """In outcomes, refs, rows and files, and in what cannot be read any more."""
    for seed, scenario in islice(drawn_in_java(), 15):
        agree(java, scenario, seed)


@pytest.mark.parametrize(("version", "modes"), IN_SQL, ids=["3", "3-merge-on-read", "1"])
def test_generated_races_in_sql_agree_in_another_format(sql, version, modes):
    for seed, scenario in islice(drawn_in_sql(version, modes), EACH):
        agree(sql, scenario, seed)


def test_sparks_compaction_takes_the_vectors_of_its_files_with_it(spark, tmp_path):
    """They are in two manifests: it names them, so both are looked into."""
    session = spark[0]
    session.spark.conf.set("spark.sql.catalog.vectors", "org.apache.iceberg.spark.SparkCatalog")
    session.spark.conf.set("spark.sql.catalog.vectors.type", "hadoop")
    session.spark.conf.set("spark.sql.catalog.vectors.warehouse", str(tmp_path))
    session.sql(
        "CREATE TABLE vectors.db.t (id INT, v STRING) USING iceberg TBLPROPERTIES "
        "('format-version'='3', 'write.update.mode'='merge-on-read')"
    )
    session.sql("INSERT INTO vectors.db.t SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'b') AS x(id, v)")
    for statement in (Update(1, "x"), Update(1, "y")):
        session.sql(sql_text(statement, "vectors.db.t"))
    assert session.spark.table("vectors.db.t.delete_files").count() == 2
    session.sql(sql_text(RewriteDataFiles(), "vectors.db.t"))
    assert session.spark.table("vectors.db.t.delete_files").count() == 0
