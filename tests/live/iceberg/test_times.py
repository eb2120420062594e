"""Expiry by age and roll-back to a time on the real Iceberg: the model's answer is Java's."""

import pytest

from real_backend.iceberg.bare_jvm import bare_jvm
from tests.live.iceberg.drawn_times import drawn
from tests.live.iceberg.java_times import JavaTimes
from tests.unit.iceberg import times_vectors

pytestmark = pytest.mark.live
DRAWN = 200


@pytest.fixture(scope="module")
def java_times():
    """A catalog on a bare JVM."""
    with bare_jvm() as jvm:
        yield JavaTimes(jvm)


@pytest.mark.parametrize("name", times_vectors.BY_NAME)
def test_java_answers_as_the_model_does(java_times, name):
    """Error class, snapshots that are left, and where refs point."""
    vector = times_vectors.BY_NAME[name]
    assert java_times.play(vector) == times_vectors.run(vector)


def test_java_answers_drawn_vectors_as_the_model_does(java_times):
    """Tables with several lines, refs of every kind, and clocks that are ahead or behind."""
    errors = set()
    for seed in range(DRAWN):
        vector = drawn(seed)
        on_java = java_times.play(vector)
        assert on_java == times_vectors.run(vector), vector
        errors.add(on_java["error"])
    assert errors == {None, "InvalidOperation", "ValidationFailed"}
