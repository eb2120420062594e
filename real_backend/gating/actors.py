"""Threads that live runs use one after the other: one for each actor, and one for set-up and read-back.

Choices: the threads are kept from run to run, because a new thread costs a py4j connection and a JVM thread; they are
daemons, so that a JVM that hangs cannot keep this process alive.
"""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

from real_backend.errors import BackendTimeout

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
