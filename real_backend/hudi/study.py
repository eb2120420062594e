"""RFC-56's test plan on the real Hudi: two writers of the same rows of one real table, early detection off and direct.

w1 and w2 upsert the same share of the rows of every file, through DataFrames, as users do. w2 starts when w1 has its
instant, and goes on to its files when w1 has marked its first one. Measured are both writers' seconds, data files and
bytes written and thrown away, and the time from the conflict to the refusal: from when the later of the two had
announced what it would write (its inflight file) to when the loser's client had its exception.

Source: RFC-56, "Test Plan".

Choices: one JVM and two cores are no cluster: files and bytes are exact, seconds are this machine's and depend on what
else runs on it. With `held`, w1 stands at its first data file until w2 has its answer: the order is then always the
same, for tests of small tables, where w1 would be done before w2 looks.
"""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.hudi.config import parse_options
from model.hudi.names import parse_base_file, role_of
from real_backend.actors import Workers
from real_backend.errors import BackendTimeout
from real_backend.gate import Gate
from real_backend.hudi.causes import root_cause
from real_backend.hudi.live_run import OK
from real_backend.hudi.options import write_options
from real_backend.hudi.storage import Operation, StorageGate
from real_backend.hudi.table import NAME, LiveTable
from real_backend.session import Session
from sim.scenarios.hudi_build import DIRECT, OPTIMISTIC
from sim.studies.base import Cell, Progress, Table

WRITERS = ("w1", "w2")
DETECTIONS = (("off", OPTIMISTIC), ("direct", DIRECT))
RUN_S, POLL_S = 600.0, 0.02
MB = 1_000_000
COLUMNS = (
    "detection", "run", "refused", "by", "seconds of w1", "seconds of w2", "files written", "MB written",
    "files thrown away", "MB thrown away", "seconds from conflict to refusal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured. `percent` of the rows of each of the `files` are changed; `repeats` come after a warm-up."""

    rows: int = 1_000_000
    files: int = 20
    percent: int = 10
    repeats: int = 2
    parallelism: int = 4
    held: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """One run. `refused` is the writer that did not commit and `error` what it was told; None if both did."""

    detection: str
    number: int
    refused: str | None
    error: str | None
    seconds: tuple[float, float]
    files: int
    size_bytes: int
    wasted_files: int
    wasted_bytes: int
    to_refusal_s: float | None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """A row of the table."""
        return (
            self.detection, self.number, self.refused, self.error, round(self.seconds[0], 1),
            round(self.seconds[1], 1), self.files, round(self.size_bytes / MB, 1), self.wasted_files,
            round(self.wasted_bytes / MB, 1), None if self.to_refusal_s is None else round(self.to_refusal_s, 1),
        )  # fmt: skip


def live_table(session: Session, plan: Plan | None = None, progress: Progress | None = None) -> Table:
    """Run the plan (default: a million rows) and tabulate it."""
    plan = plan or Plan()
    rows = tuple(measured.cells for measured in run_plan(session, plan, progress))
    notes = (
        f"Hudi 1.2.0, copy on write, {plan.rows:,} rows in {plan.files} files; both writers change the same "
        f"{plan.percent} % of the rows of each file.",
        "One machine, one JVM: files and bytes are exact, seconds depend on what else it does.",
    )
    return Table("RFC-56 test plan, two writers, live", COLUMNS, rows, notes, simulated=False)


def run_plan(session: Session, plan: Plan, progress: Progress | None = None) -> Iterator[Measured]:
    """Make the table, warm up, then yield the runs, detection off and direct in turn."""
    folder = session.location("hudi") / "study"
    study = _Study(session, plan, folder)
    try:
        study.make_table()
        study.run("warm-up", 0, DIRECT)
        for number in range(1, plan.repeats + 1):
            for detection, options in DETECTIONS:
                yield study.run(detection, number, options)
                if progress is not None:
                    progress(1)
    finally:
        study.close()
        shutil.rmtree(folder, ignore_errors=True)


class _Study:
    def __init__(self, session: Session, plan: Plan, folder: Path) -> None:
        self._session = session
        self._plan = plan
        self._base = LiveTable(session, folder / "base")
        self._table = LiveTable(session, folder / "run")
        self._storage = StorageGate(session)
        self._workers = Workers()

    def make_table(self) -> None:
        """All rows, one file for each partition."""
        options = {
            **write_options(parse_options({}), self._base.path, gated=False),
            "hoodie.datasource.write.operation": "bulk_insert",
            "hoodie.bulkinsert.sort.mode": "PARTITION_PATH_REPARTITION",
        }
        self._workers.call("setup", lambda: self._save("setup", 0, 100, options, self._base), "making the table", RUN_S)

    def run(self, detection: str, number: int, options: tuple[tuple[str, str], ...]) -> Measured:
        """One race on a copy of the table."""
        shutil.rmtree(self._table.path, ignore_errors=True)
        shutil.copytree(self._base.path, self._table.path)
        gate = _Order(self._table.path / ".hoodie" / ".temp", self._plan.held)
        self._storage.install(gate, str(self._table.path))
        all_options = write_options(parse_options(dict(options)), self._table.path, gated=False)
        race = _Race(lambda actor: self._save(actor, WRITERS.index(actor) + 1, self._plan.percent, all_options))
        try:
            self._workers.submit("w1", lambda: race.write("w1"))
            self._await(lambda: self._has_begun() or "w1" in race.ended, "w1's instant")
            self._workers.submit("w2", lambda: race.write("w2"))
            self._await(lambda: "w2" in race.ended, "w2's end")
            gate.open.set()
            self._await(lambda: "w1" in race.ended, "w1's end")
            record = self._storage.record()
        finally:
            gate.open.set()
            self._storage.uninstall()
        return self._measured(detection, number, race, record)

    def close(self) -> None:
        """End the writers' threads."""
        self._workers.close()

    def _await(self, happened: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + RUN_S
        while not happened():
            if time.monotonic() > deadline:
                raise BackendTimeout(f"study: expected {what} within {RUN_S:g} s, got nothing")
            time.sleep(POLL_S)

    def _has_begun(self) -> bool:
        """Whether w1 has its instant, beside the table's first."""
        return len(list((self._table.path / ".hoodie" / "timeline").glob("*.requested"))) > 1

    def _source(self, version: int, percent: int) -> Any:
        files, rows = self._plan.files, self._plan.rows
        chosen = self._session.spark.range(0, rows, 1, self._plan.parallelism).where(
            f"(id div {files}) % 100 < {percent}"
        )
        return chosen.selectExpr(
            "cast(id as string) id", f"concat('p', id % {files}) p", f"concat('{version}-', id) v",
            f"cast({version} as bigint) ts",
        )  # fmt: skip

    def _save(
        self, actor: str, version: int, percent: int, options: dict[str, str], table: LiveTable | None = None
    ) -> None:
        self._storage.act(actor)
        self._session.context.setLocalProperty("spark.scheduler.pool", actor)
        writer = self._source(version, percent).write.format("hudi").options(**options)
        names = {"hoodie.table.name": NAME, "hoodie.datasource.write.precombine.field": "ts"}
        parallel = {
            f"hoodie.{name}.parallelism": str(self._plan.parallelism)
            for name in ("upsert.shuffle", "bulkinsert.shuffle", "simple.index", "finalize.write", "markers.delete")
        }
        writer.options(**names, **parallel).mode("append").save(str((table or self._table).path))

    def _measured(self, detection: str, number: int, race: "_Race", record: tuple[Operation, ...]) -> Measured:
        kept = {f"/{file}" for instant in self._table.completed({}) for file in instant.files}
        files = [each for each in record if each.name == "written" and parse_base_file(each.path.rpartition("/")[2])]
        wasted = [file for file in files if file.path not in kept]
        refused = next((actor for actor in WRITERS if race.ended[actor][1] != OK), None)
        inflight = [
            each.at_ms for each in record if each.name == "rename" and role_of(each.path[1:]).kind == "inflight"
        ]
        error = None if refused is None else race.ended[refused][1].split(":", 1)[0]
        to_refusal_s = None
        if refused is not None and len(inflight) == len(WRITERS):
            # Both clocks started within a millisecond of each other, when the run was installed.
            to_refusal_s = race.ended[refused][0] - race.installed - inflight[-1] / 1000
        return Measured(
            detection, number, refused, error, (race.seconds("w1"), race.seconds("w2")), len(files),
            sum(file.size_bytes for file in files), len(wasted), sum(file.size_bytes for file in wasted), to_refusal_s,
        )  # fmt: skip


class _Race:
    """When two writers began and ended, and how."""

    def __init__(self, save: Callable[[str], None]) -> None:
        self.installed = time.perf_counter()
        self.begun: dict[str, float] = {}
        self.ended: dict[str, tuple[float, str]] = {}
        self._save = save

    def write(self, actor: str) -> None:
        """One writer's whole write."""
        self.begun[actor] = time.perf_counter()
        try:
            self._save(actor)
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        self.ended[actor] = (time.perf_counter(), outcome)

    def seconds(self, actor: str) -> float:
        """From the writer's call to its answer."""
        return self.ended[actor][0] - self.begun[actor]


class _Order(Gate):
    """In place of a gate, where writers make many calls at once: w2's files come after w1's first marker.

    Args: `markers` is the folder of all markers; `held`: w1's files come after w2's answer.
    """

    def __init__(self, markers: Path, held: bool) -> None:
        super().__init__(())
        self.open = threading.Event()
        self._markers = markers
        self._held = held

    def hold(self, actor: str, operation: str, resource: str | None = None, *, reply: bool = False) -> str | None:
        if self._held and (actor, operation, resource) == ("w1", "create", "data"):
            self.open.wait(RUN_S)
        while (actor, operation, resource) == ("w2", "create", "inflight") and not self.open.wait(POLL_S):
            if any(self._markers.rglob("*.marker.*")):
                break
        return None

    def note(self, actor: str, outcome: str | None = None, version: str | None = None) -> None:
        return None
