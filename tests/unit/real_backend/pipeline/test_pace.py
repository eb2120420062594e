"""How many slices a wave has."""

from itertools import count

from real_backend.pipeline.pace import Pace
from real_backend.pipeline.schema import SliceRow
from real_backend.pipeline.slices import Slice


def of(name, low=0):
    """A slice of the configuration of this name."""
    return Slice("g", "p", name, (), "shipped", low, low + 1)


def cost(name, cpu_s):
    """The row of a slice that cost so much."""
    return SliceRow("key", "p", name, "shipped", 0, 1, 1, 1, 0, 0, 0, 0, 0, (), (), cpu_s, "d")  # fmt: skip


class Clock:
    """A clock that is put forward by hand."""

    at = 0.0

    def __call__(self) -> float:
        return self.at


def names(wave):
    """The configurations of a wave's slices."""
    return "".join(one.configuration for one in wave)


def in_turn(configurations):
    """A slice of each, again and again."""
    return (of(name, low) for low in count() for name in configurations)


def test_the_first_wave_has_a_slice_for_each_core():
    """Nothing is known yet."""
    assert names(Pace(in_turn("abc"), None, 60, 2).next()) == "ab"


def test_a_wave_has_what_fits_by_what_each_configuration_took():
    """A slow one takes the place of many fast ones, and what did not fit is the first of the next wave."""
    pace = Pace(in_turn("ab"), None, 60, 1)
    pace.measured([cost("a", 1), cost("b", 29)], 30)
    assert names(pace.next()) == "abab"
    pace.measured([cost("a", 1), cost("b", 5)], 12)  # twice as slow as its CPU time says
    assert names(pace.next()) == "ababababab"


def test_what_was_never_timed_is_tried_a_few_at_a_time():
    """Four for each core, whatever others took."""
    pace = Pace(in_turn("abcdefgh"), None, 60, 1)
    assert names(pace.next()) == "a"
    pace.measured([cost("a", 0.1)], 0.1)
    assert names(pace.next()) == "bcde"


def test_a_wave_that_is_too_short_for_any_slice_has_one_for_each_core():
    """Else the campaign would never go on."""
    pace = Pace(in_turn("a"), None, 1, 2)
    pace.measured([cost("a", 9)], 9)
    assert names(pace.next()) == "aa"


def test_the_last_wave_fits_into_what_is_left_of_the_time():
    """And when nothing does, the campaign is over."""
    clock = Clock()
    pace = Pace(in_turn("a"), 100, 60, 1, clock)
    pace.measured([cost("a", 9)], 9)
    clock.at = 80.0
    assert names(pace.next()) == "aa"
    clock.at = 99.0
    assert pace.next() == []
    clock.at = 101.0
    assert pace.next() == []


def test_slices_that_are_over_are_over():
    """The last wave is what is left."""
    pace = Pace([of("a"), of("b")], None, 60, 4)
    assert names(pace.next()) == "ab"
    assert pace.next() == []
