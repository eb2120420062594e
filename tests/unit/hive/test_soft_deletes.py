"""What drops that leave the files leave in the metastore: rows of upstream's test, and more, on the model."""

import pytest

from tests.unit.hive.soft_delete_script import SCENARIOS, ModelDrops, SoftDeleteScript


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step answers what the row says."""
    assert SoftDeleteScript(ModelDrops()).told(scenario) == scenario["steps"]
