"""A file of which nothing is stored but its name."""

import pytest

from model.ports import AlreadyExists, PortError
from sim.kernel.errors import ScheduleError
from sim.services.file_system import FileSystem
from tests.unit.sim.test_partitions_and_clocks import First
from tests.unit.sim.worlds import Small


def world(fault, operation, act, *, atomicity="atomic"):
    """A small world with files, in which w1 makes its calls under one fault at an operation."""
    small = Small(faults=First(fault, operation))
    files = FileSystem(small.kernel)
    files.write("d/old", "before")
    files.atomicity = atomicity

    def body():
        try:
            small.log.append(act(files))
        except PortError as error:
            small.log.append(type(error).__name__)

    task = small.task("w1", body)
    small.kernel.drive()
    return small, files, task


@pytest.mark.parametrize("operation", ["create", "write"])
def test_a_torn_file_is_there_and_empty_and_the_connection_closes(operation):
    """Its writer cannot tell it from a lost answer."""
    small, files, _ = world("torn", operation, lambda files: getattr(files, operation)("d/new", "body"))
    assert small.log == ["ConnectionLost"]
    assert files.read("d/new") is None
    assert [(row[2], row[4], row[6]) for row in small.kernel.trace] == [(operation, ("d/new", None), "torn")]


def test_writing_over_a_file_can_lose_what_was_in_it():
    """The storage opens it anew."""
    _, files, _ = world("torn", "write", lambda files: files.write("d/old", "after"))
    assert files.read("d/old") is None


def test_a_writer_may_die_over_a_torn_file():
    """Nobody is told."""
    small, files, task = world("torn-crash", "create", lambda files: files.create("d/new", "body"))
    assert (small.log, task.crashed, files.read("d/new")) == ([], True, None)


def test_a_create_that_is_refused_tears_nothing():
    """What is there stays."""
    small, files, _ = world("torn", "create", lambda files: files.create("d/old", "body"))
    assert (small.log, files.read("d/old")) == (["ConnectionLost"], "before")
    assert small.kernel.trace[0][5] == AlreadyExists.__name__


def test_where_a_create_looks_first_its_write_is_what_is_torn():
    """A torn look is one without an answer."""
    small, files, _ = world("torn", "create", lambda files: files.create("d/new", 1), atomicity="check-then-put")
    assert (small.log, files.exists("d/new")) == (["ConnectionLost"], False)
    small, files, _ = world("torn", "open-w", lambda files: files.create("d/new", 1), atomicity="check-then-put")
    assert (small.log, files.read("d/new")) == (["ConnectionLost"], None)


def test_what_is_no_write_of_a_file_cannot_be_torn():
    """An object store's put is there as a whole or not at all."""
    small = Small(faults=First("torn", "put"))
    small.task("w1", lambda: small.store.put("a", 1))
    with pytest.raises(ScheduleError, match=r"fault torn at w1.put\(a\): expected a write of a file, got none"):
        small.kernel.drive()
