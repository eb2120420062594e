"""How far clocks may be apart: until instants lose their order, or somebody alive is taken for dead."""

import pytest

from model.hudi import parse_options
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import (
    FILE_SYSTEM,
    INTERVAL,
    LOCK_PROVIDER,
    MISSES,
    MODE,
    OCC,
    RENEWAL,
    SKEW,
    STORAGE_BASED,
    VALIDITY,
    ZOOKEEPER,
)
from model.hudi.rules import SHIPPED
from model.hudi.storage import TableStorage
from sim.generation.generator import rules_of
from sim.hudi.build import EXPIRE, SCHEME
from sim.hudi.draw.clocks import in_time
from sim.hudi.generate import GENERATOR
from sim.world.scenario import FaultSpace
from tests.unit.hudi.worlds import Lab

HOSTS = ((MODE, OCC), (LOCK_PROVIDER, ZOOKEEPER))
SHORT = (*HOSTS, (INTERVAL, "1000"), (SKEW, "5000"))
OBJECT = (*HOSTS, (LOCK_PROVIDER, STORAGE_BASED), (SCHEME, "abfs"), (SKEW, "60000"), (VALIDITY, "10"), (RENEWAL, "1"))
FILE = (*HOSTS, (LOCK_PROVIDER, FILE_SYSTEM), (EXPIRE, "1"), (SKEW, "50000"))
BOUNDS = {
    "less than is waited for": (HOSTS, 199),
    "what a beat may be late": ((*SHORT, (MISSES, "3")), 2_000),
    "no miss may be taken for none": ((*SHORT, (MISSES, "1")), 0),
    "what a renewal leaves of a lock object": (OBJECT, 9_500),
    "what the wait leaves of a lock file": (FILE, 10_000),
}


@pytest.mark.parametrize(("options", "most_ms"), BOUNDS.values(), ids=list(BOUNDS))
def test_clocks_are_in_time_up_to_a_bound(options, most_ms):
    """Instants are in order, a beat of who lives is not too old, and a lock that is held has not expired."""
    config = parse_options(dict(options))
    assert in_time(config, (("w2", most_ms),) if most_ms else (), FaultSpace())
    assert not in_time(config, (("w2", most_ms + 1),), FaultSpace())


def test_steps_add_up_and_drift_has_no_bound():
    """Every fault may be a step of the same clock."""
    config = parse_options(dict(HOSTS))
    assert in_time(config, (("w2", 100),), FaultSpace({"write": ("clock-step",)}, limit=1, clock_step_ms=50))
    assert not in_time(config, (("w2", 100),), FaultSpace({"write": ("clock-step",)}, limit=2, clock_step_ms=50))
    assert not in_time(config, (), FaultSpace({"write": ("clock-slow",)}, limit=1, clock_drift_percent=1))


@pytest.mark.parametrize(("apart_ms", "dead"), [(1_000, False), (1_001, True)])
def test_who_beats_is_dead_for_a_clock_that_is_further_ahead(apart_ms, dead):
    """`HoodieHeartbeatClient.isHeartbeatExpired`: the own clock less the time that the storage gave the file."""
    lab = Lab((*SHORT, (MISSES, "2")))
    storage = TableStorage(lab.world("w1"), lab.config)
    Heartbeats(lab.world("w1"), storage, lab.config, SHIPPED).start(5)
    lab.wait(1_000)  # the next beat is due, and on its way
    judge = lab.world("w2")
    lab.now_ms = lambda: 1_000 + apart_ms  # type: ignore[method-assign]
    assert Heartbeats(judge, storage, lab.config, SHIPPED).is_expired(5) is dead


def test_nothing_is_promised_to_a_writer_that_a_clock_takes_for_dead():
    """A cleaner whose clock is a second ahead rolls back who beats each second, and may not miss one."""
    scenario = GENERATOR.make(GENERATOR.source(47_125))
    told = dict(scenario.parameters)
    assert rules_of(scenario.name) == "shipped"
    assert (told["clocks"], told[INTERVAL], told[MISSES]) == ("w2 +1000 ms", "1000", "1")
    assert scenario.summary.endswith("w2: Clean")
    assert told[SKEW] == "2000"
    assert "table-invariants" not in scenario.properties
