"""What a Hudi race is made of is looked at when it is made."""

import pytest

from model.hudi.errors import ConfigError
from sim.hudi.build import ONE_GROUP, race


@pytest.mark.parametrize(
    ("argument", "value", "said"),
    [
        ("rules", "shipped", "expected Rules, such as model.hudi.SHIPPED, got 'shipped'"),
        ("faults", "drop", "expected a FaultSpace, such as sim.hudi.build.NO_FAULTS, got 'drop'"),
    ],
)
def test_an_argument_of_another_type_is_told_by_its_name(argument, value, said):
    """With what was expected, and what was got."""
    with pytest.raises(ConfigError, match=f"{argument}: {said}"):
        race("x", "x", ONE_GROUP, **{argument: value})
