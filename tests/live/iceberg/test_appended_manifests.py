"""Appends of manifests on real Java: drawn races, alone, in transactions and in every format."""

import pytest

from model.iceberg import coverage
from tests.live.iceberg.agreement import agree
from tests.live.iceberg.drawn_races import drawn

pytestmark = pytest.mark.live
RACES = 8
KIND = "Java API, manifests appended"


def test_drawn_races_with_appends_of_manifests_agree(java):
    """Copies and merged ones among them."""
    met = set()
    for _, played in drawn(KIND, lambda _: True, RACES):
        agree(java, played)
        met |= set(played.run.coverage)
    assert {coverage.APPENDED_MERGED, coverage.MANIFESTS_MERGED} <= met
