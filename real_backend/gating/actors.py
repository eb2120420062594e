"""Running the bodies of several actors under one gate and one schedule, each on a thread of its own.

Choices: the threads are kept from run to run, because a new thread costs a py4j connection and a JVM thread; they are
daemons, so that a JVM that hangs cannot keep this process alive.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from real_backend.errors import BackendTimeout
from real_backend.gating.gate import Gate
from real_backend.gating.play import play
from sim.kernel.schedule import Step

END_S = 30.0
CALL_S = 120.0
Body = Callable[[], None]
Result = TypeVar("Result")


class Workers:
    """One kept thread per actor name."""

    def __init__(self) -> None:
        self._queues: dict[str, queue.SimpleQueue[Body | None]] = {}
        self._threads: dict[str, threading.Thread] = {}

    def submit(self, name: str, body: Body) -> None:
        """Run `body` on the thread of this name. `body` must not raise."""
        if name not in self._queues:
            tasks: queue.SimpleQueue[Body | None] = queue.SimpleQueue()
            self._queues[name] = tasks
            self._threads[name] = threading.Thread(target=_serve, args=(tasks,), name=f"lakeproof-{name}", daemon=True)
            self._threads[name].start()
        self._queues[name].put(body)

    def call(self, name: str, body: Callable[[], Result], what: str, timeout_s: float = CALL_S) -> Result:
        """Run `body` on the thread of this name and return what it returns, or raise what it raises.

        Raises: `BackendTimeout` naming `what`, if it takes longer than `timeout_s`.
        """
        answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

        def answer() -> None:
            try:
                answers.put((body(), None))
            except BaseException as error:
                answers.put((None, error))

        self.submit(name, answer)
        try:
            result, error = answers.get(timeout=timeout_s)
        except queue.Empty:
            self.forget(name)
            raise BackendTimeout(f"{what}: expected an end within {timeout_s:g} s, got none") from None
        if error is not None:
            raise error
        return result  # type: ignore[return-value]  # there is no error, so it is the body's result

    def forget(self, name: str) -> None:
        """Leave a thread that hangs to itself; the next body of this name gets a new one."""
        self._queues.pop(name).put(None)
        del self._threads[name]

    def close(self) -> None:
        """End all threads, waiting for each a little."""
        for tasks in self._queues.values():
            tasks.put(None)
        for thread in self._threads.values():
            thread.join(END_S)
        self._queues.clear()
        self._threads.clear()


def _serve(tasks: "queue.SimpleQueue[Body | None]") -> None:
    while (body := tasks.get()) is not None:
        body()
        del body  # what the body holds (Java objects) must not live until the next one comes


def run_actors(
    workers: Workers,
    bodies: Mapping[str, Body],
    gate_of: Callable[[Callable[[str], None]], Gate],
    schedule: Sequence[Step] | Callable[[Gate], None],
) -> Gate:
    """Run every body under a gate as the schedule says; return the gate, all actors having ended.

    Args: `gate_of` makes the gate from the launcher that it is to call, and puts it before the live system;
    `schedule` is the steps to play, or a function that releases the gate itself.
    Raises: `Divergence`, `BackendTimeout`, or what a body raised: an outcome of the system under test is for the body
    to note, so what it raises is a fault of ours. All actors have ended then, too.
    """
    raised: list[BaseException] = []

    def launch(actor: str) -> None:
        workers.submit(actor, lambda: _run(actor))

    def _run(actor: str) -> None:
        try:
            bodies[actor]()
        except BaseException as error:
            raised.append(error)
        gate.finish(actor)

    gate = gate_of(launch)
    try:
        if callable(schedule):
            schedule(gate)
        else:
            play(gate, schedule)
    except BaseException as error:
        gate.abandon(f"the run was given up: {error}")
        _await_end(workers, gate)
        raise
    if raised:
        raise raised[0]
    return gate


def _await_end(workers: Workers, gate: Gate) -> None:
    deadline = time.monotonic() + END_S
    while gate.running and time.monotonic() < deadline:
        time.sleep(0.01)
    for actor in gate.running:
        workers.forget(actor)
