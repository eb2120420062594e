"""What a Hudi race is made of is looked at when it is made."""

import pytest

from model.hudi.errors import ConfigError
from model.hudi.keys import KEEP_MAX, KEEP_MIN
from sim.hudi.build import ONE_GROUP, OPTIMISTIC, race


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


@pytest.mark.parametrize(("least", "most"), [("30", "20"), ("2", "2"), (None, "20")])
def test_archiving_keeps_no_more_at_least_than_at_most(least, most):
    """Twenty at least, if nothing is set."""
    given = (*OPTIMISTIC, (KEEP_MAX, most), *([(KEEP_MIN, least)] if least else []))
    with pytest.raises(ConfigError, match=rf"{KEEP_MAX}: expected more than {KEEP_MIN}, of {least or 20}, got {most}"):
        race("x", "x", ONE_GROUP, options=given)
