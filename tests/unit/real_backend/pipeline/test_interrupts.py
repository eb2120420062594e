"""Ctrl-C while the JVM is asked something."""

import signal
import threading

import pytest

from real_backend.pipeline.interrupts import interrupted_later


@pytest.fixture(autouse=True)
def _heard():
    """Ctrl-C is heard, also by tests that a shell has started in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def call(done: list[str], error: Exception | None = None) -> None:
    """A call in which Ctrl-C comes."""
    with interrupted_later():
        signal.raise_signal(signal.SIGINT)
        done.append("the call")
        if error is not None:
            raise error


def test_an_interrupt_comes_when_the_call_has_ended():
    """What runs is done to its end, and then it is as if Ctrl-C had come now; the handler is the old one again."""
    done: list[str] = []
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        call(done)
    assert done == ["the call"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_call_that_fails_loses_no_interrupt():
    """The interrupt comes, and the failure is what it came in."""
    with pytest.raises(KeyboardInterrupt) as met:
        call([], ValueError("the call"))
    assert isinstance(met.value.__context__, ValueError)


def test_without_an_interrupt_nothing_happens():
    """In the main thread, and in another one, where no handler can be set."""
    with interrupted_later():
        pass
    ended = []

    def elsewhere() -> None:
        with interrupted_later():
            ended.append(True)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(10)
    assert ended == [True]
