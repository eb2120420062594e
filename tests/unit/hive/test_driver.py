"""The driver's loop: upstream's tests as data, on the model."""

import pytest

from tests.unit.hive.driver_script import SCENARIOS, DriverScript, model


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step answers what the row says."""
    assert DriverScript(model(), "default.t").told(scenario) == scenario["steps"]
