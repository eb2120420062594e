"""Cleaning, savepoints and restores on the real Hudi 1.2.0, without a gate: the cases that the model plays."""

import pytest

from model.hudi.names import COMMIT, REPLACE_COMMIT
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.error_names import error_of
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from tests.live.hudi.hours import hours_behind
from tests.unit.hudi.cleaning_vectors import (
    ARCHIVED,
    ARCHIVED_SAVED,
    CASES,
    LEFT,
    PLACES,
    REFUSED,
    RESTORED,
    ROWS,
    SAVEPOINTS,
    UNENDED,
    named,
    told,
)

pytestmark = pytest.mark.live


class Table:
    """A table with a row in each of two partitions; every call is a client's of its own."""

    def __init__(self, session, path, case) -> None:
        self._session = session
        self._path = path
        self._options = write_options(parse_options(dict(case.options)), path, gated=False)
        self._left: list[SplitClient] = []
        self._instants: list[str] = []
        self._refused = False
        self._ended = True
        self._archiver = None
        self._table = LiveTable(session, path)
        self._table.create()
        self._write("u0", (("1", "p1", "a"), ("2", "p2", "b")))

    def play(self, calls, hours=None):
        """Make the calls; returns what is left. Args: `hours`: that pass where one is to."""
        for number, call in enumerate(calls.split(), 1):
            if call in ("clean", "plan"):
                client = self._client()
                self._clean(client) if call == "clean" else client.schedule_cleaning()
                client.close()
            elif call == "hour":
                hours.passes()
            elif call == "archive":
                client = self._client()
                self._archiver() if self._archiver else client.archive()
                client.close()
            elif call == "look":
                client = self._client()
                self._left.append(client)
                self._archiver = client.open_to_archive()
            elif call == "restore":
                self._restore()
            elif "save" in call:
                self._save(call)
            else:
                row = ROWS.get(call)
                self._write(call, ((row, PLACES[row], f"v{number}"),) if row else ())
        left = told({place: self._files(self._path / place) for place in ("p1", "p2")}, self._instants)
        return left if self._ended else left + UNENDED

    def saved(self):
        """What savepoints name."""
        return REFUSED if self._refused else named(self._table.saved(), self._instants)

    def active(self):
        """The completed writes of the active timeline."""
        instants = [int(instant) for instant in self._instants]
        return ",".join(str(instants.index(each.requested)) for each in self._table.timeline().completed)

    def left(self):
        """The completed writes on the timeline, and whether anything was refused."""
        return self.active() + (f" {REFUSED}" if self._refused else "")

    def restored(self, write):
        """The rows when the table has been restored to the savepoint of a write."""
        client = self._client()
        client.restore(self._instants[write])
        client.close()
        return self._table.rows()

    def rows(self):
        """The rows as Spark reads them."""
        return self._table.rows()

    def _restore(self):
        client, saved = self._client(), self._table.timeline().savepoints
        try:
            client.restore(str(saved[-1].requested) if saved else None)
        except Exception as error:
            if not error_of(root_cause(error)).startswith("SavepointRefused"):
                raise
            self._refused = True
        client.close()

    def _clean(self, client):
        try:
            client.clean()
        except Exception as error:
            if not error_of(root_cause(error)).startswith("CleanUnended"):
                raise
            self._ended = False

    def _save(self, call):
        client = self._client()
        try:
            client.delete_savepoint() if call == "unsave" else client.savepoint(self._instants[-1 - int(call[4:])])
        except Exception as error:
            if not error_of(root_cause(error)).startswith("SavepointRefused"):
                raise
            self._refused = True
        client.close()

    def _client(self):
        return SplitClient(self._session, str(self._path), self._options)

    def _files(self, folder):
        return [each.name for each in folder.glob("*.parquet")] if folder.is_dir() else None

    def _write(self, call, records):
        client, order = self._client(), len(self._instants) + 1
        self._instants.append(client.start(REPLACE_COMMIT if call in ("d1", "o1") else COMMIT))
        if call in LEFT:
            self._left.append(client)
        if call == "s1":
            return
        if call == "d1":
            client.delete_partition("p1")
        elif call == "o1":
            client.overwrite(records, order, whole_table=False)
        else:
            (client.upsert if call.startswith("u") else client.insert)(records, order)
        if call not in LEFT:
            client.commit()
            client.close()

    def close(self):
        """Stop the timers of the clients that were left."""
        for client in self._left:
            client.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_cleaning_leaves(spark, tmp_path, case):
    """The files of each partition, by the writes that made them."""
    with hours_behind(spark[0], case.calls.count("hour")) as hours:
        table = Table(spark[0], tmp_path / "table", case)
        try:
            assert table.play(case.calls, hours) == case.left
        finally:
            table.close()


@pytest.mark.parametrize("case", SAVEPOINTS, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_savepoints_keep(spark, tmp_path, case):
    """The files of each partition, and those that savepoints name."""
    table = Table(spark[0], tmp_path / "table", case)
    try:
        assert (table.play(case.calls), table.saved()) == (case.left, case.saved)
    finally:
        table.close()


@pytest.mark.parametrize("case", RESTORED, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_restores_leave(spark, tmp_path, case):
    """The files of each partition, and the completed writes on the timeline."""
    table = Table(spark[0], tmp_path / "table", case)
    try:
        assert (table.play(case.calls), table.left()) == (case.left, case.saved)
    finally:
        table.close()


@pytest.mark.parametrize(
    ("calls", "rows"),
    [("save0 d1 u2", (("1", "a"), ("2", "b"))), ("save0 d1 u2 clean", (("2", "b"),))],
    ids=["before", "cleaned"],
)
def test_a_restore_misses_the_partition_that_was_deleted(spark, tmp_path, calls, rows):
    """Once a clean has come by; nothing tells so."""
    table = Table(spark[0], tmp_path / "table", SAVEPOINTS[0])
    table.play(calls)
    assert table.restored(0) == (rows, None)


def test_a_restore_to_a_commit_that_was_archived_fails(spark, tmp_path):
    """It takes back what came after the savepoint was completed, and leaves what was before that."""
    table = Table(spark[0], tmp_path / "table", ARCHIVED_SAVED)
    try:
        table.play(ARCHIVED_SAVED.calls)
        with pytest.raises(Exception, match="is not the last commit after restoring to savepoint"):
            table.restored(1)
        assert table.active() == "2,3"
    finally:
        table.close()


def test_an_upsert_of_a_table_that_was_archived_as_a_whole_adds_its_row_once_more(spark, tmp_path):
    """Nobody reads a row before that, and then all that there were are read again."""
    table = Table(spark[0], tmp_path / "table", ARCHIVED_SAVED)
    try:
        table.play("u1 u1 u2 look save3 restore archive")
        assert table.rows() == ((), None)
        table.play("u1")
        assert table.rows() == ((("1", "a"), ("1", "v1"), ("2", "b")), None)
    finally:
        table.close()


@pytest.mark.parametrize("case", ARCHIVED, ids=lambda case: f"{case.retained}: {case.calls}")
def test_what_archiving_leaves(spark, tmp_path, case):
    """The completed writes of the active timeline."""
    table = Table(spark[0], tmp_path / "table", case)
    try:
        table.play(case.calls)
        assert table.active() == case.left
    finally:
        table.close()
