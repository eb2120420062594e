"""Marker checks per CPU-second: 1,500 markers of another writer, of the timeline server in 20 files (RFC-56: 179 ms).

A check is one own marker compared with all of them. Each strategy looks in its own way: the direct ones once for each
file, the asynchronous ones once for all. Storage is simulated; `tests/live/hudi/test_marker_speed.py` asks Hudi's.
"""

import time
from collections.abc import Callable

import pytest

from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bloom import BloomFiles
from model.hudi.checker import AsyncChecker, Watch
from model.hudi.config import HudiConfig
from model.hudi.early import EarlyDetection
from model.hudi.heartbeats import Heartbeats
from model.hudi.marker_files import Marker, Markers, compared
from model.hudi.names import BaseFile, marker_file, marker_path
from model.hudi.observer import UNOBSERVED
from model.hudi.options import parse_options
from model.hudi.storage import TableStorage
from model.hudi.variants import AS_DOCUMENT
from sim.hudi.build import ASYNC, BLOOM, BLOOM_ASYNC, DIRECT, TRANSACTIONAL
from tests.benchmarks.conftest import Bench, spent_since
from tests.unit.hudi.worlds import Lab

MARKERS, FILES, PARTITIONS = 1_500, 20, 50
THEIRS, OURS = 1, 2
DOCUMENT_MS = 179
"""What the document says of a check of 1,500 markers in 20 files of a local disk."""
STRATEGIES = {
    "simple": DIRECT,
    "transactional": TRANSACTIONAL,
    "Bloom": BLOOM,
    "asynchronous": ASYNC,
    "asynchronous Bloom": BLOOM_ASYNC,
}


def markers(instant: int, count: int) -> Markers:
    """Markers of as many file groups, spread over the partitions; those of two instants have none in common."""
    return tuple(
        Marker(f"p{number % PARTITIONS}", BaseFile(f"{instant}-{number:06d}-0", "0-0-0", instant), "MERGE")
        for number in range(count)
    )


class Table:
    """A table in which another writer is alive, and has its markers, as a strategy makes them."""

    def __init__(self, config: HudiConfig) -> None:
        self._lab = Lab()
        self._world = self._lab.world("w1")
        self._storage = TableStorage(self._world, config)
        self._config = config
        self._beats = Heartbeats(self._world, self._storage, config, AS_DOCUMENT)
        self._beats.start(THEIRS)
        self._timeline = ActiveTimeline(self._world, self._storage, config.layout)
        self._blooms = BloomFiles(self._storage, config, AS_DOCUMENT, self._world.coverage) if config.blooms else None

    def direct(self, theirs: Markers, ours: Markers) -> Callable[[], None]:
        """Markers as files of their own, and one look for each of ours."""
        for one in theirs:
            self._lab.files.create(marker_path(THEIRS, one.partition, one.file.name, one.kind), None)
            if self._blooms is not None:
                self._blooms.add(THEIRS, one.partition, (one.file.file_id,))
        early = EarlyDetection(
            self._world, self._storage, self._beats, self._timeline, self._config, AS_DOCUMENT, UNOBSERVED
        )
        before = self._timeline.load()

        def look() -> None:
            for one in ours:
                early._check(OURS, one.partition, one.file.file_id, before)

        return look

    def served(self, theirs: Markers, ours: Markers) -> Callable[[], None]:
        """Markers in the timeline server's files, and one pass for all of ours."""
        for index in range(FILES):
            held = theirs[index::FILES]
            self._lab.files.create(marker_file(THEIRS, index), held)
            if self._blooms is not None:
                self._blooms.add(THEIRS, index, [compared(one, AS_DOCUMENT) for one in held])
        self._lab.files.create(marker_file(OURS, 0), ours)
        checker = AsyncChecker(
            self._world, self._storage, self._beats, self._timeline, self._config, AS_DOCUMENT, UNOBSERVED
        )
        watch = Watch(OURS, frozenset(), lambda: ours, lambda: ())

        def look() -> None:
            checker._look(watch)
            assert checker.flag is None

        return look


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_marker_checks(bench: Bench, strategy: str) -> None:
    """Nobody is in the way: every marker is compared."""
    config = parse_options(dict(STRATEGIES[strategy]))
    served = config.marker_type != "DIRECT"
    table, count = Table(config), MARKERS if bench.full else FILES
    make = table.served if served else table.direct
    look = make(markers(THEIRS, count), markers(OURS, count))

    spent: list[float] = []

    def work() -> float:
        begin = time.process_time()
        look()
        spent.append(spent_since(begin))
        return float(count)

    bench(f"Marker checks, {strategy}, {MARKERS:,} markers", "checks/CPU-s", work)
    if served:
        bench.note(f"A pass of the {strategy} checker", 1_000 * sorted(spent)[len(spent) // 2], "CPU-ms", DOCUMENT_MS)
