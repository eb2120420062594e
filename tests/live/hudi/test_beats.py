"""The heartbeat timer of the real Hudi 1.2.0: one write that fails is its last, and nobody is told."""

import threading
from functools import partial

import pytest

from model.hudi.options import parse_options
from real_backend.gating.actors import Workers
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.storage import StorageGate
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC, SHIPPED_BEATS

pytestmark = pytest.mark.live
BEATS = 6  # of the other timer, after which the writer has been silent for more than its two seconds


class OneBeatFails:
    """In place of a gate: everything passes, but for the first beat of one actor's timer; counts the beats."""

    def __init__(self, fails: str) -> None:
        self._fails = fails
        self._changed = threading.Condition()
        self.beats: dict[str, int] = {}
        self.failed = 0

    def hold(self, actor: str, operation: str, resource: str) -> str | None:
        """Fail the first write of the timer that is to fail."""
        if (operation, resource) != ("write", "heartbeat") or not actor.endswith("-heartbeat"):
            return None
        with self._changed:
            fault = "drop-before" if actor == f"{self._fails}-heartbeat" and not self.failed else None
            self.failed += fault is not None
            self.beats[actor] = self.beats.get(actor, 0) + 1
            self._changed.notify_all()
            return fault

    def note(self, actor: str, outcome: str | None = None) -> None:
        """Nobody asks."""

    def await_beats(self, actor: str, count: int) -> None:
        """Wait for so many more beats of an actor's timer."""
        with self._changed:
            wanted = self.beats.get(f"{actor}-heartbeat", 0) + count
            assert self._changed.wait_for(lambda: self.beats.get(f"{actor}-heartbeat", 0) >= wanted, 60.0)


def writers_with(spark, gate):
    """Two clients that have written and not committed, each on a thread of its own; what w1 is told in the end."""
    session = spark[0]
    table, storage, workers = LiveTable(session, session.location("hudi") / "beats"), StorageGate(session), Workers()
    options = write_options(parse_options(dict((*OPTIMISTIC, *SHIPPED_BEATS))), table.path, gated=False)
    clients = {}

    def write(actor: str, partition: str) -> None:
        storage.act(actor)
        client = clients[actor] = SplitClient(session, str(table.path), options)
        client.start()
        client.insert(((actor, partition, "v"),), 1)

    def commit(actor: str) -> str:
        try:
            clients[actor].commit()
        except Exception as error:
            return root_cause(error)
        return "ok"

    workers.call("setup", table.create, "the table")
    storage.install(gate, str(table.path))
    try:
        workers.call("w1", partial(write, "w1", "p1"), "w1's write")
        workers.call("w2", partial(write, "w2", "p2"), "w2's write")
        gate.await_beats("w2", BEATS)
        return {actor: workers.call(actor, partial(commit, actor), "a commit") for actor in ("w1", "w2")}
    finally:
        storage.uninstall()
        for actor, client in clients.items():
            workers.call(actor, client.close, "a close")
        workers.close()


def test_one_failed_heartbeat_write_ends_the_timer_for_good(spark):
    """w2's timer beats on beside it; w1's never does again, and its commit is refused although it is alive and well."""
    gate = OneBeatFails("w1")
    told = writers_with(spark, gate)
    assert gate.failed == 1
    assert gate.beats["w1-heartbeat"] == 1
    assert told["w1"].startswith("HoodieException: Heartbeat for instant")
    assert told["w2"] == "ok"


def test_without_it_both_timers_beat_on(spark):
    """The control: the same two writers, no failure."""
    gate = OneBeatFails("nobody")
    assert writers_with(spark, gate) == {"w1": "ok", "w2": "ok"}
    assert min(gate.beats.values()) >= BEATS - 1
