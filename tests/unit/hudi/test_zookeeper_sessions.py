"""A session of ZooKeeper: who stands still for longer than it lasts loses what he holds, and nobody else does."""

from typing import Any

import pytest

from model.hudi.errors import ConfigError
from model.hudi.keys import IN_PROCESS, LOCK_PROVIDER, SESSION_TIMEOUT
from sim.generation.draws import PinError, seeded
from sim.hudi.build import ONE_GROUP, PAUSE_MS, PREFERRING, WRITES, race
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.hudi.built_in.zookeeper_sessions import EXPIRING, STANDS_STILL
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.search.explore import by_deviations
from sim.services.mutexes import SESSION_EXPIRED


@pytest.mark.parametrize(
    ("options", "loses"),
    [
        (EXPIRING, True),
        ((*EXPIRING[:-1], (SESSION_TIMEOUT, str(PAUSE_MS))), False),
        (EXPIRING[:-1], False),
    ],
    ids=["shorter than the pause", "as long", "not said"],
)
def test_a_lock_goes_with_a_session_that_a_pause_outlasts(options, loses):
    """By default a session lasts longer than any pause here."""
    scenario = race(
        "x", "", ONE_GROUP, options=options, one_process=False, faults=STANDS_STILL, yield_points=WRITES,
        properties=("one-lock-holder",),
    )  # fmt: skip
    found = by_deviations(scenario, 2)
    assert bool(found.failures) == loses
    assert (SESSION_EXPIRED in found.coverage) == loses


def test_a_lock_in_memory_is_no_matter_of_sessions():
    """Whatever is said of these."""
    options = (*PREFERRING, (SESSION_TIMEOUT, "1000"))
    assert dict(options)[LOCK_PROVIDER] == IN_PROCESS
    scenario = race(
        "x", "", ONE_GROUP, options=options, faults=STANDS_STILL, yield_points=WRITES, properties=("one-lock-holder",)
    )
    assert not by_deviations(scenario, 2).failures


def test_a_session_lasts_for_some_time():
    """One line names the option."""
    with pytest.raises(ConfigError, match=SESSION_TIMEOUT):
        race("x", "", ONE_GROUP, options=(*ZOOKEEPER_LOCK, (SESSION_TIMEOUT, "0")), one_process=False)


def test_sessions_that_expire_are_drawn_where_they_are_asked_for():
    """A seed gives the same race without them, and its name makes it again."""
    asked = CONFIGURATIONS["zookeeper-sessions"]
    for seed in range(10):
        mine: Any = GENERATOR.make(seeded(seed), asked)
        usual: Any = GENERATOR.make(seeded(seed), {**asked, SESSION_TIMEOUT: "unset"})
        options = dict(mine.program.workload.options)
        assert options.pop(SESSION_TIMEOUT) == "1000"
        assert options == dict(usual.program.workload.options)
        assert mine.program.workload.writers == usual.program.workload.writers
        assert GENERATOR.again(mine.name).program == mine.program


def test_sessions_of_another_lock_are_not_judged():
    """One line says what they need."""
    asked = {**CONFIGURATIONS["default"], SESSION_TIMEOUT: "1000"}
    with pytest.raises(PinError, match=f"option {SESSION_TIMEOUT}: expected unset unless {LOCK_PROVIDER} is Zookeeper"):
        GENERATOR.make(seeded(0), asked)
