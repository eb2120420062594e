"""The public names say in their docstrings what they take, give and raise; and each rule can fail."""

import pytest

from tests.unit.house import public


def test_public_functions_explain_arguments_result_and_errors():
    """Every one that `lakeproof` exports, methods included."""
    every = list(public.functions())
    assert len(every) > 20
    assert [found for name, function in every for found in public.findings_of_function(name, function)] == []


def test_public_classes_explain_what_they_are_made_of():
    """Fields of a dataclass, arguments of any other."""
    every = list(public.classes())
    assert len(every) > 10
    assert [found for name, value in every for found in public.findings_of_class(name, value)] == []


def bare(number: int) -> int:
    """Double."""
    if number < 0:
        raise ValueError("below zero")
    return 2 * number


def full(number: int) -> int:
    """Double `number`. Returns: the double. Raises: `ValueError` below zero."""
    if number < 0:
        raise ValueError("below zero")
    return 2 * number


class Bare:
    """A class that says nothing of its argument."""

    def __init__(self, size: int) -> None:
        self.size = size


@pytest.mark.parametrize("lacks", ["`number` is not explained", "no Returns", "`ValueError` is raised and not named"])
def test_a_docstring_that_lacks_something_is_found(lacks):
    """And one that has it all is not."""
    assert f"bare: {lacks}" in public.findings_of_function("bare", bare)
    assert public.findings_of_function("full", full) == []
    assert public.findings_of_class("Bare", Bare) == ["Bare: `size` is not explained"]
