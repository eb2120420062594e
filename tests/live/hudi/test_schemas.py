"""Writers that add columns, on the real Hudi 1.2.0: what the simulator found, and what becomes of rows."""

import threading
import time

import pytest

from model.hudi.config import HudiConfig
from model.hudi.keys import COMPACT_AFTER, LOCK_PROVIDER, MERGE_ON_READ, SCHEMA_CONFLICTS
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import FIXED, LOCKS, version_options
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC
from tests.live.hudi.agreement import both, both_at_random, found
from tests.live.hudi.held_input import ASKED, held_until

pytestmark = pytest.mark.live
SHARED = {**FIXED, **dict(OPTIMISTIC), LOCK_PROVIDER: f"{LOCKS}.InProcessLockProvider", COMPACT_AFTER: "1"}


@pytest.mark.parametrize(
    "name",
    [
        "schema-older-instant", "schema-unchecked", "schema-clustering", "schema-logs-older-instant",
        "schema-compaction", "schema-metadata",
    ],
)  # fmt: skip
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows agree, and the column is not among Spark's."""
    assert both(hudi, *found(name)).gone


@pytest.mark.parametrize("name", ["schema-checked", "schema-same", "schema-older-instant", "schema-logs-checked"])
def test_columns_agree_at_random(hudi, name):
    """Orders drawn at random: who is refused for a column, and which are there."""
    both_at_random(hudi, name, 3)


class Clients:
    """A table with a row in each of two partitions, and its clients."""

    def __init__(self, spark, tmp_path, config=None) -> None:
        self._session = spark[0]
        self.table = LiveTable(spark[0], tmp_path / "t", config)
        self.action = (config or HudiConfig()).commit_action
        self._options = {**SHARED, **(version_options(config.table_version) if config else {})}
        self.table.create()
        self.write((("1", "p", "a"), ("2", "p", "b"), ("3", "q", "c")), 0)

    def client(self, *columns):
        """A client with these columns beside the first ones."""
        return SplitClient(self._session, str(self.table.path), self._options, columns)

    def write(self, records, ordering, *columns):
        """Write and commit at once. Returns: what it failed with, or "ok"."""
        client = self.client(*columns)
        client.start(self.action)
        try:
            client.upsert(records, ordering)
            client.commit()
        except Exception as error:
            return root_cause(error).partition(":")[0]
        finally:
            client.close()
        return "ok"

    def compact(self):
        """Plan to compact all that has log files, and do so."""
        client = self.client()
        instant = client.schedule_compaction()
        client.compact(instant)
        client.commit_compaction()
        client.close()

    def found(self, column):
        """The values of a column by id; None if Spark finds no such column."""
        read = self._session.spark.read.format("hudi").load(str(self.table.path))
        return {row.id: row[column] for row in read.collect()} if column in read.columns else None

    def lose(self):
        """Add a column by an older instant, which is committed after a newer one."""
        older, newer = self.client("b"), self.client()
        older.start(self.action)
        newer.start(self.action)
        older.upsert((("1", "p", "A"), ("2", "p", "B")), 1)
        newer.upsert((("3", "q", "C"),), 2)
        newer.commit()
        older.commit()
        older.close()
        newer.close()


def test_a_column_that_is_not_there_goes_out_of_rows_that_nobody_has_touched(spark, tmp_path):
    """Who does not know of it is not refused, as where it is there, and writes its file group without: the next commit
    tells of the column, and its values are gone."""
    clients = Clients(spark, tmp_path)
    clients.lose()
    assert clients.found("b") is None
    assert clients.write((("1", "p", "D"),), 3) == "ok"
    assert clients.found("b") == {"1": None, "2": None, "3": None}
    assert clients.write((("1", "p", "E"),), 4) == "MissingSchemaFieldException"


def test_values_of_log_files_come_back_with_their_column(spark, tmp_path):
    """On a merge-on-read table nobody writes a file group anew but who compacts it."""
    clients = Clients(spark, tmp_path, HudiConfig(table_type=MERGE_ON_READ))
    clients.lose()
    assert clients.found("b") is None
    assert clients.write((("3", "q", "D"),), 3) == "ok"
    assert clients.found("b") == {"1": "A", "2": "B", "3": None}


def test_a_compaction_takes_a_column_that_is_not_there_out_of_all_rows(spark, tmp_path):
    """It writes the columns that the table has, and says them; the next commit tells of the column no more, and when
    another one has brought it back, its values are gone."""
    clients = Clients(spark, tmp_path, HudiConfig(table_type=MERGE_ON_READ))
    clients.lose()
    clients.compact()
    assert clients.write((("3", "q", "D"),), 3) == "ok"
    assert clients.found("b") is None
    assert clients.write((("3", "q", "E"),), 4, "b") == "ok"
    assert clients.found("b") == {"1": None, "2": None, "3": "E"}


def test_a_table_of_version_6_loses_it_as_well(spark, tmp_path):
    """What the model leaves out there: by which times columns are compared."""
    clients = Clients(spark, tmp_path, HudiConfig(table_version=6))
    clients.lose()
    assert clients.found("b") is None


def test_who_adds_another_column_to_what_is_there_is_refused_though_nobody_is_beside_him(spark, tmp_path):
    """The start is as of the completion of the newest instant, and the column has come after that."""
    clients = Clients(spark, tmp_path)
    clients.lose()
    assert clients.write((("1", "p", "D"),), 3, "b", "c") == "HoodieSchemaEvolutionConflictException"
    assert clients.write((("1", "p", "D"),), 3, "b") == "ok"
    assert clients.write((("1", "p", "E"),), 4, "b", "c") == "ok"
    assert clients.found("c") == {"1": "E", "2": None, "3": None}


@pytest.mark.parametrize(
    ("columns", "second"), [((), "ok"), (("b",), "HoodieSchemaEvolutionConflictException")], ids=["alike", "unlike"]
)
def test_the_second_of_two_first_commits_is_refused_for_other_columns(spark, tmp_path, columns, second):
    """On a table that nobody has committed to: what is there by then, be it without the second one's
    column, is taken for what somebody else has changed."""
    table = LiveTable(spark[0], tmp_path / "t")
    table.create()
    one, other = [SplitClient(spark[0], str(table.path), SHARED, each) for each in ((), columns)]
    for client in (one, other):
        client.start()
    one.upsert((("1", "p", "A"),), 0)
    other.upsert((("2", "q", "B"),), 1)
    one.commit()
    try:
        other.commit()
        told = "ok"
    except Exception as error:
        told = root_cause(error).partition(":")[0]
    assert told == second
    assert len(table.rows()[0] or ()) == 1 + (second == "ok")
    one.close()
    other.close()


OPTIONS = {
    "hoodie.table.name": "frames",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.partitionpath.field": "p",
    "hoodie.datasource.write.operation": "upsert",
    "hoodie.write.concurrency.mode": "OPTIMISTIC_CONCURRENCY_CONTROL",
    LOCK_PROVIDER: f"{LOCKS}.InProcessLockProvider",
    "hoodie.write.lock.client.wait_time_ms_between_retry": "50",
    "hoodie.clean.failed.writes.policy": "LAZY",
}
LONG_S = 120


@pytest.mark.parametrize(("checked", "there"), [("true", False), ("false", False)], ids=["default", "unchecked"])
def test_a_data_frame_that_adds_a_column_loses_it_to_one_that_is_written_meanwhile(spark, tmp_path, checked, there):
    """Hudi's defaults otherwise, metadata table and timeline server among them: the write that adds it has begun,
    and its input is held until another one, of another partition, has been committed."""
    session, path = spark[0].spark, str(tmp_path / "t")
    gate, errors = tmp_path / "gate", []

    def write(frame):
        frame.write.format("hudi").options(**OPTIONS, **{SCHEMA_CONFLICTS: checked}).mode("append").save(path)

    def add():
        try:
            write(session.createDataFrame([("1", "p", "A", "A")], "id string, p string, v string, b string")
                  .withColumn("v", held_until(str(gate))("v")))  # fmt: skip
        except Exception as error:
            errors.append(root_cause(error))

    write(session.createDataFrame([("1", "p", "a"), ("2", "q", "b")], "id string, p string, v string"))
    thread = threading.Thread(target=add)
    thread.start()
    deadline = time.monotonic() + LONG_S
    while not (tmp_path / f"{gate.name}{ASKED}").exists():
        assert errors == []
        assert time.monotonic() < deadline, "the writer never asked for its input"
        time.sleep(0.05)
    write(session.createDataFrame([("2", "q", "B")], "id string, p string, v string"))
    gate.touch()
    thread.join(LONG_S)
    found = session.read.format("hudi").load(path)
    assert errors == []
    assert ({row.id: row.v for row in found.collect()}, "b" in found.columns) == ({"1": "A", "2": "B"}, there)
