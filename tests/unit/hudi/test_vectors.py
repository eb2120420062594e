"""Hudi's own tests, as data, come out of the model as upstream says."""

from collections import Counter

import pytest

from tests.unit.hudi import vectors


@pytest.mark.parametrize("name", vectors.BY_NAME)
def test_vector(name):
    """The shipped rules come out as upstream's test says."""
    assert vectors.mismatches(vectors.BY_NAME[name]) == []


def test_there_are_enough_and_each_names_its_upstream_test():
    """A vector without origin cannot be argued with."""
    assert len(vectors.VECTORS) == len(vectors.BY_NAME) >= 30
    assert all(vector.upstream.startswith("test") for vector in vectors.VECTORS)
    assert set(Counter(vector.kind for vector in vectors.VECTORS)) == set(vectors.KINDS)
