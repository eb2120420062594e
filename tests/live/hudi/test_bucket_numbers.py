"""Two sessions that are given different numbers of buckets, one after the other, on the real Hudi 1.2.0: nothing keeps
the table's own number, and nobody is refused."""

import time

import pytest

from tests.live.hudi.test_updates import SHARED

pytestmark = pytest.mark.live
UPSERTED = (
    "MERGE INTO {} t USING (SELECT * FROM VALUES (1,'A'),(2,'B'),(3,'C'),(4,'D') AS x(id, v)) s ON t.id = s.id "
    "WHEN MATCHED THEN UPDATE SET *"
)


@pytest.mark.parametrize(
    ("kind", "other", "rows"),
    [
        ("cow", "4", [(1, "A"), (2, "B"), (3, "c"), (4, "d")]),
        ("mor", "4", [(1, "A"), (2, "B"), (3, "c"), (4, "d")]),
        ("mor", "1", [(1, "A"), (2, "B"), (2, "b"), (3, "C"), (4, "D"), (4, "d")]),
    ],
    ids=["more", "more logs", "fewer logs"],
)
def test_rows_are_not_found_or_are_there_twice(spark, tmp_path, kind, other, rows):
    """Four rows in two buckets, and all of them changed by who has another number: acknowledged changes are lost, and
    where log files are appended there are two of some rows."""
    session, name = spark[0].spark, f"default.b{time.time_ns()}"
    session.sql(
        f"CREATE TABLE {name} (id int, v string) USING hudi TBLPROPERTIES (primaryKey='id', type='{kind}') "
        f"LOCATION '{tmp_path / 't'}'"
    )
    for number, statement in (("2", "INSERT INTO {} VALUES (1,'a'),(2,'b'),(3,'c'),(4,'d')"), (other, UPSERTED)):
        one = session.newSession()
        for key, value in {
            **SHARED,
            "hoodie.index.type": "BUCKET",
            "hoodie.bucket.index.num.buckets": number,
        }.items():
            one.conf.set(key, value)
        one.sql(statement.format(name))
    found = session.newSession().sql(f"SELECT id, v FROM {name} ORDER BY id, v").collect()
    assert [(row.id, row.v) for row in found] == rows
