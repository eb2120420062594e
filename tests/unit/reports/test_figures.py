"""Figures as text."""

import pytest

from reports.pictures.figures import column_texts, figures_columns, number_text, short_text, short_texts, table_texts
from sim.search.study import Estimate, Table
from tests.unit.reports.studies import LINES


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1_234_567, "1,234,567"), (1234.567, "1,235"), (0.0, "0"), (0.3333, "0.333"), (12.5, "12.5"),
     (-2.25, "-2.25"), (1e-9, "0.000000"), (True, "True")],
)  # fmt: skip
def test_a_figure_has_no_more_decimals_than_a_reader_can_use(value, text):
    """Half a percent is close enough; six decimals are the most."""
    assert (column_texts([value]) == (text,)) if isinstance(value, bool) else (number_text(value) == text)


@pytest.mark.parametrize(
    ("value", "text"), [(999_999, "999,999"), (12_345_678, "12.3 M"), (5e9, "5 G"), (2e12, "2 T"), (-3e6, "-3 M")]
)
def test_large_figures_are_short_where_room_is(value, text):
    """Three digits."""
    assert short_text(value) == text


def test_figures_of_a_column_stand_under_each_other():
    """The same number of decimals in all of them, integers among them; gaps and words stay."""
    assert column_texts([1, 0.25, None, "n", 1_000.0]) == ("1.00", "0.25", "-", "n", "1,000.00")


def test_columns_of_figures_and_gaps_are_explained_from_columns_of_words():
    """A column of gaps alone holds no figures."""
    assert figures_columns(LINES) == (False, True, True, True)
    assert figures_columns(Table("t", ("a", "b"), ((None, 1), (None, "x")))) == (False, False)


def test_a_table_without_rows_has_no_texts():
    """And its columns hold no figures."""
    empty = Table("t", ("a",), ())
    assert table_texts(empty) == ()
    assert figures_columns(empty) == (False,)


def test_figures_beside_each_other_have_the_same_number_of_decimals():
    """Whole ones too, unless one is so large that its letter says more."""
    assert short_texts([27.1, 26.35, 30.0]) == {27.1: "27.1", 26.35: "26.4", 30.0: "30.0"}
    assert short_texts([50.0, 25.0]) == {50.0: "50", 25.0: "25"}
    assert short_texts([12_000_000.0, 0.5]) == {12_000_000.0: "12 M", 0.5: "0.5"}
    assert short_texts([]) == {}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Estimate(57.83, 56.61, 59.05), "57.8 ± 1.2"),
        (Estimate(22_456.1, 21_726.3, 23_185.9), "22,456 ± 730"),
        (Estimate(0.0, 0.0, 0.125), "0 (0 to 0.12)"),
        (Estimate(4.6, 0.0, 11.3), "5 (0 to 11)"),
        (Estimate(50.0, 50.0, 50.0), "50"),
    ],
)
def test_an_estimate_is_told_with_its_interval(cell, text):
    """With no more decimals than its width allows."""
    assert column_texts([cell]) == (text,)
    assert figures_columns(Table("t", ("a",), ((cell,), (None,)))) == (True,)
