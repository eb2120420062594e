"""Test vectors on the real Iceberg's builders: the model's answer is Java's."""

import pytest

from real_backend.jvm.bare_jvm import bare_jvm
from tests.live.iceberg.java_vectors import PLAYABLE, JavaVectors
from tests.unit.iceberg import vectors

pytestmark = pytest.mark.live


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
