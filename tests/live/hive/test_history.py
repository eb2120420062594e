"""What a live metastore 4.0.1 cleans of history while a reader needs it, with `MIN_HISTORY_LEVEL` and without it."""

import threading
from contextlib import contextmanager

import pytest
from hive_metastore import ttypes as wire

from model.hive.lock_queue import Component
from real_backend.hive.backing import Backing
from real_backend.hive.client import Connection
from real_backend.hive.house_keeper import HouseKeeper
from real_backend.hive.lock_calls import LiveLocks
from real_backend.hive.names import txn_list, write_id_list
from real_backend.hive.processes import remove_folder, temporary_folder
from tests.live.hive.test_slow_opens import until
from tests.unit.hive.history_script import OVERTAKEN, SCENARIOS, HistoryScript

pytestmark = pytest.mark.live
SETTING = "metastore.txn.use.minhistorylevel"
STANDS_STILL = """
create function stands_still() returns trigger language plpgsql as $$ begin
  perform pg_advisory_xact_lock(7);
  return null;
end $$;
create trigger stands_still before insert on "COMPLETED_TXN_COMPONENTS" for each statement
  execute function stands_still();
select pg_advisory_lock(7);
"""
WAITS = "select count(*) from pg_locks where locktype = 'advisory' and not granted"


class LiveHistory:
    """A metastore whose house keeper cleans when it is told to."""

    def __init__(self, keeper, backing) -> None:
        self.locks = LiveLocks(keeper.port)
        self.connection = Connection(keeper.port)
        self._keeper = keeper
        self._backing = backing

    def seen_by(self, own):
        return txn_list(own, self.connection.calls.get_open_txns())

    def writes_of(self, seen, table):
        request = wire.GetValidWriteIdsRequest(fullTableNames=[table], validTxnList=str(seen))
        return write_id_list(table, self.connection.calls.get_valid_write_ids(request).tblValidWriteIds[0])

    def wait(self):
        """As if so much time had passed that no open is under way that began before."""
        self._backing.make_txns_old()

    def clean(self):
        self.wait()
        for part in ("clean_write_set", "clean_write_ids"):
            self._keeper.clean(part)


@contextmanager
def histories(metastores, database, *, keeps):
    """A metastore with or without `MIN_HISTORY_LEVEL`, and its database."""
    folder = temporary_folder("lakeproof-history-")
    metastores.postgres.create_database(database, "empty")
    backing = Backing(metastores.postgres, database)
    keeper = HouseKeeper(metastores.postgres, database, folder, backing, {SETTING: str(keeps).lower()})
    try:
        yield LiveHistory(keeper, backing)
    finally:
        keeper.stop()
        backing.close()
        remove_folder(folder)


@pytest.mark.parametrize("mode", OVERTAKEN)
def test_upstreams_tests_and_who_begins_while_an_insert_commits(metastores, mode):
    """As data, each of a table of its own; then two tables, of which the reader sees one with the insert without."""
    keeps = mode == "min-history"
    with histories(metastores, f"history_{keeps}".lower(), keeps=keeps) as history:
        tables = [f"default.t{place}" for place in range(len(SCENARIOS))]
        told = [HistoryScript(history, table).told(one) for table, one in zip(tables, SCENARIOS, strict=True)]
        assert told == [scenario["steps"] for scenario in SCENARIOS]
        assert overtake(metastores, history, f"history_{keeps}".lower()) == OVERTAKEN[mode]


def overtake(metastores, history, database):
    """A writer inserts into two tables; its commit has its id, and stands still while a reader begins. The reader's
    list of one then, and that of the other one when history has been cleaned.

    Without `MIN_HISTORY_LEVEL` the commit's id says that nobody has begun beside it: it is read without a lock.
    """
    tables = ("default.overtaken", "default.other")
    history.wait()
    writer = history.locks.open_txn()
    parts = tuple([Component("shared-read", table, operation="insert") for table in tables])
    assert history.locks.lock(writer, parts).held
    for table in tables:
        history.locks.allocate_write_id(writer, table, again=False)
    with metastores.postgres.connect(database) as gate, Connection(history.locks.port) as calls:
        gate.execute(STANDS_STILL)
        request = wire.CommitTxnRequest(txnid=writer, exclWriteEnabled=True)
        thread = threading.Thread(target=lambda: calls.commit_txn(request))
        thread.start()
        until(lambda: gate.execute(WAITS).fetchone() == (1,))
        reader = history.locks.open_txn(read_only=True)
        seen = history.seen_by(reader)
        gate.execute("select pg_advisory_unlock(7); drop function stands_still() cascade")
        thread.join()
    before = history.writes_of(seen, tables[0]).short
    history.clean()
    return [before, history.writes_of(seen, tables[1]).short]
