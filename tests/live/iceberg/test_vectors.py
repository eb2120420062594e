"""Test vectors on the real Iceberg's builders: the model's answer is Java's."""

import pytest

from real_backend.iceberg.bare_jvm import bare_jvm
from tests.live.iceberg.drawn_vectors import drawn
from tests.live.iceberg.java_vectors import PLAYABLE, JavaVectors
from tests.unit.iceberg import vectors

pytestmark = pytest.mark.live
DRAWN = 200


@pytest.fixture(scope="module")
def java_vectors():
    """A catalog on a bare JVM."""
    with bare_jvm() as jvm:
        yield JavaVectors(jvm)


@pytest.mark.parametrize("name", PLAYABLE)
def test_java_answers_as_the_model_does(java_vectors, name):
    """Error class, live files, deletes that apply, labels and sequence numbers."""
    vector = vectors.BY_NAME[name]
    on_java = java_vectors.play(vector)
    on_model = vectors.run(vector)
    assert {key: on_model.get(key) for key in on_java} == on_java


def test_a_bin_that_cannot_be_read_leaves_what_was_written(java_vectors):
    """The commit's own manifest, and what was written of the merged one: as vector `bin-that-cannot-be-read` says."""
    assert java_vectors.left_by_a_bin_that_cannot_be_read() == ("NotFoundException", 2)
    assert vectors.run(vectors.BY_NAME["bin-that-cannot-be-read"])["left_over"] == 2


def test_java_answers_drawn_vectors_as_the_model_does(java_vectors):
    """With equality deletes, numbers that are pinned and transactions among them; those that are refused, too."""
    errors = set()
    for seed in range(DRAWN):
        vector = drawn(seed)
        on_model = vectors.run(vector)
        if not on_model["surprises"]:
            on_java = java_vectors.play(vector)
            assert {key: on_model.get(key) for key in on_java} == on_java, vector
            errors.add(on_java["error"])
    assert errors == {None, "ValidationFailed"}
