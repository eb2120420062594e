"""Estimates: an interval around every mean, and none seen is not none."""

import pytest

from sim.search.study import SEEDS, Estimate, estimate, middle, over_seeds, share, student_975


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262), (19, 2.093), (99, 1.984)]
)
def test_students_quantile_is_that_of_the_tables(freedom, quantile):
    """Within one percent."""
    assert student_975(freedom) == pytest.approx(quantile, rel=0.01)


def test_a_mean_has_an_interval():
    """2.093 standard errors to both sides for twenty seeds; wider for fewer."""
    found = estimate([10.0, 12.0] * (SEEDS // 2))
    assert found is not None
    assert found.mean == 11.0
    assert found.mean - found.low == pytest.approx(found.high - found.mean)
    assert found.high - found.mean == pytest.approx(2.093 * 1.02598 / 20**0.5, rel=0.01)
    fewer = estimate([10.0, 12.0] * 2)
    assert fewer is not None
    assert fewer.high > found.high


def test_what_was_not_measured_has_no_mean():
    """A gap is no zero; one value is its own interval; times do not fall below zero."""
    assert estimate([None, None]) is None
    assert estimate([None, 3.0]) == Estimate(3.0, 3.0, 3.0)
    spread = estimate([0.0, 0.0, 0.0, 9.0])
    assert spread is not None
    assert spread.low == 0.0


def test_one_seed_has_no_interval_and_says_so():
    """Not even the rule of three, which knows nothing of how seeds differ."""
    assert share([0], [120]) == Estimate(0.0, 0.0, 0.0)
    assert share([120], [120]) == Estimate(100.0, 100.0, 100.0)
    assert over_seeds(1) == "One seed, and so no intervals: another seed may give quite other figures"
    assert over_seeds(50) == "Means over 50 seeds with intervals of 95 %"


def test_nothing_seen_is_less_than_three_in_as_many():
    """And nothing missed is more than all but three."""
    assert share([0] * 20, [120] * 20) == Estimate(0.0, 0.0, 0.125)
    assert share([5, 5], [5, 5]) == Estimate(100.0, 70.0, 100.0)
    assert share([0], [0]) is None
    some = share([1, 3], [10, 10])
    assert some is not None
    assert some.mean == 20.0


def test_a_median_has_an_interval_between_two_values():
    """Of twenty the sixth and the fifteenth, as tables of the sign test say; of five no two are far enough apart."""
    assert middle([float(number) for number in range(1, 21)]) == Estimate(10.5, 6.0, 15.0)
    assert middle([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == Estimate(3.5, 1.0, 6.0)
    assert middle([1.0, 2.0, 3.0, 4.0, 9.04]) == 3.0


def test_a_median_among_what_never_came_to_an_end():
    """None if it is one of those; alone if its interval would end there."""
    never = float("inf")
    assert middle([1.0, 2.0, 3.0, 4.0, 5.0, never]) == 3.5
    assert middle([1.0, never, never]) is None
