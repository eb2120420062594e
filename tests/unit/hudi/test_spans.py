"""Spans of a client end, whatever fails; and what a request without an answer says of a table."""

import pytest

from checkers.histories.history import FAIL
from model.hudi.keys import IN_PROCESS, LOCK_PROVIDER
from model.hudi.variants import AS_DOCUMENT
from sim.hudi.build import DIRECT, NO_CONTROL, PREFERRING, TRANSACTIONAL, Writers, race
from sim.hudi.statements import Read, Upsert
from sim.search.explore import deviating
from sim.search.run import Runner
from sim.search.strategies.random_walk import FirstCome
from sim.world.scenario import FaultSpace

TWO_TRIES: Writers = {"w1": [Upsert(((1, "A"),), tries=2)]}
SPANS = ("one-lock-holder", "sound-early-aborts")


def lost(operation, kind):
    """At most one request of this operation has no answer."""
    return FaultSpace({operation: (kind,)}, limit=1)


@pytest.mark.parametrize(
    ("operation", "kind"), [("unlock", "drop-after"), ("create", "drop-before"), ("create", "drop-after")]
)
def test_a_client_that_fails_ends_its_spans(operation, kind):
    """The next try of the same actor begins its own."""
    faults = lost(operation, kind)
    scenario = race("s", "", TWO_TRIES, options=DIRECT, properties=SPANS, faults=faults, yield_points=(operation,))
    runs = [run for _, run in deviating(Runner(scenario), 1)]
    assert any(run.injected for run in runs)
    assert all(event.type != "info" for run in runs for event in run.events if "/" in event.process)


@pytest.mark.parametrize("kind", ["drop-before", "drop-after"])
def test_a_check_of_markers_ends_once_when_its_lock_is_not_released(kind):
    """Where the lock covers the marker, too, its release comes after both."""
    scenario = race(
        "s", "", TWO_TRIES, rules=AS_DOCUMENT, options=TRANSACTIONAL,
        properties=("marker-checks-exclusive", *SPANS), faults=lost("unlock", kind), yield_points=("unlock",),
    )  # fmt: skip
    runs = [run for _, run in deviating(Runner(scenario), 1)]
    assert any("unlock p1/fg1" in str(event.error) for run in runs for event in run.events)


def test_a_marker_whose_answer_was_lost_may_be_there():
    """Who is refused because of it is refused by a marker."""
    writers: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
    scenario = race(
        "spans", "", writers, options=DIRECT, properties=("sound-early-aborts",), faults=lost("create", "drop-after"),
        yield_points=("create", "delete", "sleep"),
    )  # fmt: skip
    failures = {run.failure for _, run in deviating(Runner(scenario), 2)}
    assert "sound-early-aborts/aborted-without-marker" not in failures


def test_a_commit_that_may_stand_is_not_said_to_have_failed_when_the_release_fails_too():
    """The completed file's answer is lost, and then the release's: nobody knows, so a reader may see it."""
    writers: Writers = {"w1": [Upsert(((1, "A"),))]}
    faults = FaultSpace({"create": ("drop-after",), "unlock": ("drop-after",)}, limit=2)
    scenario = race(
        "both", "", writers, options=PREFERRING, properties=("no-aborted-reads",), faults=faults,
        yield_points=("create", "unlock"),
    )  # fmt: skip
    runs = [run for _, run in deviating(Runner(scenario), 2)]
    assert any([fault[2] for fault in run.injected] == ["create", "unlock"] for run in runs)
    assert {run.failure for run in runs} == {None}


def test_a_reader_whose_request_was_lost_says_nothing_of_the_table():
    """It is a read that failed, and no table that cannot be read."""
    writers: Writers = {"w1": [Upsert(((1, "A"),))], "r1": [Read()]}
    scenario = race(
        "read", "", writers, options=PREFERRING, properties=("readable",), faults=lost("read", "drop-before"),
        yield_points=("read",),
    )  # fmt: skip
    runs = [run for _, run in deviating(Runner(scenario), 1)]
    assert any(event.type == FAIL for run in runs for event in run.events if event.process == "r1")
    assert {run.failure for run in runs} == {None}


def test_a_reader_of_version_6_states_no_version():
    """Its versions are in the order of their requests: an older one may appear after a newer one was seen."""
    writers: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))], "r1": [Read()]}
    scenario = race(
        "read", "", writers, options=(*PREFERRING[:2], ("hoodie.write.table.version", "6")),
        properties=("snapshot-isolation",), groups=(("fg1", ((1, "a"),)), ("fg2", ((2, "b"),))),
    )  # fmt: skip
    assert {run.failure for _, run in deviating(Runner(scenario), 2)} == {None}


@pytest.mark.parametrize(("provider", "locks"), [((), False), (((LOCK_PROVIDER, IN_PROCESS),), True)])
def test_one_writer_takes_the_lock_that_it_is_given(provider, locks):
    """A lock provider that is set is used, whatever the mode is; without one there is nothing to take."""
    scenario = race("lock", "", {"w1": [Upsert(((1, "A"),))]}, options=(*NO_CONTROL, *provider))
    run = Runner(scenario).run(FirstCome())
    assert any(operation == "try_lock" for _, _, operation, *_ in run.trace) == locks
