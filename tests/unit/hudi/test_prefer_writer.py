"""The strategy that prefers writers compares with what completed since the own instant, and with its rollbacks."""

import pytest

from model.hudi import Cleaner, HudiClient, Reader, coverage
from model.hudi.errors import ConfigError, WriteConflict
from model.hudi.keys import CONFLICTS, LOCK_PROVIDER, MODE, OCC, PREFER_WRITER, TABLE_VERSION
from model.hudi.options import parse_options
from tests.unit.hudi.worlds import Lab


@pytest.mark.parametrize(("options", "row"), [("in-process", "B"), ("prefer-writer", "B")])
def test_an_older_instant_that_merges_a_newer_slice_is_refused_instead_of_hidden(options, row):
    """The default acknowledges w1 and shows w2's row for ever; this one refuses w1 (`hudi/older-instant`)."""
    lab = Lab(options)
    w1, w2 = (HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2"))
    older, newer = w1.start_commit(), w2.start_commit()
    w2.commit(newer, w2.upsert((("1", "B"),), newer))
    written = w1.upsert((("1", "A"),), older)
    if options == "prefer-writer":
        with pytest.raises(WriteConflict, match="p1/fg1 was changed by 000002"):
            w1.commit(older, written)
    else:
        w1.commit(older, written)
    assert Reader(lab.world("r"), lab.config).read().rows == (("1", (row,)),)


def test_what_completed_before_the_own_instant_is_no_conflict():
    """One after the other: both commit."""
    lab = Lab("prefer-writer")
    for name, value in (("w1", "A"), ("w2", "B")):
        client = HudiClient(lab.world(name), lab.config, owner=name)
        instant = client.start_commit()
        client.commit(instant, client.upsert((("1", value),), instant))
    assert Reader(lab.world("r"), lab.config).read().rows == (("1", ("B",)),)


@pytest.mark.parametrize("options", ["in-process", "prefer-writer"])
def test_a_pending_rollback_of_the_own_instant_is_a_conflict(options):
    """#18089: a rollback that is scheduled and not executed yet; the default does not look."""
    lab = Lab(options)
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant)
    Cleaner(lab.world("cleaner"), lab.config, owner="cleaner")._schedule(instant)
    if options == "prefer-writer":
        with pytest.raises(WriteConflict, match="000001 is rolled back by 000002"):
            client.commit(instant, written)
    else:
        client.commit(instant, written)
    assert (coverage.OWN_ROLLBACK_FOUND in lab.simulation.kernel.coverage) == (options == "prefer-writer")


def test_it_is_named_as_shipped_and_needs_completion_times():
    """The class name, with its package or without; table version 6 has no completion times in its timeline."""
    options = {MODE: OCC, LOCK_PROVIDER: "InProcessLockProvider"}
    name = f"org.apache.hudi.client.transaction.{PREFER_WRITER}"
    assert parse_options({**options, CONFLICTS: name}).conflict_strategy == PREFER_WRITER
    with pytest.raises(ConfigError, match=f"option {TABLE_VERSION}: expected 8 or 9, for {PREFER_WRITER} needs"):
        parse_options({**options, CONFLICTS: name, TABLE_VERSION: "6"})
