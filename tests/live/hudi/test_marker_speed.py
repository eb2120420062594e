"""How fast Hudi's own classes compare 1,500 markers: `make bench` prints it beside ours (`tests/benchmarks`).

The checker's pass and the simple direct check are called as they are, on files of a local disk, with a timeline server
that does not listen. Time is CPU time of the JVM, garbage collection and waking threads included.
"""

from pathlib import Path
from typing import Any

import pytest

from real_backend.hudi.table import LiveTable
from tests.benchmarks.conftest import FIGURES, Figure
from tests.benchmarks.test_markers import DOCUMENT_MS, FILES, MARKERS, PARTITIONS

pytestmark = pytest.mark.live
THEIRS, OURS = "20990101000000001", "20990101000000002"
HEARTBEAT_MS = 3_600_000
ROUNDS = 9


def names(instant: str, count: int) -> list[str]:
    """Markers as they stand in files; those of two instants have no file group in common."""
    return [
        f"p{number % PARTITIONS}/{instant[-1]}-{number:06d}-0_0-0-0_{instant}.parquet.marker.MERGE"
        for number in range(count)
    ]


class HudiMarkers:
    """Hudi's classes over the folders of two instants whose writers are alive."""

    def __init__(self, session: Any, path: Path) -> None:
        LiveTable(session, path).create()
        self._path = path
        self._jvm = session.jvm.java
        self._hudi = self._jvm.org.apache.hudi
        hadoop = self._hudi.storage.hadoop
        configuration = hadoop.HadoopStorageConfiguration(session.spark.sparkContext._jsc.hadoopConfiguration())
        self._storage = hadoop.HoodieHadoopStorage(self._hudi.storage.StoragePath(str(path)), configuration)
        beats = path / ".hoodie/.heartbeat"
        beats.mkdir(parents=True, exist_ok=True)
        for instant in (THEIRS, OURS):
            (beats / instant).touch()

    def serve(self, instant: str, markers: list[str]) -> None:
        """Write them as a timeline server does, in as many files."""
        folder = self._path / ".hoodie/.temp" / instant
        folder.mkdir(parents=True)
        (folder / "MARKERS.type").write_text("TIMELINE_SERVER_BASED", encoding="utf-8")
        for index in range(FILES):
            lines = "".join([f"{name}\n" for name in markers[index::FILES]])
            (folder / f"MARKERS{index}").write_text(lines, encoding="utf-8")

    def put(self, instant: str, markers: list[str]) -> None:
        """Make them as a writer does, each a file."""
        for name in markers:
            marker = self._path / ".hoodie/.temp" / instant / name
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.touch()

    def passed(self) -> bool:
        """One pass of the checker. Returns: whether it has found a conflict."""
        service = self._hudi.timeline.service
        registry = self._hudi.common.metrics.Registry.getRegistry("lakeproof")
        handler = service.handlers.MarkerHandler(
            self._storage.getConf(), service.TimelineService.Config(), None, registry
        )
        ours = f"{self._path}/.hoodie/.temp/{OURS}"
        handler.getAllMarkers(ours)  # a running server remembers its own
        flag = self._jvm.java.util.concurrent.atomic.AtomicBoolean(False)
        known = self._jvm.java.util.HashSet()
        checker = service.handlers.marker.MarkerBasedEarlyConflictDetectionRunnable(
            flag, handler, ours, str(self._path), self._storage, HEARTBEAT_MS, known, False
        )
        begin = self.cpu_s()
        checker.run()
        self.spent_s = self.cpu_s() - begin
        return bool(flag.get())

    def looked(self, markers: list[str]) -> bool:
        """The simple direct check for each of these. Returns: whether one has met a conflict."""
        java = self._hudi
        builder = java.common.table.HoodieTableMetaClient.builder().setConf(self._storage.getConf())
        timeline = builder.setBasePath(str(self._path)).build().getActiveTimeline()
        config = java.config.HoodieWriteConfig.newBuilder().withPath(str(self._path)).build()
        strategy = java.table.marker.SimpleDirectMarkerBasedDetectionStrategy
        checks = []
        for name in markers:
            partition, file = name.split("/")
            checks.append(strategy(self._storage, partition, file.split("_")[0], OURS, timeline, config))
        begin = self.cpu_s()
        found = [check.hasMarkerConflict() for check in checks]
        self.spent_s = self.cpu_s() - begin
        return any(found)

    def cpu_s(self) -> float:
        """CPU time of the JVM so far."""
        bean = self._jvm.java.lang.management.ManagementFactory.getOperatingSystemMXBean()
        name = "com.sun.management.OperatingSystemMXBean"
        method = self._jvm.java.lang.Class.forName(name).getMethod("getProcessCpuTime", None)
        return float(method.invoke(bean, None)) / 1e9


def test_a_pass_of_hudis_checker(spark: Any, benchmark: Any, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """1,500 markers of each side in 20 files, none in common; with one in common it raises the flag."""
    full = bool(request.config.getoption("--benchmark-only"))
    count = MARKERS if full else FILES
    hudi = HudiMarkers(spark[0], tmp_path / "t")
    hudi.serve(THEIRS, names(THEIRS, count))
    hudi.serve(OURS, names(OURS, count))
    spent = []

    def one() -> None:
        assert not hudi.passed()
        spent.append(hudi.spent_s)

    benchmark.pedantic(one, rounds=ROUNDS if full else 1)
    if full:
        middle = sorted(spent)[len(spent) // 2]
        FIGURES.append(
            Figure("Hudi 1.2.0: a pass of the asynchronous checker", 1e3 * middle, "CPU-ms", DOCUMENT_MS, ROUNDS)
        )
        FIGURES.append(Figure("Hudi 1.2.0: marker checks, asynchronous", count / middle, "checks/CPU-s", None, ROUNDS))
    hudi.serve("20990101000000000", names(OURS, 1))
    (tmp_path / "t/.hoodie/.heartbeat/20990101000000000").touch()
    assert hudi.passed()


def test_hudis_direct_check(spark: Any, benchmark: Any, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """As many markers, each a file of its own, and a look for each of 100 files; a file of theirs is found."""
    full = bool(request.config.getoption("--benchmark-only"))
    count = MARKERS if full else FILES
    hudi = HudiMarkers(spark[0], tmp_path / "t")
    hudi.put(THEIRS, names(THEIRS, count))
    asked = names(OURS, 100 if full else 3)
    spent = []

    def one() -> None:
        assert not hudi.looked(asked)
        spent.append(hudi.spent_s)

    benchmark.pedantic(one, rounds=ROUNDS if full else 1)
    if full:
        rate = len(asked) / sorted(spent)[len(spent) // 2]
        FIGURES.append(Figure("Hudi 1.2.0: marker checks, simple", rate, "checks/CPU-s", None, ROUNDS))
    assert hudi.looked(names(THEIRS, 1))
