"""Pairs KEY=VALUE of the command line."""

import pytest

from lakeproof.errors import UsageProblem
from lakeproof.pairs import values_of


def test_a_value_is_all_that_stands_behind_the_first_equals_sign():
    """It may be empty, and may have such signs itself."""
    assert values_of(("a=1", "b=c=d", "e="), "key") == {"a": "1", "b": "c=d", "e": ""}


@pytest.mark.parametrize(
    ("pairs", "shown"), [(("a",), "a"), (("=1",), "=1"), (("a=1", "a=2"), "a=2"), (("a\x1b",), r"a\x1b")]
)
def test_a_pair_that_cannot_be_is_shown_escaped(pairs, shown):
    """No "=", no key, a key again; control characters do not reach the terminal."""
    with pytest.raises(UsageProblem) as met:
        values_of(pairs, "name")
    assert str(met.value) == f"--set {shown}: expected NAME=VALUE, each name once"
