"""The reader of EDN: every form that Jepsen writes, what is wrong with a text, and nothing that is evaluated."""

import pytest

from checkers.errors import HistoryError
from checkers.jepsen.edn import Name, forms


def _read(text):
    return [form for _, form in forms(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nil", None),
        ("true", True),
        ("-17", -17),
        ("+4N", 4),
        ("1.5e3M", 1500.0),
        ('"a\\n\\u00e9\\"b"', 'a\né"b'),
        ('""', ""),
        ("[1 (2 3), #{4}]", (1, (2, 3), frozenset({4}))),
        ('{"a" 1, "b" [2]}', {"a": 1, "b": (2,)}),
        ('#inst "2026-01-01"', "2026-01-01"),
        ("#jepsen.history.Op {1 2}", {1: 2}),
        ("#foo/bar #baz [1]", (1,)),
        ("#_ {:a [1]} 7", 7),
        ("#_ #_ 1 2 3", 3),
        ("[1 #_ 2 3]", (1, 3)),
        ("; a note\n, 5", 5),
    ],
)
def test_forms_are_read(text, value):
    """Each as Python has it; tags are dropped, and so is what stands behind #_."""
    assert _read(text) == [value]


@pytest.mark.parametrize("text", [":type", "sym/bol", "\\newline", "\\(", "1/2", "##NaN", "##Inf", "'x"])
def test_words_are_names_and_no_texts(text):
    """:x and "x" are not the same key."""
    (found,) = _read(text)
    assert isinstance(found, Name)
    assert found == Name(text)
    assert found != text


def test_forms_stand_on_their_lines():
    """The line on which a form ends."""
    assert list(forms("1\n[2\n3]\n\n4")) == [(1, 1), (3, (2, 3)), (5, 4)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1 2", "line 1: expected a ']' for this '[', got no end"),
        ("1\n]", "line 2: expected a form, got ']'"),
        ("(1]", "line 1: expected a form, got ']'"),
        ("{1}", "line 1: expected a value for each key of this map, got 1 forms"),
        ("{{} 1}", "line 1: expected plain keys or members, got a map in their place"),
        ('1\n"open', "line 2: expected EDN, got '\"open'"),
        ("[" * 5_000, "line 1: expected at most 100 levels, got a deeper one"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, message):
    """In one line."""
    with pytest.raises(HistoryError, match=r".") as raised:
        _read(text)
    assert message in str(raised.value)


def test_long_texts_and_numbers_are_no_trouble():
    """Ten million characters, and more digits than Python reads as a number."""
    assert _read(f'"{"x" * 10_000_000}"') == ["x" * 10_000_000]
    assert _read("1" * 10_000) == [Name("1" * 10_000)]
