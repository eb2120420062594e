"""Markers of the embedded timeline server, Hudi's default, on the real 1.2.0: its server, its workers, its checker."""

import time
from itertools import islice

import pytest

from real_backend.gating.gate import WAIT_S
from real_backend.hudi.client import SplitClient
from real_backend.hudi.live_steps import live_schedule
from sim.hudi.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import BY_NAME, agreed, both, found, refused_by_the_finished, written
from tests.live.hudi.test_generated import playable

pytestmark = pytest.mark.live
SAMPLED = ("async-safe", "async-partitions-alike")
CONFIGURATIONS = ("server-markers", "early-async")
EACH = 4


def refused_early(run):
    """One writer is refused when it asks for a marker, before it has written anything; the other one commits."""
    losers = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieEarlyConflictDetectionException"]
    return len(losers) == 1 and written(run, losers[0]) == 0 and len(run.instants) == 2


def refused_early_for_nothing(run):
    """The same, and the two have no file group in common, nor a partition."""
    rows = [command.statement.rows[0][0] for command in run.commands]
    return refused_early(run) and len(set(rows)) == 2


def refused_late(run):
    """One writer is refused at its commit, its file written for nothing."""
    losers = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieWriteConflictException"]
    return len(losers) == 1 and written(run, losers[0]) == 1


def unmarked(run):
    """Somebody's data file is there whose marker could not be written, and whose commit was refused."""
    return refused_late(run) and any("close(markers)!drop" in step for step in run.trace)


CASES = [
    ("async-abort", refused_early),
    ("async-late", refused_late),
    ("async-partitions-alike", refused_early_for_nothing),
    ("async-finished-marker", refused_by_the_finished),
    ("unwritten-markers", unmarked),
]


@pytest.mark.parametrize(("name", "fact"), CASES, ids=[name for name, _ in CASES])
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name, fact):
    """Steps, outcomes, completed instants and rows agree, and the fact holds; one after the other it does not."""
    scenario, schedule, run = found(name)
    assert fact(both(hudi, scenario, schedule, run))
    assert not fact(hudi.run(scenario.live.workload))


@pytest.mark.parametrize("name", SAMPLED)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """In an order drawn at random."""
    scenario = BY_NAME[f"hudi/{name}"]
    runs = list(islice(runs_at_gates(scenario, 11), EACH))
    assert len(runs) == EACH
    for played in runs:
        both(hudi, scenario, live_schedule(played.run), played.run)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same_to_the_real_hudi(hudi, configuration):
    """Steps, outcomes, completed instants and rows agree."""
    races = list(islice(playable(GENERATOR.configurations[configuration]), EACH))
    assert len(races) == EACH
    for scenario, run in races:
        agreed(hudi, scenario, run)


def threads(hudi):
    """The JVM's threads that are a timeline server's, by number and name."""
    running = hudi._session.jvm.java.java.lang.Thread.getAllStackTraces().keySet()
    named = {(thread.getId(), str(thread.getName())) for thread in running}
    return {(number, name) for number, name in named if "Timeline" in name or "Jetty" in name}


def test_servers_end_with_their_clients(hudi, monkeypatch):
    """There are some while a client commits, and none of them soon after it has been closed.

    Who makes the table at first, unless it is kept from before, has none. Servers that are there before are others'.
    """
    before, seen, commit = threads(hudi), [], SplitClient.commit
    monkeypatch.setattr(SplitClient, "commit", lambda client: (seen.append(threads(hudi) - before), commit(client)))
    live = BY_NAME["hudi/async-safe"].live
    assert live is not None
    hudi.run(live.workload)
    assert len(list(filter(None, seen))) == 2
    deadline = time.monotonic() + WAIT_S
    while threads(hudi) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threads(hudi) - before == set()
