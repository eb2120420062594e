"""Tables of format 1, and tables whose format changes, on the real Iceberg: every interleaving at the catalog."""

import pytest

from sim.iceberg.built_in.format import FORMATS
from tests.live.iceberg.agreement import failures_of_all

pytestmark = pytest.mark.live


HOLD = [
    one for one in FORMATS if not one.broken and one.live is not None and one.live.system.startswith("iceberg-java")
]


@pytest.mark.parametrize("scenario", HOLD, ids=[scenario.name for scenario in HOLD])
def test_model_and_real_java_agree_on_every_interleaving(java, scenario):
    """In outcomes, lineage, rows, numbers and the format; and as the scenario says, nothing breaks."""
    assert failures_of_all(java, scenario) == set()
