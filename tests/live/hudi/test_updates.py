"""Writes that are tried again, and updates that read first, on the real Hudi 1.2.0: Spark SQL without a gate, and what
the simulator found, step by step.

An UPDATE is held by a function of its own in it, which waits until somebody else has committed.
"""

import threading
import time

import pytest

from sim.hudi.build import PREFERRING
from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
LOCKS = "org.apache.hudi.client.transaction"
SHARED = {
    **dict(PREFERRING),
    "hoodie.write.lock.provider": f"{LOCKS}.lock.InProcessLockProvider",
    "hoodie.write.lock.conflict.resolution.strategy": f"{LOCKS}.PreferWriterConflictResolutionStrategy",
    "hoodie.write.lock.client.wait_time_ms_between_retry": "50",
    "hoodie.clean.failed.writes.policy": "LAZY",
}
RETRIES = "hoodie.write.num.retries.on.conflict.failures"
UPDATE = "UPDATE {} SET v = concat(held(v), '+w1') WHERE id = 1"
MERGE = (
    "MERGE INTO {} t USING (SELECT 1 AS id, held('+w1') AS x) s ON t.id = s.id "
    "WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.x)"
)
DELETE = "DELETE FROM {} WHERE held(v) = 'a'"
LONG_S = 60


class Table:
    """A table of Spark SQL with a row, and sessions that write to it."""

    def __init__(self, spark, tmp_path, kind="cow") -> None:
        self._spark, self._path = spark[0].spark, tmp_path
        self.name = f"default.u{time.time_ns()}"
        properties = f"primaryKey='id', type='{kind}'"
        self._spark.sql(
            f"CREATE TABLE {self.name} (id int, v string) USING hudi TBLPROPERTIES ({properties}) "
            f"LOCATION '{tmp_path / 't'}'"
        )
        self.session().sql(f"INSERT INTO {self.name} VALUES (1, 'a'), (2, 'b')")

    def session(self, retries=0):
        """A session of its own, with what several writers need."""
        session = self._spark.newSession()
        for key, value in {**SHARED, RETRIES: str(retries)}.items():
            session.conf.set(key, value)
        return session

    def rows(self):
        """The rows, as a new session reads them."""
        found = self._spark.newSession().sql(f"SELECT id, v FROM {self.name} ORDER BY id").collect()
        return [(row.id, row.v) for row in found]

    def beside(self, statement, retries):
        """Make a statement that is held when it has begun, until another session has updated row 1.

        Returns: what the first one failed with, or None.
        """
        began, ended, session, errors = self._path / "began", self._path / "ended", self.session(retries), []

        def held(value):
            began.touch()
            deadline = time.monotonic() + LONG_S
            while not ended.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            return value

        def run():
            try:
                session.sql(statement.format(self.name))
            except Exception as error:
                errors.append(str(error))

        session.udf.register("held", held)
        thread = threading.Thread(target=run)
        thread.start()
        deadline = time.monotonic() + LONG_S
        while not began.exists() and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert began.exists(), errors
        self.session().sql(f"UPDATE {self.name} SET v = concat(v, '+w2') WHERE id = 1")
        ended.touch()
        thread.join(LONG_S)
        return errors[0] if errors else None


@pytest.mark.parametrize(
    ("kind", "statement", "retries", "rows"),
    [
        ("cow", UPDATE, 0, [(1, "a+w2"), (2, "b")]),
        ("cow", UPDATE, 3, [(1, "a+w1"), (2, "b")]),
        ("mor", UPDATE, 3, [(1, "a+w1"), (2, "b")]),
        ("cow", MERGE, 3, [(1, "a+w2+w1"), (2, "b")]),
        ("cow", DELETE, 3, [(2, "b")]),
    ],
    ids=["refused", "retried", "retried-log", "merged", "deleted"],
)
def test_what_is_tried_again_is_what_was_read_at_first(spark, tmp_path, kind, statement, retries, rows):
    """Without retries it is refused; with them an update is written over the other's, and a deletion deletes a row that
    is not what it asks for any more. MERGE INTO reads what it merges with."""
    table = Table(spark, tmp_path, kind)
    error = table.beside(statement, retries)
    assert ("HoodieWriteConflictException" in error) if retries == 0 else error is None, error
    assert table.rows() == rows


@pytest.mark.parametrize("again", [False, True], ids=["kept", "refreshed"])
def test_an_update_reads_what_its_session_has_kept(spark, tmp_path, again):
    """Two sessions, one after the other: the second one has read the table before, and writes over what came since,
    unless it is told to read anew."""
    table = Table(spark, tmp_path)
    first, second = table.session(), table.session()
    second.sql(f"SELECT * FROM {table.name}").collect()
    first.sql(f"UPDATE {table.name} SET v = concat(v, '+w1') WHERE id = 1")
    if again:
        second.sql(f"REFRESH TABLE {table.name}")
    second.sql(f"UPDATE {table.name} SET v = concat(v, '+w2') WHERE id = 1")
    assert table.rows() == [(1, "a+w1+w2" if again else "a+w2"), (2, "b")]


@pytest.mark.parametrize(
    "name", ["update-read-first", "update-retried", "retried-early", "update-logs-read-first", "update-logs-retried"]
)
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows agree."""
    both(hudi, *found(name))


@pytest.mark.parametrize("name", ["retried", "update-read-first", "update-retried", "update-logs-read-first"])
def test_tries_and_updates_agree_at_random(hudi, name):
    """Orders drawn at random: what a live run looks at is what the simulated one does."""
    both_at_random(hudi, name, 3)
