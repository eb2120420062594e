"""What Spark SQL reads of the past: vectors after upstream's rules and tests, and the mutants they kill."""

import pytest

from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.managing import RemoveRef
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, Insert
from tests.mutants.iceberg_incremental import BY_NAME as INCREMENTAL
from tests.mutants.iceberg_sql_reads import BY_NAME
from tests.unit.iceberg import sql_read_vectors

EVERY = {**INCREMENTAL, **BY_NAME}
KILLS = [(mutant, vector["name"]) for vector in sql_read_vectors.VECTORS for mutant in vector.get("kills", ())]
ROW = ((3, "x"),)


@pytest.mark.parametrize("name", sql_read_vectors.BY_NAME)
def test_vector(name):
    """The model answers as upstream's rule says."""
    assert sql_read_vectors.mismatches(sql_read_vectors.BY_NAME[name]) == []


@pytest.mark.parametrize(("mutant", "name"), KILLS, ids=[f"{mutant}-{name}" for mutant, name in KILLS])
def test_mutant_is_killed_by_its_vector(mutant, name):
    """The vector sees the broken rule."""
    with EVERY[mutant].alive():
        assert sql_read_vectors.mismatches(sql_read_vectors.BY_NAME[name]) != []


def test_every_mutant_has_a_vector_and_every_vector_an_origin():
    """No mutant without a vector, no vector twice or without an upstream test or rule."""
    assert set(BY_NAME) - {mutant for mutant, _ in KILLS} == set()
    assert len(sql_read_vectors.BY_NAME) == len(sql_read_vectors.VECTORS)
    assert all(vector["upstream"] and vector["what"] for vector in sql_read_vectors.VECTORS)


@pytest.mark.parametrize(
    ("writes", "reads", "catalog", "said"),
    [
        (Append(ROW), ReadSince("view"), "java-api", "ReadSince of appends or changes"),
        (Append(ROW), ReadSince("appends", back=1), "java-api", "ReadSince of appends or changes"),
        (Append(ROW), ReadAt("b", by="name"), "java-api", "and ReadAt, in Java"),
        (Insert(ROW), ReadSince("appends", until="before"), "rest", "from before it ends"),
        (Insert(ROW), ReadSince("news"), "rest", "ReadSince: what: expected 'appends' or 'changes' or 'view'"),  # type: ignore[arg-type]
        (Insert(ROW), ReadAt("b", by="number"), "rest", "ReadAt: by: expected 'version' or 'name' or 'option'"),  # type: ignore[arg-type]
        (RemoveRef("t", tag=True), ReadAt("t", by="name"), "rest", "by version or option beside RemoveRef"),
        (Insert(ROW), ReadSince("view"), "jdbc", "catalog: expected rest"),
        (Insert(ROW), ReadAt("b", by="name"), "jdbc", "catalog: expected rest"),
    ],
)
def test_what_is_not_followed_is_refused(writes, reads, catalog, said):
    """In one line that says what is expected."""
    beside = Append(ROW) if catalog == "java-api" else Insert(ROW)
    with pytest.raises(ValueError, match=said):
        race("refused", "", {"w1": [writes], "w2": [beside], "r1": [reads]}, catalog=catalog)
