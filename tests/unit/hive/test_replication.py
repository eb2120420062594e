"""Transactions of replication: upstream's tests as data, on the model."""

import pytest

from model.hive.errors import NoSuchTxn
from model.hive.replication import allocate_replicated, open_replicated
from model.hive.rules import UNCACHED
from model.hive.txns import abort_txn
from tests.unit.hive.lab import Lab
from tests.unit.hive.replication_script import SCENARIOS, ModelReplicates, ReplicationScript


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step answers what the row says."""
    assert ReplicationScript(ModelReplicates()).told(scenario) == scenario["steps"]


def test_a_transaction_that_timed_out_here_gets_no_write_id():
    """It is known, and not open: whoever replicates has to be told."""
    lab = Lab(UNCACHED)
    opened = lab.sql(lambda tx: open_replicated(tx, "p", [101]))
    lab.sql(lambda tx: abort_txn(tx, opened[0]))
    with pytest.raises(NoSuchTxn):
        lab.sql(lambda tx: allocate_replicated(tx, "p", "default.t", [(101, 1)]))
