"""Annotations of port calls reach the step that they are about."""

from typing import NamedTuple

from reports.explanation.renderer import traced
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import Deviations
from sim.services.store import ObjectStore
from sim.world.world import RunNotes


class Wants(NamedTuple):
    """An intention of the test's own."""

    path: str


class Saw(NamedTuple):
    """An insight of the test's own."""

    value: object


def test_intentions_stand_at_the_next_call_and_insights_at_the_last_one_of_their_task():
    """Also where another task makes its calls in between."""
    kernel = Kernel(Choices(Deviations()))
    store, notes = ObjectStore(kernel), RunNotes(kernel)

    def body(path):
        notes.intend(Wants(path))
        store.put(path, 1)
        notes.learn(Saw(store.get(path)))

    kernel.start("w1", lambda: body("a"))
    kernel.start("w2", lambda: body("b"))
    kernel.drive()
    kernel.close()
    rows = traced(kernel.trace, kernel.notes)
    assert len(rows) == 4
    for row in rows:
        assert row.meanings == ((Wants(row.resource),) if row.point == "put" else (Saw(1),))
