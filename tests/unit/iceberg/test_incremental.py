"""What a consumer is told of the commits since it began: vectors after upstream's tests, and the mutants they kill."""

import pytest

from sim.search.run import Runner
from tests.mutants.iceberg_incremental import BY_NAME
from tests.unit.iceberg import incremental_vectors

KILLS = [(mutant, vector["name"]) for vector in incremental_vectors.VECTORS for mutant in vector.get("kills", ())]


@pytest.mark.parametrize("name", incremental_vectors.BY_NAME)
def test_vector(name):
    """The model answers as upstream's test says."""
    assert incremental_vectors.mismatches(incremental_vectors.BY_NAME[name]) == []


@pytest.mark.parametrize("name", incremental_vectors.BY_NAME)
def test_what_a_vector_tells_breaks_no_promise(name):
    """Nor is anything unknown."""
    run = Runner(incremental_vectors.scenario_of(incremental_vectors.BY_NAME[name])).play(())
    assert (run.failure, run.indeterminate) == (None, False)


@pytest.mark.parametrize(("mutant", "name"), KILLS, ids=[f"{mutant}-{name}" for mutant, name in KILLS])
def test_mutant_is_killed_by_its_vector(mutant, name):
    """The vector sees the broken rule."""
    with BY_NAME[mutant].alive():
        assert incremental_vectors.mismatches(incremental_vectors.BY_NAME[name]) != []


def test_every_mutant_has_a_vector_and_every_vector_an_origin():
    """No mutant without a vector, no vector twice or without an upstream test or rule."""
    assert sorted(BY_NAME) == sorted({mutant for mutant, _ in KILLS})
    assert len(incremental_vectors.BY_NAME) == len(incremental_vectors.VECTORS)
    assert all(vector["upstream"] and vector["what"] for vector in incremental_vectors.VECTORS)
