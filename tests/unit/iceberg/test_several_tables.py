"""Commits of several tables: vectors after upstream's tests and code, and the mutants that they kill."""

import pytest

from sim.iceberg.several import CopyAcross, On, SeveralTables, Together
from sim.iceberg.workload import Append
from tests.mutants.iceberg_several import BY_NAME
from tests.unit.iceberg import several_vectors

KILLS = [(mutant, vector["name"]) for vector in several_vectors.VECTORS for mutant in vector.get("kills", ())]
ROW = Append(((3, "x"),))


@pytest.mark.parametrize("name", several_vectors.BY_NAME)
def test_vector(name):
    """The model answers as upstream's test, or code, says."""
    assert several_vectors.mismatches(several_vectors.BY_NAME[name]) == []


@pytest.mark.parametrize(("mutant", "name"), KILLS, ids=[f"{mutant}-{name}" for mutant, name in KILLS])
def test_mutant_is_killed_by_its_vector(mutant, name):
    """The vector sees the broken rule."""
    with BY_NAME[mutant].alive():
        assert several_vectors.mismatches(several_vectors.BY_NAME[name]) != []


def test_every_mutant_has_a_vector_and_every_vector_an_origin():
    """No mutant without a vector, no vector twice or without an upstream test or rule."""
    assert sorted(BY_NAME) == sorted({mutant for mutant, _ in KILLS})
    assert len(several_vectors.BY_NAME) == len(several_vectors.VECTORS)
    assert all(vector["upstream"] and vector["what"] for vector in several_vectors.VECTORS)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"writers": ()}, "writers: expected at least one"),
        ({"writers": (("w1", (ROW,)),)}, "writers: w1: expected On, Together, CopyAcross or ReadEach"),
        ({"writers": (("w1", (Together((On("a", ROW), On("a", ROW))),)),)}, "expected tables that differ"),
        ({"writers": (("w1", (On("a", ROW),)),), "server": "half"}, "server: expected at once or one by one"),
        (
            {"writers": (("w1", (CopyAcross("a", "b", 1),)),), "server": "one by one", "idempotency": True},
            "idempotency: expected a server that commits at once",
        ),
    ],
)
def test_what_is_no_workload_is_refused(given, words):
    """One line that names the argument."""
    with pytest.raises(ValueError, match=words):
        SeveralTables(**given)
