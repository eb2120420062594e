"""What goes by the age of snapshots and refs: vectors after upstream's tests, and the mutants that they kill."""

import pytest

from tests.mutants.iceberg_times import BY_NAME
from tests.unit.iceberg import times_vectors

KILLS = [(mutant, vector["name"]) for vector in times_vectors.VECTORS for mutant in vector.get("kills", ())]


@pytest.mark.parametrize("name", times_vectors.BY_NAME)
def test_vector(name):
    """The model answers as upstream's test says."""
    assert times_vectors.mismatches(times_vectors.BY_NAME[name]) == []


@pytest.mark.parametrize(("mutant", "name"), KILLS, ids=[f"{mutant}-{name}" for mutant, name in KILLS])
def test_mutant_is_killed_by_its_vector(mutant, name):
    """The vector sees the broken rule."""
    with BY_NAME[mutant].alive():
        assert times_vectors.mismatches(times_vectors.BY_NAME[name]) != []


def test_every_mutant_has_a_vector_and_every_vector_an_origin():
    """No mutant without a vector, no vector twice or without an upstream test or rule."""
    assert sorted(BY_NAME) == sorted({mutant for mutant, _ in KILLS})
    assert len(times_vectors.BY_NAME) == len(times_vectors.VECTORS)
    assert all(vector["upstream"] and vector["what"] for vector in times_vectors.VECTORS)
