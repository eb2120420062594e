"""The timeline server's markers: batches, files in turns, what is told of a failure; and when its checker comes by."""

from dataclasses import replace
from typing import Any

import pytest

from model.hudi import SHIPPED, coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.checker import AsyncChecker, Watch
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import BATCH_THREADS, DETECTOR_DELAY, DETECTOR_PERIOD
from model.hudi.marker_files import Marker, compared, text_before_underscore
from model.hudi.marker_port import table_markers
from model.hudi.names import TEMP, BaseFile, marker_file, marker_type
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from model.hudi.storage import TableStorage
from model.hudi.variants import AS_DOCUMENT, FIXED
from sim.hudi.build import ASYNC, ASYNC_AND_COMMITS, OPTIMISTIC, SERVER, SERVER_WRITES, TWO_GROUPS, race
from sim.hudi.statements import Upsert
from sim.kernel.faults import Faults
from sim.search.run import Run, Runner
from sim.search.strategies import FirstCome
from tests.unit.hudi.worlds import Lab

BOTH = Upsert(((1, "A"), (2, "B")))


class Struck(Faults):
    """The first call of a name is not applied, and its caller gets no answer."""

    def __init__(self, operation: str) -> None:
        super().__init__()
        self._operation = operation

    def at(self, call, kernel):
        return "drop-before" if call.operation == self._operation and not self.injected else None


def run(upsert: Upsert, options=(*OPTIMISTIC, *SERVER), rules=SHIPPED, faults: Faults | None = None) -> Run:
    """One writer of two file groups."""
    scenario = race(
        "server", "", {"w1": [upsert]}, groups=TWO_GROUPS, rules=rules, options=options,
        properties=("all-writes-commit", "clean-at-quiescence"), yield_points=SERVER_WRITES,
    )  # fmt: skip
    return Runner(scenario).run(FirstCome(), faults)


def written(found: Run) -> list[tuple[int, str, tuple[str, ...]]]:
    """Each writing of a marker file: when, which, and the file groups that it marks then."""
    return [
        (row[0], row[3].rpartition("/")[2], tuple(marker.file.file_id for marker in row[4][1]))
        for row in found.trace
        if row[2] == "close"
    ]


def test_tasks_side_by_side_are_marked_by_one_batch():
    """At the first tick, in one file."""
    found = run(replace(BOTH, tasks=2))
    assert written(found) == [(50, "MARKERS0", ("fg1", "fg2"))]
    assert found.failure is None


def test_one_after_the_other_they_are_in_files_in_turns():
    """Each at the next tick after it was asked for."""
    assert written(run(BOTH)) == [(50, "MARKERS0", ("fg1",)), (100, "MARKERS1", ("fg2",))]


def test_ticks_are_at_a_fixed_rate():
    """From the first request on: who asks 30 ms after a tick waits 20 ms."""
    assert [when for when, _, _ in written(run(replace(BOTH, work_ms=30)))] == [50, 100]


def test_a_file_is_written_over_as_a_whole():
    """With what it held."""
    found = run(BOTH, (*OPTIMISTIC, *SERVER, (BATCH_THREADS, "1")))
    assert written(found) == [(50, "MARKERS0", ("fg1",)), (100, "MARKERS0", ("fg1", "fg2"))]


def test_a_failure_to_close_is_hidden_up_to_1_2_0():
    """The writer commits without a marker; from #19368 on its request fails."""
    hidden = run(BOTH, faults=Struck("close"))
    assert hidden.coverage[coverage.MARKERS_LOST] == 1
    assert hidden.coverage[coverage.COMMITTED] == 1
    told = run(BOTH, rules=FIXED, faults=Struck("close"))
    assert told.failure == "all-writes-commit/refused-StorageFailed"
    assert coverage.MARKERS_LOST not in told.coverage


def test_a_failure_to_open_is_never_answered_up_to_1_2_0():
    """The writer fails when its patience ends, five minutes later; from #19368 on at once."""
    ends = {}
    for rules in (SHIPPED, FIXED):
        found = run(BOTH, rules=rules, faults=Struck("overwrite"))
        assert found.failure == "all-writes-commit/refused-StorageFailed"
        ends[rules] = next(event.time_ms for event in found.events if event.type == "fail")
    assert ends == {SHIPPED: 300_050, FIXED: 50}


def test_the_checker_comes_by_after_its_delay_and_once_a_period():
    """Whoever computes meanwhile."""
    options = (*ASYNC, (DETECTOR_DELAY, "1000"), (DETECTOR_PERIOD, "2000"))
    found = run(replace(BOTH, work_ms=3_000), options)
    folder = f"{TEMP}/000001"
    assert [row[0] for row in found.trace if row[1:4] == ("w1-checker", "exists", folder)] == [1_000, 3_000, 5_000]


def test_what_is_compared_ends_at_the_first_underscore_as_shipped():
    """F-6: of a partition, or F-7: a log file, whose name begins with a dot."""
    one, two = [Marker("event_date=1", BaseFile(name, "0-0-0", 1), "MERGE") for name in ("fg1", "fg2")]
    assert compared(one, SHIPPED) == compared(two, SHIPPED) == "event"
    assert compared(one, AS_DOCUMENT) != compared(two, AS_DOCUMENT)
    base, log = "2016/fg1_4-17-21_001.parquet.marker.MERGE", "2016/.fg1_001.log.1_4-17-21.marker.CREATE"
    assert (text_before_underscore(base), text_before_underscore(log)) == ("2016/fg1", "2016/.fg1")


class _Switching:
    """A file system that calls back when a folder is first listed."""

    def __init__(self, files, folder, back) -> None:
        self._files, self._folder, self._back = files, folder, back

    def __getattr__(self, name) -> Any:
        return getattr(self._files, name)

    def list(self, folder):
        if folder == self._folder and self._back is not None:
            back, self._back = self._back, None
            back()
        return self._files.list(folder)


@pytest.mark.parametrize(("rules", "flag"), [(SHIPPED, "p1/fg1 is being written by 000001"), (FIXED, None)])
def test_a_pass_for_the_instant_before_refuses_the_next_one(rules, flag):
    """F-10: the server has gone over to another instant while the pass was under way."""
    lab = Lab()
    config = parse_options(dict(ASYNC))
    checkers: list[AsyncChecker] = []
    files = _Switching(lab.files, f"{TEMP}/000001", lambda: checkers[0].watch(3, frozenset(), lambda: (), lambda: ()))
    world = lab.world("w1", files=files)
    storage = TableStorage(world, config)
    beats = Heartbeats(world, storage, config, rules)
    checkers.append(AsyncChecker(world, storage, beats, ActiveTimeline(world, storage, 2), config, rules, UNOBSERVED))
    beats.start(1)
    lab.files.create(marker_file(1, 0), (Marker("p1", BaseFile("fg1", "0-0-0", 1), "MERGE"),))
    own = Marker("p1", BaseFile("fg1", "0-0-0", 2), "MERGE")
    checkers[0].watch(2, frozenset(), lambda: (), lambda: (own,))
    watch = checkers[0]._watch
    assert watch is not None
    watch.queued = lambda: (own,)
    checkers[0]._look(watch)
    assert watch.retired
    assert checkers[0].flag == flag


@pytest.mark.parametrize("rules", [SHIPPED, AS_DOCUMENT])
def test_the_checker_knows_what_had_completed_before_it(rules):
    """As shipped by the first marker, as in the document by the beginning of the write."""
    lab = Lab()
    config = parse_options(dict(ASYNC_AND_COMMITS))
    world = lab.world("w1")
    storage = TableStorage(world, config)
    timeline = ActiveTimeline(world, storage, 2)
    checker = AsyncChecker(
        world, storage, Heartbeats(world, storage, config, rules), timeline, config, rules, UNOBSERVED
    )
    checker.watch(2, frozenset(), lambda: (), lambda: ())
    assert isinstance(checker._watch, Watch)
    assert checker._watch.known == (frozenset([0]) if rules is SHIPPED else frozenset())


@pytest.mark.parametrize("type_file", ["TIMELINE_SERVER_BASED", None, "absent"])
def test_a_rollback_finds_the_servers_markers_with_and_without_their_type(type_file):
    """An empty type file is none; then the files themselves say what they are."""
    lab = Lab()
    config = parse_options(dict((*OPTIMISTIC, *SERVER)))
    world = lab.world("w1")
    storage = TableStorage(world, config)
    beats = Heartbeats(world, storage, config, SHIPPED)
    markers = table_markers(world, storage, beats, ActiveTimeline(world, storage, 2), config, SHIPPED, UNOBSERVED)
    if type_file != "absent":
        lab.files.create(marker_type(5), type_file)
    lab.files.create(marker_file(5, 0), (Marker("p1", BaseFile("fg1", "0-0-0", 5), "MERGE"),))
    assert markers.paths(5) == ("p1/fg1_0-0-0_000005.parquet",)
