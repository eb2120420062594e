"""Storage faults and process death in the real Hudi, at each place of a write: the same as in the simulation."""

import pytest

from model.hudi import SHIPPED
from real_backend.hudi.history import history_of
from real_backend.hudi.yield_points import translated_step
from sim.hudi.build import FILE_LOCK, TWO_GROUPS, Writers, race
from sim.hudi.live import CHANGES
from sim.hudi.statements import Upsert
from sim.kernel.schedule import Schedule, parse_step
from sim.search.run import Runner
from sim.search.strategies import Deviations
from tests.live.hudi.agreement import agreed

pytestmark = pytest.mark.live
WRITERS: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))]}
PROPERTIES = ("acknowledged-writes-survive", "table-invariants")


def scenario(writers=WRITERS, **table):
    """w1 meets the fault; w2 writes another file group after it."""
    return race("faults", "", writers, rules=SHIPPED, groups=TWO_GROUPS, properties=PROPERTIES, **table)


def injected(hudi, place, fault, nth=1, **table):
    """Simulate the first run that comes to `place`, with the fault there, and play it live. Returns both runs.

    Args: `nth`: which time that it comes there, from 1.
    """
    question = scenario(**table)
    runner = Runner(question, yield_points=CHANGES)
    before = runner.run(Deviations())
    exact = [parse_step(f"{row[1]}.{row[2]}({row[3]})") for row in before.trace if row[2] in CHANGES]
    names = [str(translated_step(step)) for step in exact]
    number = [at for at, name in enumerate(names) if name == f"w1.{place}"][nth - 1]
    return both(hudi, question, runner.play([*exact[:number], parse_step(f"{exact[number]}!{fault}")]))


def both(hudi, question, run):
    """Play a simulated run live; both must agree. Returns both runs."""
    return run, agreed(hudi, question, run)


@pytest.mark.parametrize("fault", ["drop-before", "drop-after", "crash"])
@pytest.mark.parametrize("place", ["create(requested)", "create(inflight)", "create(marker)", "create(data)"])
def test_failure_before_the_commit_has_no_effect_on_the_table(hudi, place, fault):
    """The writer is told, or is dead; the table shows the other one's row only, whatever files are left."""
    _, live = injected(hudi, place, fault)
    assert (live.outcome("w1") == "crashed") == (fault == "crash")
    assert live.outcome("w1") != "ok"
    assert live.rows == (("1", "a"), ("2", "B"))
    assert live.left.heartbeats != ()


@pytest.mark.parametrize(
    ("fault", "value", "known"), [("drop-before", "a", False), ("drop-after", "A", False), ("crash", "a", True)]
)
def test_lost_answer_to_the_commit_leaves_the_outcome_open(hudi, fault, value, known):
    """The client is told of a failure in both cases; the row says which of them it was."""
    _, live = injected(hudi, "create(completed)", fault)
    assert live.value(1) == value
    assert live.outcome("w1").startswith("crashed" if known else "HoodieIOException: ")
    types = {event.process: event.type for event in history_of(live).events}
    assert types["w1"] == "info"


@pytest.mark.parametrize("place", ["delete(heartbeat)", "delete(markers)"])
def test_failure_after_the_commit_is_not_told(hudi, place):
    """The write is acknowledged; what could not be deleted stays."""
    _, live = injected(hudi, place, "drop-before")
    assert live.outcome("w1") == "ok"
    assert (live.left.heartbeats if "heartbeat" in place else live.left.markers) == (live.instants[1].requested,)


def test_dead_holder_of_the_file_lock_stops_everybody(hudi):
    """The lock file stays, and the next client, which never has it, deletes it when it is closed."""
    question = scenario(options=FILE_LOCK, one_process=False)
    run = Runner(question, yield_points=CHANGES).play([parse_step("w1.create(.hoodie/lock)!crash-after")])
    _, live = both(hudi, question, run)
    assert live.outcome("w1") == "crashed"
    assert live.error("w2") == "HoodieLockException"
    assert live.left.lock is False


@pytest.mark.parametrize("fault", ["drop-before", "drop-after"])
@pytest.mark.parametrize(
    ("place", "nth"), [("create(lock)", 1), ("create(lock)", 2), ("delete(lock)", 1), ("delete(lock)", 3)],
    ids=["take for an instant", "take for a commit", "release for an instant", "release for a commit"],
)  # fmt: skip
def test_a_lock_file_that_cannot_be_made_or_deleted(hudi, place, nth, fault):
    """The provider takes an error for a lock that is held; of a failed release its client hears."""
    writers: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((2, "B"),))]}
    injected(hudi, place, fault, nth, writers=writers, options=FILE_LOCK, one_process=False)


@pytest.mark.parametrize("place", ["try_lock(table)", "unlock(table)"])
@pytest.mark.parametrize("fault", ["crash", "crash-after"])
def test_dead_holder_of_a_lock_in_memory_stops_nobody(hudi, place, fault):
    """The lock was in the memory of the process that died, however far its call came."""
    _, live = injected(hudi, place, fault)
    assert live.outcome("w1") == "crashed"
    assert live.outcome("w2") == "ok"


def test_fault_at_a_read_is_refused_in_one_line(hudi):
    """The storage gate has no reads as steps."""
    with pytest.raises(Exception, match=r"step w1\.read!crash: expected a fault at one of create, write, delete"):
        hudi.run(scenario().live.workload, Schedule("faults", (parse_step("w1.read!crash"),)))
