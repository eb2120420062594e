"""Work in several processes at once, a process for each piece, so that one that dies takes nothing with it.

What a piece prints is kept and given back with its result, so that the caller can print in an order of its own.
"""

import io
import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, Generic, NamedTuple, TypeVar

from lakeproof.signals import Ended
from lakeproof.talk import announce_nothing

T = TypeVar("T")
GRACE_S = 10


class Done(NamedTuple, Generic[T]):
    """A piece that came to its end: its number from 0, its result (None: the process died), and what it printed."""

    number: int
    result: T | None
    out: str
    err: str


def in_processes(
    work: Sequence[Callable[[], T]], jobs: int, begun: Callable[[int], None] = lambda number: None
) -> Generator[Done[T], None, None]:
    """Do the pieces of `work`, at most `jobs` at once, begun in their order; each is given as soon as it is done.

    Args: `begun` is called with the number of each piece that begins. When the caller goes away early, what still runs
    is ended by SIGTERM.
    """
    context = multiprocessing.get_context("fork")  # a scenario is code, which cannot be sent to a process
    running: dict[Connection, tuple[int, ForkProcess]] = {}
    waiting = list(enumerate(work))[::-1]
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, piece = waiting.pop()
                begun(number)
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_do, args=(piece, theirs), daemon=True)
                running[ours] = number, process
                process.start()
                theirs.close()
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                number, process = running[ready]
                done: Done[T] = Done(number, *_received(ready))
                process.join()
                del running[ready]
                yield done
    finally:
        _end([process for _, process in running.values()])


def _received(ready: Connection) -> Any:
    try:
        return ready.recv()
    except EOFError:
        return None, "", ""
    finally:
        ready.close()


def _do(piece: Callable[[], T], answer: Connection) -> None:
    """In the new process: the terminal's Ctrl-C is for the parent, which ends this one in its own way."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    announce_nothing()
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            result = piece()
        answer.send((result, out.getvalue(), err.getvalue()))
    except Ended as ended:
        sys.exit(ended.code)


def _end(processes: list[ForkProcess]) -> None:
    started = [process for process in processes if process.pid is not None]
    for process in started:
        process.terminate()
    for process in started:
        process.join(GRACE_S)
        if process.is_alive():
            process.kill()
            process.join()
