"""Transactions of replication on a live metastore 4.0.1: upstream's tests as data."""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import Connection, new_database, split_name
from real_backend.hive.lock_calls import USER
from real_backend.hive.names import txn_list, write_id_list
from tests.live.hive.started import alone
from tests.unit.hive.replication_script import SCENARIOS, ReplicationScript

pytestmark = pytest.mark.live
EXCLUDED = [wire.TxnType.READ_ONLY, wire.TxnType.REPL_CREATED]


class LiveReplicates:
    """A metastore, under a policy of its own database."""

    def __init__(self, calls, database) -> None:
        self.calls = calls
        self.policy = f"{database}.*"
        self.mine: list[int] = []

    def plain(self, *, read_only):
        kind = wire.TxnType.READ_ONLY if read_only else wire.TxnType.DEFAULT
        self.mine += self.calls.open_txns(wire.OpenTxnRequest(num_txns=1, txn_type=kind, **USER)).txn_ids
        return self.mine[-1]

    def open(self, sources):
        request = wire.OpenTxnRequest(
            num_txns=len(sources), replPolicy=self.policy, replSrcTxnIds=list(sources),
            txn_type=wire.TxnType.REPL_CREATED, **USER,
        )  # fmt: skip
        self.mine += (opened := self.calls.open_txns(request).txn_ids)
        return opened

    def alloc(self, table, asked):
        database, name = split_name(table)
        pairs = [wire.TxnToWriteId(*pair) for pair in asked]
        request = wire.AllocateTableWriteIdsRequest(database, name, None, self.policy, pairs)
        return [(one.txnId, one.writeId) for one in self.calls.allocate_table_write_ids(request).txnToWriteIds]

    def commit(self, source):
        kind = wire.TxnType.REPL_CREATED
        self.calls.commit_txn(wire.CommitTxnRequest(txnid=source, replPolicy=self.policy, txn_type=kind))

    def abort(self, source):
        kind = wire.TxnType.REPL_CREATED
        self.calls.abort_txn(wire.AbortTxnRequest(txnid=source, replPolicy=self.policy, txn_type=kind))

    def listed(self, *, others):
        request = wire.GetOpenTxnsRequest(excludeTxnTypes=EXCLUDED if others else EXCLUDED[:1])
        found = self.calls.get_open_txns_req(request)
        return [txn for txn in txn_list(1 << 40, found).open if txn in self.mine]

    def writes(self, table):
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[table])
        return write_id_list(table, self.calls.get_valid_write_ids(asked).tblValidWriteIds[0]).short


def test_upstreams_tests(metastores):
    """Each under a policy of its own; what others have left open is not looked at."""
    with alone(metastores, "replication", {}) as metastore, Connection(metastore.port) as calls:
        for place, scenario in enumerate(SCENARIOS):
            name = f"r{place}"
            calls.create_database(new_database(name, f"file:{metastore.folder}"))
            script = ReplicationScript(LiveReplicates(calls, name), f"{name}.")
            assert script.told(scenario) == scenario["steps"]
