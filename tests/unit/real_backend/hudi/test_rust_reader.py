"""What a second reader of a live table says, and how it is told that it is not what the first one said."""

import pytest

from real_backend.hudi import rust_reader
from real_backend.hudi.rust_reader import ReadTwice, read_again

ROWS = (("1", "a"), ("2", "b"))


@pytest.mark.parametrize(
    ("again", "rows", "says"),
    [
        (ReadTwice(ROWS, None), ROWS, ""),
        (ReadTwice(None, "no file"), None, ""),
        (ReadTwice(ROWS[:1], None), ROWS, "expected those that Spark reads (1 = a, 2 = b), got 1 = a"),
        (ReadTwice((), None), ROWS[:1], "expected those that Spark reads (1 = a), got none"),
        (ReadTwice(None, "no file"), ROWS[:1], "expected those that Spark reads (1 = a), got no file"),
        (ReadTwice(ROWS[:1], None), None, "expected those that Spark reads (an error), got 1 = a"),
    ],
)
def test_two_readers_differ_in_rows_or_in_whether_there_are_any(again, rows, says):
    """Why one of them cannot read is its own affair."""
    assert again.differs_from(rows).removeprefix("rows read by hudi-rs: ") == says


def test_what_was_completed_twice_is_told_from_other_errors():
    """As hudi-rs says it."""
    error = "HudiCoreError: File group error: Timestamp 20261128130240616 is already present in File Group 3ff5cbca-0"
    assert ReadTwice(None, error).meets_twice
    assert not ReadTwice(None, "HudiCoreError: Timeline error").meets_twice
    assert not ReadTwice(ROWS, None).meets_twice


def test_what_is_no_table_cannot_be_read(tmp_path):
    """And the reader says why."""
    again = read_again(tmp_path)
    assert again is not None
    assert again.rows is None
    assert again.unreadable


def test_without_the_package_there_is_no_second_reader(tmp_path, monkeypatch):
    """It is optional."""
    monkeypatch.setattr(rust_reader, "PACKAGE", "a_package_that_nobody_has")
    assert read_again(tmp_path) is None
