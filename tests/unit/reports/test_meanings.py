"""Annotations of port calls reach the step that they are about."""

from typing import NamedTuple

import pytest

from reports.explanation.renderer import traced
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.kernel.trace import Note
from sim.search.strategies import Deviations
from sim.services.store import ObjectStore
from sim.world.world import RunNotes


class Wants(NamedTuple):
    """An intention of the test's own."""

    path: str


class Saw(NamedTuple):
    """An insight of the test's own."""

    value: object


def test_insight_stands_where_the_service_acted_also_if_the_answer_is_a_step_of_its_own():
    """Not at the answer."""
    kernel = Kernel(Choices(Deviations()), split_replies=True)
    kept: list[Note] = []
    store, notes = ObjectStore(kernel), RunNotes(kernel, kept)

    def body():
        store.put("a", 1)
        notes.learn(Saw(1))

    kernel.start("w1", body)
    kernel.drive()
    kernel.close()
    assert [(row.operation, row.meanings) for row in traced(kernel.trace, kept)] == [
        ("put", (Saw(1),)), ("put/reply", ()),
    ]  # fmt: skip


def test_intentions_stand_at_the_next_call_and_insights_at_the_last_one_of_their_task():
    """Also where another task makes its calls in between."""
    kernel = Kernel(Choices(Deviations()))
    kept: list[Note] = []
    store, notes = ObjectStore(kernel), RunNotes(kernel, kept)

    def body(path):
        notes.intend(Wants(path))
        store.put(path, 1)
        notes.learn(Saw(store.get(path)))

    kernel.start("w1", lambda: body("a"))
    kernel.start("w2", lambda: body("b"))
    kernel.drive()
    kernel.close()
    rows = traced(kernel.trace, kept)
    assert len(rows) == 4
    for row in rows:
        assert row.meanings == ((Wants(row.resource),) if row.call == "put" else (Saw(1),))


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        (("get", "a"), ("get", "a"), True),
        (("create", "a"), ("open-w", "a"), True),
        (("get", "a"), ("get/reply", "a"), True),
        (("get", "a"), ("get", "b"), False),
        (("put", "a"), ("get", "a"), False),
    ],
)
def test_the_steps_of_one_call_share_its_intention(first, second, shared):
    """A pause before it, its two halves, its reply; another call does not."""
    trace = [(0, "w1", operation, path, (), None, "") for operation, path in (first, second)]
    one, two = traced(trace, [(0, "w1", False, Wants("a"))])
    assert one.meanings == (Wants("a"),)
    assert two.meanings == ((Wants("a"),) if shared else ())
