"""Transactions whose opens take long, on a live metastore 4.0.1: whose snapshot lacks whom, and what they then read.

The database stands still where a test says, as a slow or a busy one does: triggers wait for locks that the test has, at
the insert into `TXNS`, before it, or, deferred, at the commit. The metastore is the unmodified one.
"""

import threading
import time
from contextlib import contextmanager

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import Connection
from real_backend.hive.lock_calls import LiveLocks
from real_backend.hive.names import txn_list, write_id_list

pytestmark = pytest.mark.live
LONGEST_S = 60.0
SLOW, FIRST = 7, 8
"""The locks of who has the user name `slow`, and of who comes first, before he gets his id."""
AT_INSERT, AT_COMMIT = "not deferrable", "deferrable initially deferred"
STANDS_STILL = """
create function slow_stands() returns trigger language plpgsql as $$ begin
  if new."TXN_USER" = 'slow' then perform pg_advisory_xact_lock(7); end if;
  return null;
end $$;
create constraint trigger slow_stands after insert on "TXNS" {when} for each row execute function slow_stands();
create function first_stands() returns trigger language plpgsql as $$ begin
  if pg_try_advisory_xact_lock(9) then perform pg_advisory_xact_lock(8); end if;
  return null;
end $$;
create trigger first_stands before insert on "TXNS" for each statement execute function first_stands();
"""
GOES_ON = "drop function slow_stands() cascade; drop function first_stands() cascade"
WAITS = """select count(*) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and objid = {lock} and not granted and clock_timestamp() - xact_start > '{age} s'"""


class Opens:
    """Who opens transactions at a metastore, and where the database lets him stand still."""

    def __init__(self, replicas, gate) -> None:
        self.port = replicas.metastores["h1"].port
        self.locks = LiveLocks(self.port)
        self.connection = Connection(self.port)
        self._gate = gate

    @contextmanager
    def standing(self, lock, *, read_only=False, age=0):
        """Somebody opens a transaction and stands still, for this long; what is yielded lets him go on, and has his
        id."""
        found = []
        self._gate.execute(f"select pg_advisory_lock({lock})".encode())
        thread = threading.Thread(target=lambda: found.append(self._open(lock, read_only=read_only)))
        thread.start()

        def goes_on():
            self._gate.execute(f"select pg_advisory_unlock({lock})".encode())
            thread.join(LONGEST_S)
            return found[0]

        try:
            until(lambda: self._gate.execute(WAITS.format(lock=lock, age=age).encode()).fetchone() == (1,))
            yield goes_on
        finally:
            self._gate.execute(f"select pg_advisory_unlock({lock})".encode())

    def _open(self, lock, *, read_only):
        kind = wire.TxnType.READ_ONLY if read_only else wire.TxnType.DEFAULT
        user = "slow" if lock == SLOW else "lakeproof"
        with Connection(self.port) as calls:
            return calls.open_txns(wire.OpenTxnRequest(1, user, "localhost", txn_type=kind)).txn_ids[0]

    def seen_by(self, own):
        """What a transaction sees."""
        return txn_list(own, self.connection.calls.get_open_txns())

    def writes_of(self, snapshot, table):
        """The list of a table for a snapshot: its end, and its exceptions."""
        request = wire.GetValidWriteIdsRequest(fullTableNames=[table], validTxnList=str(snapshot))
        told = write_id_list(table, self.connection.calls.get_valid_write_ids(request).tblValidWriteIds[0])
        return told.high, told.invalid


@pytest.fixture
def opens(metastores, request):
    """The database stands still where the test's parameter says."""
    replicas = metastores.replicas(cached=False, names=("h1",))
    with metastores.postgres.connect(replicas.backing.name) as gate:
        gate.execute(STANDS_STILL.format(when=request.param).encode())
        found = Opens(replicas, gate)
        yield found
        found.connection.close()
        found.locks.close()
        gate.execute(GOES_ON)


def until(happens):
    """Wait for it."""
    deadline = time.monotonic() + LONGEST_S
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("opens", [AT_COMMIT], ids=["at the commit"], indirect=True)
def test_who_stands_still_at_the_commit_of_an_open_is_read_before_it_has_committed(opens):
    """The open has looked at the clock by then. The snapshot of a reader, a second later, calls its id committed: the
    scenario `hive/slow-open-as-shipped`. The reader's list has what is written then, and does when it is aborted."""
    with opens.standing(SLOW) as goes_on:
        reader = opens.locks.open_txn(read_only=True)
        missing = reader - 1
        assert missing in opens.seen_by(reader).open
        until(lambda: missing not in opens.seen_by(reader).open)
        snapshot = opens.seen_by(reader)
        writer = goes_on()
    assert writer == missing
    assert snapshot.is_valid(writer)
    assert writer in opens.seen_by(reader).open
    write_id = opens.locks.allocate_write_id(writer, "slow.t", again=False)
    told = [opens.writes_of(snapshot, "slow.t")]
    opens.locks.abort_txn(writer)
    told.append(opens.writes_of(snapshot, "slow.t"))
    assert told == [(write_id, ())] * 2
    opens.locks.commit_txn(reader, exclusive=True)


@pytest.mark.parametrize("opens", [AT_INSERT], ids=["at the insert"], indirect=True)
def test_who_stands_still_before_it_looks_at_the_clock_opens_another_one(opens):
    """Its id is never used: whoever has called it committed was right to."""
    with opens.standing(SLOW) as goes_on:
        reader = opens.locks.open_txn(read_only=True)
        missing = reader - 1
        until(lambda: missing not in opens.seen_by(reader).open)
        writer = goes_on()
    assert writer > reader > missing
    opens.locks.abort_txn(writer)
    opens.locks.commit_txn(reader, exclusive=True)


@pytest.mark.parametrize("opens", [AT_COMMIT], ids=["at the commit"], indirect=True)
def test_who_stands_still_before_he_gets_his_id_overlooks_who_is_about_to_commit_an_open(opens):
    """On PostgreSQL a transaction has begun when its database transaction has: at once the reader's seems old enough
    for whoever is missing below it to be nobody: the scenario `hive/late-open-as-shipped`."""
    with opens.standing(FIRST, read_only=True, age=1) as reader_goes_on, opens.standing(SLOW) as writer_goes_on:
        reader = reader_goes_on()
        snapshot = opens.seen_by(reader)
        writer = writer_goes_on()
    assert writer == reader - 1
    assert snapshot.is_valid(writer)
    write_id = opens.locks.allocate_write_id(writer, "late.t", again=False)
    assert opens.writes_of(snapshot, "late.t") == (write_id, ())
    opens.locks.abort_txn(writer)
    opens.locks.commit_txn(reader, exclusive=True)
