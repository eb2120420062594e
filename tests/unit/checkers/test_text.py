"""Text from outside cannot write over a terminal, and is never longer than a reader needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers.text import plain, quoted


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\x1b[2J", "\\x1b[2J"), ("a\nb", "a\\nb"), ("\0", "\\x00"), ("\u202eabc", "\\u202eabc"),
        ("\ud800", "\\ud800"), ("Ää 1 = '€'", "Ää 1 = '€'"), ("C:\\new", "C:\\new"), ("", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_printed_is_escaped(text, escaped):
    """And everything else stands as it is."""
    assert plain(text) == escaped


def test_long_text_is_told_by_its_beginning_and_its_length():
    """In characters of the original."""
    assert plain("x" * 10_000_000, 3) == "xxx... (10,000,000 characters)"
    assert quoted("x" * 10_000_000, 3) == "'xxx'... (10,000,000 characters)"
    assert plain("abc", 3) == "abc"
    assert quoted("abc", 3) == "'abc'"


@given(text=st.text(), limit=st.integers(1, 50))
def test_no_text_gets_out_raw(text, limit):
    """Whatever is put in, what comes out can be printed and has a bounded length."""
    for out in (plain(text, limit), quoted(text, limit)):
        assert out.isprintable()
        assert len(out) <= 10 * limit + 40
