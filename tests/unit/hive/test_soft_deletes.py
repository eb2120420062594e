"""What drops that leave the files leave in the metastore: rows of upstream's test, and more, on the model."""

import pytest

from model.hive import soft_deletes
from model.hive.write_ids import forget_records
from tests.unit.hive.soft_delete_script import SCENARIOS, ModelDrops, SoftDeleteScript

REMOVE = soft_deletes._remove


def also_forgets(tx, table):
    """A drop that forgets the write ids of its table, as one does that deletes the files."""
    REMOVE(tx, table)
    forget_records(tx, table.name)


BROKEN = {
    "nothing is queued": ("_submit", lambda *_: None, {"testDropTableNonBlocking (the drop itself)", "a database"}),
    "a table's write ids go": ("_remove", also_forgets, {"a table of that name afterwards"}),
    "a database's write ids stay": ("forget_records", lambda *_: None, {"a database"}),
    "partitions are not queued": ("_of_partition", lambda *_: None, {"a partition", "a partition gets another name"}),
}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step answers what the row says."""
    assert SoftDeleteScript(ModelDrops()).told(scenario) == scenario["steps"]


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_seen(monkeypatch, rule):
    """By these rows at least."""
    name, otherwise, rows = BROKEN[rule]
    monkeypatch.setattr(soft_deletes, name, otherwise)
    told = {one["test"]: SoftDeleteScript(ModelDrops()).told(one) == one["steps"] for one in SCENARIOS}
    assert {test for test, agrees in told.items() if not agrees} >= rows
