"""Tables that come to format 3 just before a race, on the real Java API: what they have no row ids of."""

import pytest

from tests.live.iceberg.agreement import agree
from tests.live.iceberg.drawn_races import drawn

pytestmark = pytest.mark.live


@pytest.mark.parametrize("configuration", ["Java API, format 3", "Java API, format 3, manifests merged"])
def test_drawn_races_agree(java, configuration):
    """In the ids that files have, too, and in what is amiss there."""
    for _, found in drawn(configuration, lambda work: work.format_version == 2, 4, first=1):
        agree(java, found)
