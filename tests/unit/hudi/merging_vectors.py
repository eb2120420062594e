"""Reads `tests/vectors/hudi_merge_on_read.txt`, and plays a case on the model; the live test plays the same ones."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from model.hudi import (
    Cleaner,
    ClusteringClient,
    CompactionClient,
    HudiClient,
    LogCompactionClient,
    Reader,
    RestoreClient,
    SavepointClient,
)
from model.hudi.errors import (
    ClusteringRefused,
    InstantGone,
    LockFailed,
    LogCompactionRefused,
    NothingPlanned,
    PlanPending,
    RestoreFailed,
    WriteConflict,
)
from model.hudi.file_groups import DELETE_PARTITION, OVERWRITE
from model.hudi.keys import COMPACT_AFTER, INTERVAL, LOG_COMPACT_AFTER, MERGE_ON_READ, MISSES, TABLE_TYPE
from model.hudi.names import DELTA_COMMIT, REPLACE_COMMIT
from model.hudi.partitions import ONE_PARTITION, Partitions
from model.hudi.written import Written
from sim.hudi.build import OPTIMISTIC
from sim.hudi.built_in.non_blocking import BY_EVENT_TIME, NON_BLOCKING
from tests.unit.hudi.worlds import Lab

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "hudi_merge_on_read.txt"
GROUPS = (("fg1", ((1, "a"), (2, "b"))),)
BEATS = ((INTERVAL, "1000"), (MISSES, "3"))
WAIT_MS = 5_000
"""Longer than these are tolerated; where nobody waits, beats are a minute each, so that no live client is too slow."""
INSTEAD = "~"
SERVICES = ("plan", "run", "die", "wait", "clean", "save", "restore", "cplan", "crun", "lplan", "lrun", "ldie")


class Case(NamedTuple):
    """When compactions are planned, the calls, and the slices and rows that are there then, as in the file."""

    after: str
    calls: str
    slices: str
    rows: str
    where: Partitions = ONE_PARTITION

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What a user would set."""
        beats = BEATS if "wait" in self.calls.split() else ()
        after, _, blocks = self.after.partition(",")
        logs = ((LOG_COMPACT_AFTER, blocks),) if blocks else ()
        return (*OPTIMISTIC, *beats, (TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, after), *logs)


NON_BLOCKING_VECTORS = VECTORS.with_name("hudi_non_blocking.txt")
ELSEWHERE = Partitions("p1", (("5", "p2"), ("6", "p2"), ("7", "p2")))


class NonBlockingCase(NamedTuple):
    """In which order rows are merged, the calls, and the slices and rows that are there then, as in the file."""

    order: str
    calls: str
    slices: str
    rows: str
    where: Partitions = ELSEWHERE

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What a user would set."""
        beats = BEATS if "wait" in self.calls.split() else ()
        return (*NON_BLOCKING, *beats, *(BY_EVENT_TIME if self.order == "event" else ()))


def lines_of(path: Path) -> list[tuple[str, str, str, str]]:
    """The cases of a file, in four parts each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    split = [[part.strip() for part in line.split("|")] for line in lines if line and line[0] != "#"]
    return [(order, calls, slices, rows) for order, calls, slices, rows in split]


CASES = tuple([Case(*parts) for parts in lines_of(VECTORS)])
LOG_CASES = tuple([Case(*parts) for parts in lines_of(VECTORS.with_name("hudi_log_compaction.txt"))])
NON_BLOCKING_CASES = tuple([NonBlockingCase(*parts) for parts in lines_of(NON_BLOCKING_VECTORS)])


def changes(text: str) -> tuple[tuple[str, str], ...]:
    """The rows of "1=A,5=E"."""
    return tuple([(one[0], one[2:]) for one in text.split(",")])


def instead(text: str, where: Partitions) -> tuple[str, tuple[tuple[str, str], ...], tuple[str, ...]]:
    """What "~1=A" or "~p1" asks for: the operation, its rows, and the partitions that it takes the place of."""
    if "=" not in text:
        return DELETE_PARTITION, (), (text[1:],)
    rows = changes(text[1:])
    return OVERWRITE, rows, tuple([name for name, _ in where.split(rows)])


def told(slices: Iterable[tuple[int, list[int]]], instants: list[int]) -> str:
    """Slices as the file has them. Args: base instant and those of its log files; `instants` in order."""
    said = []
    for base, logs in sorted(slices, key=lambda one: instants.index(one[0])):
        merged = ",".join([str(instants.index(log)) for log in logs])
        said.append(f"{instants.index(base)}{'+' if merged else ''}{merged}")
    return " ".join(said)


class Player(ABC):
    """A table on which the calls of a case are made."""

    instants: list[int]
    action = DELTA_COMMIT
    """That of a write that replaces nothing."""

    def carry_out(self, calls: str) -> None:
        """Make the calls."""
        for call in calls.split():
            if call in SERVICES:
                getattr(self, f"_{call}")()
            elif call[0] in "+-":
                self._start(call[1:], REPLACE_COMMIT if call[0] == "-" else self.action)
            elif call.endswith("!"):
                self._commit(call[:-1])
            elif ":" in call:
                self._write(*call.split(":"))
            else:
                self._upsert(call)

    def _upsert(self, rows: str) -> None:
        self._start("", REPLACE_COMMIT if rows[0] == INSTEAD else self.action)
        self._write("", rows)
        self._commit("")

    def _die(self) -> None:
        self._run(commits=False)

    def _ldie(self) -> None:
        self._lrun(commits=False)

    @abstractmethod
    def _start(self, name: str, action: str) -> None: ...

    @abstractmethod
    def _write(self, name: str, rows: str) -> None: ...

    @abstractmethod
    def _commit(self, name: str) -> None: ...

    @abstractmethod
    def _run(self, *, commits: bool = True) -> None: ...

    @abstractmethod
    def _lrun(self, *, commits: bool = True) -> None: ...


class AnyCase(Protocol):
    """What a table is made of."""

    @property
    def options(self) -> tuple[tuple[str, str], ...]: ...

    @property
    def where(self) -> Partitions: ...


class Model(Player):
    """A table of the model."""

    def __init__(self, case: AnyCase) -> None:
        self._lab = Lab(case.options, groups=GROUPS)
        self.action = self._lab.config.commit_action
        self._where = case.where
        self._open: dict[str, HudiClient] = {}
        self._begun: dict[str, int] = {}
        self._written: dict[str, Written] = {}
        self._clustering = 0
        self.instants = [0]

    def play(self, calls: str) -> tuple[str, str]:
        """Make the calls; returns slices and rows."""
        self.carry_out(calls)
        view = Reader(self._lab.world("r"), self._lab.config).read(self._where.names)
        client = self._compactor()
        slices = [each for name in self._where.names for each in client._data.slices(name, view.timeline)]
        found = [(each.instant, [log.instant for log in each.logs]) for each in slices]
        rows = " ".join([f"{key}={'|'.join(values)}" for key, values in view.rows])
        return told(found, self.instants), rows

    def _start(self, name: str, action: str) -> None:
        self._open[name] = HudiClient(self._lab.world("w"), self._lab.config, owner="w")
        self._begun[name] = self._open[name].start_commit(action)
        self.instants.append(self._begun[name])

    def _write(self, name: str, rows: str) -> None:
        client, instant = self._open[name], self._begun[name]
        if rows[0] != INSTEAD:
            with suppress(PlanPending):
                self._written[name] = client.upsert(changes(rows), instant, self._where)
            return
        operation, changed, names = instead(rows, self._where)
        with suppress(PlanPending):
            self._written[name] = client.replace(changed, instant, self._where, operation, names)

    def _commit(self, name: str) -> None:
        with suppress(WriteConflict):
            if name in self._written:  # else it was refused before
                self._open[name].commit(self._begun[name], self._written.pop(name))
        self._open[name].close()

    def _compactor(self) -> CompactionClient:
        return CompactionClient(self._lab.world("c"), self._lab.config, owner="c")

    def _log_compactor(self) -> CompactionClient:
        return LogCompactionClient(self._lab.world("l"), self._lab.config, owner="l")

    def _plan(self) -> None:
        with suppress(NothingPlanned):
            self.instants.append(self._compactor().schedule(self._where.names))

    def _lplan(self) -> None:
        with suppress(NothingPlanned):
            self.instants.append(self._log_compactor().schedule(self._where.names))

    def _run(self, *, commits: bool = True) -> None:
        self._carry(self._compactor(), commits=commits)

    def _lrun(self, *, commits: bool = True) -> None:
        before = len(self._log_compactor().timeline.load().rollbacks)
        self._carry(self._log_compactor(), commits=commits)
        self.instants += [0] * (len(self._log_compactor().timeline.load().rollbacks) - before)

    def _carry(self, client: CompactionClient, *, commits: bool) -> None:
        try:
            instant = client.oldest_plan()
            written = client.execute(instant)
            if commits:
                client.commit(instant, written)
        except (NothingPlanned, LockFailed, InstantGone, LogCompactionRefused, WriteConflict):
            return
        finally:
            client.close()

    def _cplan(self) -> None:
        client = ClusteringClient(self._lab.world("c"), self._lab.config, owner="c")
        with suppress(NothingPlanned):
            self._clustering = client.schedule(self._where.names)
            self.instants.append(self._clustering)
        client.close()

    def _crun(self) -> None:
        client = ClusteringClient(self._lab.world("c"), self._lab.config, owner="c")
        with suppress(ClusteringRefused):
            client.commit(self._clustering, client.execute(self._clustering))
        client.close()

    def _wait(self) -> None:
        for client in self._open.values():
            client.close()
        self._lab.wait(WAIT_MS)

    def _save(self) -> None:
        client = SavepointClient(self._lab.world("s"), self._lab.config, owner="s")
        client.savepoint()
        client.close()

    def _restore(self) -> None:
        client = RestoreClient(self._lab.world("s"), self._lab.config, owner="s")
        with suppress(RestoreFailed):
            client.restore()
        client.close()
        self.instants += [0]

    def _clean(self) -> None:
        cleaner = Cleaner(self._lab.world("c"), self._lab.config, owner="c")
        self.instants += [0] * len(cleaner.rollback_failed_writes())
        cleaner.close()
