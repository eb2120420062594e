"""Mutants leave the model as they found it."""

from contextlib import suppress

import pytest

from tests.mutants.iceberg import BY_NAME, MUTANTS


def attributes():
    """What every attribute that some mutant replaces is now."""
    return [getattr(owner, name) for mutant in MUTANTS for owner, name, _ in mutant.patches]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_mutant_is_undone_at_its_end(name):
    """Also after a failure; while it is alive, something differs."""
    shipped = attributes()
    with suppress(ZeroDivisionError), BY_NAME[name].alive():
        assert attributes() != shipped
        raise ZeroDivisionError
    assert attributes() == shipped


def test_names_are_unique():
    """A vector and a race name the mutant that they kill."""
    assert len(BY_NAME) == len(MUTANTS)
