"""What an actor does when its run is given up. No JVM."""

import pytest

from model.hudi.config import parse_options
from real_backend.gating.gate import Gate
from real_backend.hudi.race import Race
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
    return Race(workload, parse_options({}), table, Ungated(), (), lambda _: client, lambda: None)


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
