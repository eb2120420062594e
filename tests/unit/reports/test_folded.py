"""No line of a text is longer than a person, a log or a mail takes: what is longer goes on in the next one."""

import pytest

from reports.pages.text import folded, judged_text
from reports.record import Judged


@pytest.mark.parametrize("line", ["short", "  indented", "", "x" * 440])
def test_what_fits_stays_as_it_is(line):
    """Also its indentation."""
    assert folded(line) == line


def test_what_does_not_fit_goes_on_with_an_indent():
    """All words are there; a word that is too long itself is broken."""
    line = "  holds (" + "alter_table and " * 100 + "y" * 1_000 + ")"
    lines = folded(line).split("\n")
    assert max(map(len, lines)) <= 440
    assert lines[0].startswith("  holds (alter_table and ")
    assert all(one.startswith("    ") for one in lines[1:])
    assert "".join("".join(lines).split()) == "".join(line.split())


def test_names_that_a_record_has_by_the_hundred_are_folded():
    """Of a record that somebody has edited, say."""
    judged = Judged("unknown", results={}, findings=(), also_not=("x" * 5_000, "y"), reasons=(), rows=())
    assert max(map(len, judged_text(judged).splitlines())) <= 440
