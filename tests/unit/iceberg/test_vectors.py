"""Iceberg's own concurrency tests as vectors, and the mutants that each of them kills."""

import dataclasses

import pytest

from model.iceberg.rules import SHIPPED, VARIANTS
from tests.mutants.iceberg import BY_NAME
from tests.unit.iceberg import (
    partial_progress_vectors,
    position_delete_vectors,
    row_copy_vectors,
    sql_branch_vectors,
    vectors,
)

KILLS = [(mutant, vector["name"]) for vector in vectors.VECTORS for mutant in vector.get("kills", ())]


@pytest.mark.parametrize("name", vectors.BY_NAME)
def test_vector(name):
    """The shipped rules (or the repair that the vector names) come out as upstream's test says."""
    assert vectors.mismatches(vectors.BY_NAME[name]) == []


@pytest.mark.parametrize(("mutant", "name"), KILLS, ids=[mutant for mutant, _ in KILLS])
def test_mutant_is_killed_by_its_vector(mutant, name):
    """The vector sees the broken rule."""
    with BY_NAME[mutant].alive():
        assert vectors.mismatches(vectors.BY_NAME[name]) != []


def test_every_mutant_has_a_vector_that_kills_it():
    """No mutant without a vector, no vector that kills an unknown one."""
    others = (
        *row_copy_vectors.VECTORS, *position_delete_vectors.VECTORS, *sql_branch_vectors.VECTORS,
        *partial_progress_vectors.VECTORS,
    )  # fmt: skip
    of_others = {mutant for vector in others for mutant in vector["kills"]}
    assert sorted(BY_NAME) == sorted({mutant for mutant, _ in KILLS} | of_others)


def test_every_rule_differs_in_a_named_variant():
    """No option is there for nothing."""
    unused = [
        field.name
        for field in dataclasses.fields(SHIPPED)
        if all(getattr(rules, field.name) == getattr(SHIPPED, field.name) for rules in VARIANTS.values())
    ]
    assert unused == []


def test_every_vector_names_its_upstream_test_and_what_it_shows():
    """A vector without origin cannot be argued with."""
    assert all(vector["upstream"] and vector["what"] for vector in vectors.VECTORS)
    assert len(vectors.BY_NAME) == len(vectors.VECTORS)
