"""Queries of Spark on the real Hudi 1.2.0 that are made before a clean and run after it: no gate, and no error.

The table is as by default, a metadata table among it. A query loads the timeline when it is made; it lists files when
it is run.
"""

import pytest
from pyspark.errors import PySparkException

from tests.live.hudi.test_slow_input import COMMITS, Table

pytestmark = pytest.mark.live
QUERY, SINCE = "hoodie.datasource.query.type", "hoodie.datasource.read.begin.instanttime"
UNTIL = "hoodie.datasource.read.end.instanttime"


def times(folder):
    """When the newest commit was requested, and completed."""
    names = [each.name.partition(".")[0].split("_") for each in (folder / "table/.hoodie/timeline").glob("*.commit")]
    return max(names, key=lambda each: each[1])


def rows(frame):
    """What a query finds."""
    return sorted((row.id, row.v) for row in frame.select("id", "v").collect())


@pytest.mark.parametrize(
    ("kind", "whole"),
    [("snapshot", [("1", "a"), ("2", "B")]), ("time travel", [("1", "a"), ("2", "b")]), ("incremental", [("2", "B")])],
    ids=["snapshot", "time travel", "incremental"],
)
def test_query_that_is_made_before_a_clean(spark, tmp_path, kind, whole):
    """Run at once it finds its rows; run when their file is cleaned it finds nothing. What is made anew is refused, or
    finds what is there."""
    table = Table(spark[0].spark, tmp_path, COMMITS)
    table.write([("1", "p1", "a"), ("2", "p1", "b")], 0, mode="overwrite", cleans=False)
    requested, since = times(tmp_path)
    table.write([("2", "p1", "B")], 1, cleans=False)
    _, until = times(tmp_path)
    options = {
        "snapshot": {},
        "time travel": {"as.of.instant": requested},
        "incremental": {QUERY: "incremental", SINCE: since, UNTIL: until},
    }[kind]

    def made():
        return spark[0].spark.read.format("hudi").options(**options).load(str(tmp_path / "table"))

    assert rows(made()) == whole
    kept = made()
    for order, value in enumerate("CD", 2):
        table.write([("1", "p1", value)], order, cleans=False)
    table.write([("1", "p1", "E")], 4)
    assert len(list((tmp_path / "table/.hoodie/timeline").glob("*.clean"))) == 1
    assert rows(kept) == []
    if kind == "time travel":
        with pytest.raises(PySparkException, match="Cleaner cleaned up the timestamp of interest"):
            rows(made())
    elif kind == "snapshot":
        assert rows(made()) == [("1", "E"), ("2", "B")]


def test_who_reads_on_from_there_is_never_told(spark, tmp_path):
    """The row that was only carried along bears the time of a commit up to which he has come."""
    table = Table(spark[0].spark, tmp_path, COMMITS)
    table.write([("1", "p1", "a"), ("2", "p1", "b")], 0, mode="overwrite", cleans=False)
    _, since = times(tmp_path)
    table.write([("2", "p1", "B")], 1, cleans=False)
    _, until = times(tmp_path)

    def made(*, begin, **end):
        frame = spark[0].spark.read.format("hudi").options(**{QUERY: "incremental", SINCE: begin, **end})
        return frame.load(str(tmp_path / "table"))

    kept = made(begin=since, **{UNTIL: until})
    for order, value in enumerate("CD", 2):
        table.write([("1", "p1", value)], order, cleans=False)
    table.write([("1", "p1", "E")], 4)
    assert rows(kept) == []
    assert rows(made(begin=until)) == [("1", "E")]
    assert table.rows() == [("1", "E"), ("2", "B")]
