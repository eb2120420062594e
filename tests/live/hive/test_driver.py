"""The driver's loop, which is ours, against a live metastore 4.0.1: upstream's tests as data."""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import Connection
from real_backend.hive.lock_calls import LiveLocks
from real_backend.hive.names import txn_list, write_id_list
from tests.live.hive.started import alone
from tests.unit.hive.driver_script import SCENARIOS, DriverScript, Managed

pytestmark = pytest.mark.live


class Live:
    """A metastore's lock manager, and what its transactions see."""

    def __init__(self, port, calls) -> None:
        self.locks = LiveLocks(port)
        self.calls = calls

    def seen_by(self, own):
        return txn_list(own, self.calls.get_open_txns())

    def writes_of(self, seen, table):
        request = wire.GetValidWriteIdsRequest(fullTableNames=[table], validTxnList=str(seen))
        return write_id_list(table, self.calls.get_valid_write_ids(request).tblValidWriteIds[0])


class LiveManaged(Managed):
    """The same as the driver asks for it."""

    def latest_conflict(self, txn):
        return int(self.history.calls.get_latest_txnid_in_conflict(txn))


def test_upstreams_tests(metastores):
    """Each on a table of its own."""
    with alone(metastores, "driver", {}) as metastore, Connection(metastore.port) as calls:
        live = LiveManaged(Live(metastore.port, calls))
        for place, scenario in enumerate(SCENARIOS):
            assert DriverScript(live, f"default.t{place}").told(scenario) == scenario["steps"]
