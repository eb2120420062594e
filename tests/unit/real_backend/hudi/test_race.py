"""What an actor does when its run is given up, and how long waits take. No JVM."""

import threading
import time

import pytest

from model.hudi.options import parse_options
from real_backend.gating.gate import Gate
from real_backend.gating.play import run_rest
from real_backend.hudi.race import SLEEP_MORE_MS, Race
from real_backend.hudi.storage import Ungated
from sim.hudi.statements import Clean, Upsert
from sim.hudi.workload import HudiWorkload


class Client:
    """Knows only whether it was closed."""

    instant = None
    closed = False

    def close(self):
        self.closed = True


def race_of(workload, client, table=None):
    """A race without a live system."""
    return Race(workload, parse_options({}), table, Ungated(), (), lambda _name, _columns: client, lambda: None)


@pytest.mark.parametrize("statement", [Upsert(((1, "A"),)), Clean()])
def test_client_of_a_run_that_was_given_up_is_closed(statement):
    """Also where `close` is a step: its timers must not survive the run."""
    workload, client = HudiWorkload((("w1", (statement,)),)), Client()
    race = race_of(workload, client)
    race.gate = Gate(workload.actors)
    race.gate.abandon("the run was given up")
    race.act("w1")
    assert client.closed
    assert dict(race.journal.outcomes(("w1",)))["w1"].startswith("Abandoned")


@pytest.mark.parametrize(("waits_ms", "slept"), [((180_000, 180_000), [1]), ((60_000, 180_000), [0.5, 1])])
def test_waits_that_began_together_end_together(monkeypatch, waits_ms, slept):
    """Of a wait only what has not passed already takes real time: here of tolerances of two minutes."""
    slept_s: list[float] = []
    monkeypatch.setattr(time, "sleep", slept_s.append)
    writers = tuple([(f"w{n}", (Clean(after_ms=wait_ms),)) for n, wait_ms in enumerate(waits_ms, 1)])
    race = race_of(HudiWorkload(writers), Client())
    race.gate = Gate(
        race.actors, lambda actor: threading.Thread(target=_act, args=(race, actor), daemon=True).start(),
        yield_points=("sleep",),
    )  # fmt: skip
    for actor in race.actors:
        race.gate.await_blocked(actor)
    run_rest(race.gate)
    assert slept_s == [share * 120 + SLEEP_MORE_MS / 1000 for share in slept]


def _act(race, actor):
    race.act(actor)
    race.gate.finish(actor)
