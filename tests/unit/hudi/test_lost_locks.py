"""The storage-based lock around its provider: who is interrupted, how long it is renewed, and how it can be set."""

from typing import Any

import pytest

from model.hudi import SHIPPED, coverage
from model.hudi.errors import ConfigError
from model.hudi.keys import RENEWAL, SKEW, VALIDITY
from model.hudi.options import parse_options
from model.hudi.storage_lock import Interruptible
from model.ports import PortError
from sim.generation.sweep import Plan, sweep
from sim.hudi.build import race
from sim.hudi.built_in.locks import ALONE
from sim.hudi.built_in.storage_locks import SHORT, STORAGE_LOCK
from sim.hudi.generate import GENERATOR
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.mutants.hudi_storage_lock import NEVER_RENEWED
from tests.unit.hudi.worlds import Lab


def test_an_interrupted_client_fails_at_its_next_call_and_no_other() -> None:
    """As a thread whose flag has been taken."""
    files: Any = Interruptible(Lab().files)
    assert not files.exists("x")
    files.interrupt()
    with pytest.raises(PortError, match="interrupted"):
        files.exists("x")
    assert not files.exists("x")


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({VALIDITY: "299"}, "at least ten times"),
        ({VALIDITY: "9", RENEWAL: "1"}, "at least 10"),
        ({RENEWAL: "0"}, "at least 1"),
        ({"fs.scheme": "file"}, "unless fs.scheme is abfs"),
    ],
)
def test_settings_that_hudi_refuses_are_refused(options: dict[str, str], allowed: str) -> None:
    """`StorageBasedLockConfig.Builder.build`, and the schemes that have a `StorageLockClient`."""
    with pytest.raises(ConfigError, match=allowed):
        parse_options({**dict(STORAGE_LOCK), **options})
    old = parse_options({**dict(STORAGE_LOCK), "hoodie.write.lock.storage.heartbeat.poll.secs": "3"})
    assert old.lock_renewal_s == 3


def test_the_helper_renews_while_its_holder_works() -> None:
    """At its rate, from the beginning of a long critical section to its end; a lock that nobody renews runs out."""
    options = tuple({**dict(STORAGE_LOCK), **dict(SHORT), SKEW: "12000"}.items())
    scenario = race("x", "", ALONE, rules=SHIPPED, options=options, properties=("readable",), one_process=False)
    assert Runner(scenario).run(FirstCome()).coverage[coverage.LOCK_RENEWED] == 2 * 12
    with NEVER_RENEWED.alive():
        assert coverage.LOCK_RENEWED not in Runner(scenario).run(FirstCome()).coverage


STARVED = 31_083
"""A clock is set back at a renewal, and whoever waits for the lock has the higher priority from then on."""


def test_a_renewal_that_a_fault_puts_off_is_not_kept_waiting_for_as_long_as_a_lease() -> None:
    """Only a pause takes time: waiting for a turn while others sleep is no reason to lose a lock."""
    settings = GENERATOR.configurations["storage-lock"]
    scenario = GENERATOR.make(GENERATOR.source(STARVED, settings), settings)
    assert "clock-step-back" in scenario.faults.names
    assert "one-lock-holder" in scenario.properties
    swept = sweep(scenario, Plan(first=16, most=48))
    assert not swept.failures
    assert swept.coverage["fault clock-step-back"]
