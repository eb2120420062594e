"""Heartbeats in simulated time: a helper beats while its client computes; without it the client fails."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from model.hudi import SHIPPED, coverage
from model.hudi.keys import MISSES
from sim.hudi.build import OPTIMISTIC, SHIPPED_BEATS, SHORT_BEATS, WRITES, race
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Clean, Upsert
from sim.kernel.fault_kinds import Extent
from sim.kernel.faults import Faults
from sim.kernel.schedule import Divergence, steps_of
from sim.search.explore import exhaustive
from sim.search.run import Run, Runner
from sim.search.strategies import FirstCome
from tests.mutants.hudi import BEATS_ONCE


class Once(Faults):
    """The first beat after the one of `start` is answered 500, not applied."""

    def at(self, call, kernel):
        beat = call.operation == "write" and call.task.name.endswith("-heartbeat")
        return "500-before" if beat and not self.injected else None


def run(
    mutant=None, faults: Faults | None = None, work_ms: int = 5_500, misses: int = 2, clean_after_ms: int = 4_000,
    rules=SHIPPED,
) -> Run:  # fmt: skip
    """One writer that computes for some seconds, and a cleaner that comes in the middle of it."""
    scenario = race(
        "beats", "", {"w1": [Upsert(((1, "A"),), work_ms)], "cleaner": [Clean(clean_after_ms)]}, rules=rules,
        options=(*OPTIMISTIC, SHORT_BEATS[0], (MISSES, str(misses))), properties=("all-writes-commit",),
    )  # fmt: skip
    with mutant.alive() if mutant else nullcontext():
        return Runner(replace(scenario, latency=lambda choices, operation: (1, 1))).run(FirstCome(), faults)


def test_a_writer_that_beats_is_alive_for_cleaners_and_for_itself():
    """A beat each second; nobody rolls it back, and it commits."""
    alive = run()
    assert alive.failure is None
    assert alive.coverage[coverage.HEARTBEAT_SENT] == 5
    assert coverage.ROLLED_BACK not in alive.coverage


def test_a_writer_that_does_not_beat_is_rolled_back_and_fails():
    """The mutant of the helper task."""
    dead = run(BEATS_ONCE)
    assert dead.failure == "all-writes-commit/refused-HeartbeatExpired"
    assert dead.coverage[coverage.ROLLED_BACK] == 1


def test_one_failed_beat_is_the_last():
    """1.2.0: the exception ends the timer's thread, so a healthy writer expires, is rolled back and is refused."""
    shaken = run(faults=Once(), misses=3, work_ms=9_000, clean_after_ms=7_000)
    assert shaken.injected == (("500-before", "w1-heartbeat", "write"),)
    assert coverage.HEARTBEAT_SENT not in shaken.coverage
    assert shaken.coverage[coverage.HEARTBEAT_ENDED] == 1
    assert shaken.coverage[coverage.ROLLED_BACK] == 1
    assert shaken.failure == "all-writes-commit/refused-HeartbeatExpired"


def test_since_1_3_a_failed_beat_is_followed_by_the_next():
    """57 HB testScheduledHeartbeatRetriesAfterWriteFailure (#18904)."""
    shaken = run(faults=Once(), misses=3, rules=replace(SHIPPED, failed_beat_ends_timer=False))
    assert shaken.failure is None
    assert shaken.injected == (("500-before", "w1-heartbeat", "write"),)
    assert shaken.coverage[coverage.HEARTBEAT_SENT] == 4


def test_beats_stop_with_the_commit():
    """Nothing is written for an instant that is completed."""
    over = run(work_ms=100)
    assert coverage.HEARTBEAT_SENT not in over.coverage
    assert [row[2] for row in over.trace if "heartbeat" in row[3]] == ["write", "delete"]


class Slow(Faults):
    """The process stands still for 3 s at the beat of `start`; it tolerates 2 s without one."""

    def __init__(self) -> None:
        super().__init__(Extent(pause_ms=3_000))

    def at(self, call, kernel):
        first = call.operation == "write" and call.task.name == "w1"
        return "pause" if first and not self.injected else None


def test_a_first_beat_that_takes_too_long_is_counted():
    """Hudi 1.2.0 takes itself for dead then, and the model does not: no live run is one in which it happens."""
    assert run(faults=Slow(), work_ms=100).coverage[coverage.FIRST_BEAT_SLOW] == 1
    assert coverage.FIRST_BEAT_SLOW not in run(work_ms=100).coverage


@pytest.mark.parametrize("late_ms", [2_001, 10_000])
def test_a_lapse_shows_in_the_writers_own_memory(late_ms: int):
    """A client that hears of no beat for longer than it tolerates takes itself for dead."""
    uncovered = run(BEATS_ONCE, work_ms=late_ms)
    assert uncovered.coverage[coverage.HEARTBEAT_EXPIRED] == 1


def test_a_beat_is_written_when_it_is_due_whatever_the_others_do():
    """A scheduler cannot keep it waiting: in no order of the others is a healthy writer taken for dead."""
    scenario = race(
        "beats", "", {"w1": [Upsert(((1, "A"),))], "cleaner": [Clean(3_000)]}, rules=SHIPPED,
        options=(*OPTIMISTIC, *SHIPPED_BEATS), properties=("all-writes-commit",), yield_points=WRITES,
    )  # fmt: skip
    result = exhaustive(scenario)
    assert (result.verdict, result.complete) == ("holds", True)
    assert result.coverage[coverage.HEARTBEAT_SENT] > 0
    assert coverage.ROLLED_BACK not in result.coverage


def test_a_schedule_names_the_beat_that_fails():
    """It is no step that anybody picks: it comes when it is due."""
    scenario = next(each for each in HUDI if each.name == "hudi/zombie")
    beat = "w1-heartbeat.write(.hoodie/.heartbeat/000001)"
    run = Runner(scenario).play(steps_of(f"w1:create {beat} {beat}!drop-before cleaner.sleep"))
    assert [row[::6] for row in run.trace if row[1] == "w1-heartbeat"] == [(1000, ""), (2000, "drop-before")]
    with pytest.raises(Divergence, match="every actor has ended before it was due"):
        Runner(scenario).play(steps_of(f"w1:create {beat} {beat} {beat} {beat}"))


def test_what_a_dead_writer_had_asked_for_may_stand():
    """Its process dies when the completed file is there: the history says what it wrote, and as which version."""
    scenario = race("dead", "", {"w1": [Upsert(((1, "A"),))]}, rules=SHIPPED)
    run = Runner(scenario, yield_points=("create",)).play(
        steps_of("w1.create w1.create w1.create w1.create w1.create!crash-after")
    )
    assert run.failure is None
    (event,) = [event for event in run.events if event.process == "w1" and event.type == "info"]
    assert (event.error, event.commit) == ("its process died", 1)
    assert ("row:1", "A") in [(write.key, write.value) for write in event.writes]
