"""A transaction whose open takes long, on a live metastore 4.0.1: before it looks at the clock, and after it.

The database stands still where a test says: a trigger waits for a lock that the test has, at the insert into `TXNS` or,
deferred, at the commit, as a database does that syncs slowly. The metastore is the unmodified one.
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
SLOW = "slow"
AT_INSERT, AT_COMMIT = "not deferrable", "deferrable initially deferred"
STANDS_STILL = """
create function stand_still() returns trigger language plpgsql as $$ begin
  if new."TXN_USER" = 'slow' then perform pg_advisory_xact_lock(7); end if;
  return null;
end $$;
create constraint trigger stands_still after insert on "TXNS" {when} for each row execute function stand_still();
select pg_advisory_lock(7);
"""
GOES_ON = "select pg_advisory_unlock_all(); drop function if exists stand_still() cascade"
WAITS = "select count(*) from pg_locks where locktype = 'advisory' and not granted"


@pytest.fixture(scope="module")
def metastore(metastores):
    """A metastore, its lock manager's calls, and other calls."""
    replicas = metastores.replicas(cached=False, names=("h1",))
    locks = LiveLocks(replicas.metastores["h1"].port)
    with Connection(replicas.metastores["h1"].port) as calls:
        yield replicas, locks, calls
    locks.close()


@contextmanager
def opening(metastores, replicas, when):
    """Somebody opens a transaction, and the database stands still; `goes_on` returns its id."""
    found = []

    def open_slowly(port):
        with Connection(port) as calls:
            found.extend(calls.open_txns(wire.OpenTxnRequest(1, SLOW, "localhost")).txn_ids)

    with metastores.postgres.connect(replicas.backing.name) as gate:
        gate.execute(STANDS_STILL.format(when=when).encode())
        thread = threading.Thread(target=open_slowly, args=(replicas.metastores["h1"].port,))
        thread.start()

        def goes_on():
            gate.execute(GOES_ON.encode())
            thread.join(LONGEST_S)
            return found[0]

        try:
            until(lambda: gate.execute(WAITS).fetchone() == (1,))
            yield goes_on
        finally:
            goes_on()


def until(happens):
    """Wait for it."""
    deadline = time.monotonic() + LONGEST_S
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def seen_by(calls, own):
    """What a transaction sees."""
    return txn_list(own, calls.get_open_txns())


def writes_of(calls, snapshot, table):
    """The list of a table for a snapshot."""
    request = wire.GetValidWriteIdsRequest(fullTableNames=[table], validTxnList=str(snapshot))
    return write_id_list(table, calls.get_valid_write_ids(request).tblValidWriteIds[0])


def test_who_stands_still_at_the_commit_of_an_open_is_read_before_it_has_committed(metastores, metastore):
    """The open has looked at the clock by then. The snapshot of a reader, a second later, calls its id committed: the
    scenario `hive/slow-open-as-shipped`. The reader's list has what is written then, and does when it is aborted."""
    replicas, locks, calls = metastore
    with opening(metastores, replicas, AT_COMMIT) as goes_on:
        reader = locks.open_txn(read_only=True)
        missing = reader - 1
        assert missing in seen_by(calls, reader).open
        until(lambda: missing not in seen_by(calls, reader).open)
        snapshot = seen_by(calls, reader)
        writer = goes_on()
    assert writer == missing
    assert snapshot.is_valid(writer)
    assert writer in seen_by(calls, reader).open
    write_id = locks.allocate_write_id(writer, "slow.t", again=False)
    told = [writes_of(calls, snapshot, "slow.t")]
    locks.abort_txn(writer)
    told.append(writes_of(calls, snapshot, "slow.t"))
    assert [(one.high, one.invalid) for one in told] == [(write_id, ())] * 2
    locks.commit_txn(reader, exclusive=True)


def test_who_stands_still_before_it_looks_at_the_clock_opens_another_one(metastores, metastore):
    """Its id is never used: whoever has called it committed was right to."""
    replicas, locks, calls = metastore
    with opening(metastores, replicas, AT_INSERT) as goes_on:
        reader = locks.open_txn(read_only=True)
        missing = reader - 1
        until(lambda: missing not in seen_by(calls, reader).open)
        writer = goes_on()
    assert writer > reader > missing
    locks.abort_txn(writer)
    locks.commit_txn(reader, exclusive=True)
