"""RFC-56's test plan on the real Hudi: two writers of one real table, early detection off, direct and transactional.

w1 and w2 upsert some rows of as many files, all or half of them the same, through DataFrames, as users do. w2 starts
when w1 has its instant, and goes on to its files when w1 has marked its first one. The owner of a writer that is
refused waits and tries again. Measured are the refusals, the data files and bytes written and thrown away, and how
long it takes from the conflict to the first refusal (the conflict: the later of the two has announced what it would
write, in its inflight file) and from the first call to both commits.

Source: RFC-56, "Test Plan"; hudi/3 (F-12).

Choices: one JVM and two cores are no cluster: how many files a loser has written depends on its threads, and seconds
on what else runs on the machine. A false alarm is an early refusal of a try during which no other writer was at work.
With `held` the order is always the same, however fast the machine and its threads are, for tests of small tables: w1
stands at its first data files until w2 has its first answer, a refused try is made again when nobody is at work, and
its tasks are refused when those beside them have made their markers. Both writers' tasks must have a thread each.
"""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from pathlib import Path
from typing import Any

from model.hudi.keys import INTERVAL
from model.hudi.names import parse_base_file, role_of
from model.hudi.options import parse_options
from real_backend.errors import BackendTimeout
from real_backend.gating.actors import END_S, Workers
from real_backend.gating.journal import OK
from real_backend.hudi.gate_classes import classes_folder
from real_backend.hudi.options import write_options
from real_backend.hudi.session import hudi_session
from real_backend.hudi.storage import Operation, StorageGate
from real_backend.hudi.study_figures import COLUMNS, WRITERS, Measured
from real_backend.hudi.study_race import POLL_S, Order, Race
from real_backend.hudi.table import NAME, LiveTable
from real_backend.hudi.zookeeper import ZooKeeper
from real_backend.jvm.session import Session
from sim.hudi.build import DIRECT, OPTIMISTIC, TRANSACTIONAL
from sim.hudi.live import locks_groups
from sim.hudi.workload import Options
from sim.search.study import Chart, Progress, Study, Table

SHORT_BEATS: Options = (*DIRECT, (INTERVAL, "5000"))
DETECTIONS = (
    ("off", OPTIMISTIC),
    ("direct", DIRECT),
    ("transactional", TRANSACTIONAL),
    ("direct, beats of 5 s", SHORT_BEATS),
)
RUN_S = 900.0
Between = Callable[[Path], None]


PARTITIONS = "pqrstefghijklmn"
"""One file each. A writer's tasks take partitions in the order of their names' hashes, and these names are in it: so w2
comes to what it shares with w1 last, and w1 first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured. Each writer changes `percent` of the rows of `files` files (at most 10).

    `overlaps`: how many percent of a writer's files the other writes, too (at least 50). A refused writer's owner waits
    `between_s` and tries again, `tries` times at most.
    """

    rows: int = 1_000_000
    files: int = 10
    percent: int = 20
    overlaps: tuple[int, ...] = (100, 50)
    detections: tuple[tuple[str, Options], ...] = DETECTIONS
    parallelism: int = 4
    tries: int = 20
    between_s: float = 10.0
    held: bool = False

    @property
    def partitions(self) -> str:
        """Those of the table."""
        return PARTITIONS[: self.files * 3 // 2]

    def partitions_of(self, actor: str, overlap: int) -> str:
        """What a writer changes: w1 the last of the table's, w2 from before them into them."""
        first = self.files // 2 if actor == "w1" else self.files // 2 - self.files * (100 - overlap) // 100
        return PARTITIONS[first : first + self.files]


def live_table(session: Session, plan: Plan, progress: Progress | None = None) -> Table:
    """Run the plan and tabulate it."""
    rows = tuple(measured.cells for measured in run_plan(session, plan, progress))
    return Table("RFC-56 test plan, two writers", COLUMNS, rows, notes_of(plan), simulated=False)


def notes_of(plan: Plan) -> tuple[str, ...]:
    """What was measured, how often, and where."""
    return (
        f"Hudi 1.2.0, copy on write, {plan.rows:,} rows in {len(plan.partitions)} files; a writer changes "
        f"{plan.percent} % of the rows of {plan.files} of them.",
        f"A refused writer's owner waits {plan.between_s:g} s and tries again, and gives up after {plan.tries} tries: "
        "then there are not both commits.",
        "Heartbeats every 60 s unless said, 2 misses.",
        "A false alarm is an early refusal of a try during which no other writer was at work.",
        "One machine, one JVM: a loser's files depend on its threads, and seconds on what else the machine does.",
        "Each case is measured once: there are no intervals.",
    )


def run_plan(
    session: Session, plan: Plan, progress: Progress | None = None, between: Between | None = None
) -> Iterator[Measured]:
    """Make the table, warm up, then yield the runs, each case in turn.

    Args: `between` is called before a refused try is made again, with the table's folder; only if the plan is `held`.
    """
    session.location("hudi").mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="study-", dir=session.location("hudi")))
    study = _Study(session, plan, folder, between)
    try:
        study.make_table()
        study.run(100, "warm-up", OPTIMISTIC)
        for overlap, (detection, options) in product(plan.overlaps, plan.detections):
            yield study.run(overlap, detection, options)
            if progress is not None:
                progress(1)
    finally:
        study.close()
        shutil.rmtree(folder, ignore_errors=True)


class _Study:
    def __init__(self, session: Session, plan: Plan, folder: Path, between: Between | None) -> None:
        self._session = session
        self._plan = plan
        self._folder = folder
        self._between = between
        self._numbers = count(1)
        self._base = LiveTable(session, folder / "base")
        self._table = self._base
        self._storage = StorageGate(session)
        self._workers = Workers()

    @cached_property
    def _coordinator(self) -> ZooKeeper:
        """Whoever locks single file groups needs one."""
        return ZooKeeper(self._session)

    def make_table(self) -> None:
        """All rows, one file for each partition."""
        options = {
            **write_options(parse_options({}), self._base.path, gated=False),
            "hoodie.datasource.write.operation": "bulk_insert",
            "hoodie.bulkinsert.sort.mode": "PARTITION_PATH_REPARTITION",
        }
        self._workers.call(
            "setup", lambda: self._save("setup", self._rows(), options, self._base), "making the table", RUN_S
        )

    def run(self, overlap: int, detection: str, options: Options) -> Measured:
        """One race on a copy of the table, at a place of its own: a refused try's tasks may live longer than it."""
        path = self._folder / f"run-{next(self._numbers)}"
        self._table = LiveTable(self._session, path)
        shutil.copytree(self._base.path, path)
        held = self._plan.held
        gate = Order(path, self._plan.partitions_of("w2", overlap) if held else "")
        self._storage.install(gate, str(path), gate.look if held else None)
        config = parse_options(dict(options))
        all_options = write_options(config, self._table.path, gated=False)
        if locks_groups(config):
            all_options |= self._coordinator.options(path.name)

        def save(actor: str) -> None:
            self._save(actor, self._changes(actor, overlap), all_options, self._table)

        def between() -> None:
            if self._between is not None:
                self._between(path)

        race = Race(save, gate.answered, self._plan.tries, self._plan.between_s, between if held else None)
        try:
            self._begin(race, "w1")
            self._await(lambda: self._has_begun() or gate.answered.is_set(), "w1's instant")
            self._begin(race, "w2")
            self._await(lambda: race.ended == set(WRITERS), "both writers' end")
            record = self._storage.record()
            return self._measured(overlap, detection, race, record)
        finally:
            self._end(race, gate)
            shutil.rmtree(path, ignore_errors=True)

    def _begin(self, race: Race, actor: str) -> None:
        race.begun.add(actor)
        self._workers.submit(actor, lambda: race.write(actor))

    def _end(self, race: Race, gate: Order) -> None:
        """End whoever is still at work, if the run was given up: its next operation fails, and so do its jobs."""
        race.stop()
        gate.abandon("the run is over")
        deadline = time.monotonic() + END_S
        while race.left and time.monotonic() < deadline:
            self._session.context.cancelAllJobs()
            time.sleep(POLL_S)
        for actor in race.left:
            self._workers.forget(actor)
        self._storage.uninstall()

    def close(self) -> None:
        """End the writers' threads, and the coordinator if there is one."""
        self._workers.close()
        if "_coordinator" in vars(self):
            self._coordinator.close()

    def _await(self, happened: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + RUN_S
        while not happened():
            if time.monotonic() > deadline:
                raise BackendTimeout(f"study: expected {what} within {RUN_S:g} s, got nothing")
            time.sleep(POLL_S)

    def _has_begun(self) -> bool:
        """Whether w1 has its instant, beside the table's first."""
        return len(list((self._table.path / ".hoodie" / "timeline").glob("*.requested"))) > 1

    def _changes(self, actor: str, overlap: int) -> Any:
        """A writer's rows: the first `percent` of every hundred of a file, new values, a higher `ts`."""
        rows = self._rows(WRITERS.index(actor) + 1)
        partitions = self._plan.partitions_of(actor, overlap)
        return rows.where(
            f"instr('{partitions}', p) > 0 and int(id) div {len(self._plan.partitions)} % 100 < {self._plan.percent}"
        )

    def _rows(self, version: int = 0) -> Any:
        """All rows of the table in a version: id, partition, value, and the version as `ts`."""
        plan = self._plan
        return self._session.spark.range(0, plan.rows, 1, plan.parallelism).selectExpr(
            "cast(id as string) id", f"substr('{plan.partitions}', id % {len(plan.partitions)} + 1, 1) p",
            f"concat('{version}-', id) v", f"cast({version} as bigint) ts",
        )  # fmt: skip

    def _save(self, actor: str, rows: Any, options: dict[str, str], table: LiveTable) -> None:
        self._storage.act(actor)
        self._session.context.setLocalProperty("spark.scheduler.pool", actor)
        writer = rows.write.format("hudi").options(**options)
        names = {"hoodie.table.name": NAME, "hoodie.datasource.write.precombine.field": "ts"}
        parallel = {
            f"hoodie.{name}.parallelism": str(self._plan.parallelism)
            for name in ("upsert.shuffle", "bulkinsert.shuffle", "simple.index", "finalize.write", "markers.delete")
        }
        writer.options(**names, **parallel).mode("append").save(str(table.path))

    def _measured(self, overlap: int, detection: str, race: Race, record: tuple[Operation, ...]) -> Measured:
        kept = {f"/{file}" for instant in self._table.completed({}) for file in instant.files}
        files = [each for each in record if each.name == "written" and parse_base_file(each.path.rpartition("/")[2])]
        wasted = [file for file in files if file.path not in kept]
        inflight: dict[str, int] = {}
        for each in record:
            if each.name == "rename" and role_of(each.path[1:]).kind == "inflight":
                inflight.setdefault(each.actor, each.at_ms)
        refused_s = next((each.ended_s for each in race.tries if each.outcome != OK), None)
        to_refusal_s = None
        if refused_s is not None and len(inflight) == len(WRITERS):
            # Both clocks started within a millisecond of each other, when the run was installed.
            to_refusal_s = refused_s - max(inflight.values()) / 1000
        return Measured(
            overlap, detection, tuple(race.tries), len(files), sum(file.size_bytes for file in files),
            len(wasted), sum(file.size_bytes for file in wasted), to_refusal_s,
        )  # fmt: skip


PLAN = Plan()


def run(progress: Progress | None = None) -> Table:
    """The plan in a session of its own. Raises: `BackendUnavailable` (no JDK), `BackendTimeout`."""
    classes_folder()  # what is counted is seen at the gate
    with hudi_session(large=True) as (session, _):
        return live_table(session, PLAN, progress)


STUDY = Study(
    name="hudi-early-detection",
    summary="What early conflict detection saves and costs: RFC-56's test plan on a real table.",
    steps=len(PLAN.overlaps) * len(PLAN.detections),
    run=run,
    charts=(Chart(x="case", panels=("files thrown away", "seconds to both commits"), series="detection", bars=True),),
)
