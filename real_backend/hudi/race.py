"""What each actor of a workload does on the real table, and the journal of what it was told.

Choices: as in the simulator, every statement has a client of its own, which is closed at its end, whatever came of it.
A file group of the workload has a partition of the live table to itself: Hudi draws file ids at random and writes the
groups of one partition in their order, and a schedule has to mean one order. A client whose process has died is closed
when the run is over, for its threads are ours. The second reader reads no merge-on-read table.
"""

import shutil
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

from model.hudi.config import HudiConfig
from model.hudi.keys import EAGER, SERVER_MARKERS
from model.hudi.names import COMPLETED, INFLIGHT, REQUESTED, TIMELINE
from model.hudi.options import parse_options
from real_backend.errors import Abandoned
from real_backend.gating.gate import InterpositionPoint
from real_backend.gating.journal import OK, Journal
from real_backend.gating.play import follow
from real_backend.gating.race import LiveRace
from real_backend.hudi.client import Located, SplitClient
from real_backend.hudi.columns import columns_of, gone_columns
from real_backend.hudi.consuming import LiveConsumer
from real_backend.hudi.damaged import strike
from real_backend.hudi.exceptions import CONFLICT, root_cause
from real_backend.hudi.interposition import MUTEX, TIMELINE_ROLE
from real_backend.hudi.live_run import CRASHED, Command, HudiLiveRun, Seen
from real_backend.hudi.reading import Told, abandoned, consume, read
from real_backend.hudi.recorded import completed_by_of, in_words, written_by
from real_backend.hudi.second_reader import read_otherwise, wrong_of_listing
from real_backend.hudi.seen import partitions_of, read_by, records, seen_by
from real_backend.hudi.statements import begin, commit, serve, write_data, write_found
from real_backend.hudi.storage import can_fault
from real_backend.hudi.storage_gates import Storage
from real_backend.hudi.table import LiveTable
from real_backend.hudi.taken_back import taken_back
from sim.hudi.consuming import consumes
from sim.hudi.live import HEARTBEAT, LIST, SLEEP, locks_groups, ungated_of
from sim.hudi.planned import finds_plan
from sim.hudi.statements import (
    Clean,
    Cluster,
    Compact,
    DamageMarkers,
    OfConsumers,
    PlanClustering,
    Read,
    ReadingFirst,
    Restore,
    Service,
    Statement,
    Write,
)
from sim.hudi.workload import HudiWorkload
from sim.kernel.schedule import Step

SLEEP_MORE_MS = 200  # a heartbeat's age is measured from the end of the beat


class Race(LiveRace[HudiLiveRun]):
    """The actors of one run, and its table.

    Args: `new_client` makes the client of one statement of an actor, with these columns; `make_table` puts the
    workload's table where `table` is.
    """

    def __init__(
        self, workload: HudiWorkload, config: HudiConfig, table: LiveTable, storage: Storage,
        yield_points: Collection[str], new_client: Callable[[str, tuple[str, ...]], SplitClient],
        make_table: Callable[[], None],
    ) -> None:  # fmt: skip
        writers = [
            a
            for a, statements in workload.writers
            if any(not isinstance(s, Service | DamageMarkers) for s in statements)
        ]
        super().__init__(workload.actors, yield_points, helpers=[f"{actor}-{HEARTBEAT}" for actor in writers])
        self._makers: dict[str, str] = {}
        self._unclosed: list[SplitClient] = []
        self._consumers: dict[str, LiveConsumer] = {}
        self._workload = workload
        self._config = config
        self._restored = workload.has(Restore)
        self._restoring: set[str] = set()
        self._tolerance_ms = parse_options(dict(workload.options)).tolerance_ms
        self._now_ms = 0  # how much of the waits that are simulated has passed
        self._table = table
        self._storage = storage
        self._new_client = new_client
        self._partitions = partitions_of(workload)
        self._make_table = make_table
        self.journal = Journal[Command]()

    def make(self) -> None:
        """Make the table."""
        self._make_table()
        who = self._workload.actors if consumes(self._workload) else ()
        self._consumers = {actor: LiveConsumer(self._table, self._config) for actor in who}

    def install(self) -> None:
        """Put the gate below the session's storage."""
        looks = self._restore_looks if self._restored and LIST in self.gate.yield_points else None
        self._storage.install(self.gate, str(self._table.path), looks)

    def can_fault(self, operation: str, fault: str) -> bool:
        """As `storage`, for the operations that Java reports in this run."""
        return can_fault(operation, fault, ungated_of(self._workload))

    def is_passable(self, at: InterpositionPoint) -> bool:
        """As `storage`."""
        return self._storage.is_passable(at)

    def play(self, steps: Sequence[Step]) -> None:
        """As the base; from where the schedule first names timers on, these stop at the gate. Others beat freely: no
        simulated beat is due but in a wait, and by then who is to live has begun."""
        named = [(number, step.actor) for number, step in enumerate(steps) if step.actor in self.helpers]
        first = named[0][0] if named else len(steps)
        follow(self.gate, steps[:first])
        self.gate.hold_helpers([helper for _, helper in named])
        super().play(steps[first:])

    # -- the actors ----------------------------------------------------------------------------------------------

    def act(self, actor: str) -> None:
        """Make one actor's statements, or as many as it lives for."""
        journal = self.journal
        self._storage.act(actor)
        for statement in dict(self._workload.writers)[actor]:
            if isinstance(statement, Clean | Compact) and statement.after_ms:
                self._sleep(actor, statement.after_ms)
            for _ in range(statement.tries if isinstance(statement, Restore) else 1):
                order, at_ms = journal.next(), journal.now_ms
                told = self._do(actor, statement)
                completed = None if told.outcome == CRASHED else journal.next()
                sent = (actor, statement, told.outcome, order, completed, at_ms, journal.now_ms)
                journal.note(Command(*sent, told.instant, told.seen, told.asked, told.rows))
                if completed is None:
                    return
                if told.outcome == OK:
                    break

    def _do(self, actor: str, statement: Statement) -> Told:
        if isinstance(statement, Read):
            return read(self.gate, actor, self._table)
        if isinstance(statement, OfConsumers):
            return consume(self.gate, actor, self._consumers[actor], statement)
        if isinstance(statement, DamageMarkers):
            return Told(strike(self.gate, actor, self._table.path, statement.what))
        return self._serve(actor, statement) if isinstance(statement, Service) else self._write(actor, statement)

    def _write(self, actor: str, statement: Write) -> Told:
        """Make a write, try after try; an UPDATE or a DELETE reads first, and once."""
        first, places = None, None
        if isinstance(statement, ReadingFirst):
            if given_up := abandoned(self.gate, actor):
                return given_up
            first, places = read_by(statement, self._table, self._workload, self._config)
        told = self._try(actor, statement, places)
        for _ in range(self._config.conflict_retries if self._config.multi_writer else 0):
            if told.outcome.startswith(CONFLICT):
                told = self._try(actor, statement, places)
        return told if first is None else told._replace(seen=first)

    def _try(self, actor: str, statement: Write, places: tuple[Located, ...] | None) -> Told:
        client, seen, asked = self._new_client(actor, columns_of(statement)), None, None
        try:
            finds = finds_plan(statement)
            self.gate.hold(actor, *((LIST, TIMELINE_ROLE) if finds or self._looks(statement) else ("start",)))
            with self._alone(actor):
                self._makers[begin(client, statement, self._config, self._table.timeline)] = actor
            clusters = isinstance(statement, Cluster)  # what is planned stays so
            seen = self._seen(statement, client.instant) if clusters else None
            if clusters or not finds:
                self.gate.hold(actor, LIST, TIMELINE_ROLE)
            seen = seen or self._seen(statement, client.instant)
            given = records(self._partitions, statement.rows)
            if isinstance(statement, ReadingFirst) and not self._config.bucketed:
                found = places or ()
                write_found(client, statement, given, found, self.journal.next(), prepped=self._config.prepped)
            else:
                write_data(client, statement, given, self.journal.next())
            self.gate.hold(actor, "commit")
            asked = self.journal.next()
            with self._alone(actor):
                commit(client, statement)
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        return Told(self._closed(actor, client, outcome), client.instant, seen, asked)

    def _looks(self, statement: Write) -> bool:
        """Whether what a write sees of the timeline when it starts, before it asks for the lock, makes a difference."""
        looks = self._restored or self._config.clean_policy == EAGER
        return looks and not isinstance(statement, Cluster | Compact)

    def _restore_looks(self, actor: str, folder: str) -> None:
        """Hold a restore at the looks by which it decides: when it has announced its plan, and when it has completed.

        Hudi lists the timeline once for each (`BaseRestoreActionExecutor`, `validateSavepointRestore`, 1.2.0).
        """
        if actor not in self._restoring or folder.strip("/") != TIMELINE:
            return
        own = [passed.at for passed in self.gate.trace if passed.at.actor == actor]
        last = max(number for number, at in enumerate(own) if at.operation == LIST)
        since = [at.resource for at in own[last + 1 :] if at.operation != "delete"]
        planned = since[-1:] == [REQUESTED] and INFLIGHT not in since  # after that it plans its rollbacks
        if planned or COMPLETED in since:
            self.gate.hold(actor, LIST, TIMELINE_ROLE)

    @contextmanager
    def _alone(self, actor: str) -> Iterator[None]:
        """Where the lock is ZooKeeper's, which is not gated: a step before a call that takes it, so that none waits."""
        if not locks_groups(self._config):
            yield
            return
        self.gate.hold(actor, "try_lock", MUTEX)
        self._storage.enter(actor)
        try:
            yield
        finally:
            self._storage.leave(actor)

    def _serve(self, actor: str, statement: Service) -> Told:
        client = self._new_client(actor, ())
        try:
            self.gate.hold(actor, *(("start",) if isinstance(statement, PlanClustering) else (LIST, TIMELINE_ROLE)))
            self._restoring |= {actor} if isinstance(statement, Restore) else set()
            serve(client, statement, self._table.timeline())
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        self._restoring.discard(actor)
        return Told(self._closed(actor, client, outcome))

    def _closed(self, actor: str, client: SplitClient, outcome: str) -> str:
        if self._storage.is_dead(actor):
            self._unclosed.append(client)
            return CRASHED
        if self._config.marker_type != SERVER_MARKERS:  # there it is a marker file that is closed
            with suppress(Abandoned):  # its timers must not survive the run
                self.gate.hold(actor, "close")
        with suppress(Exception):  # what close could not do stays for others to meet
            client.close()
        return outcome

    def _sleep(self, actor: str, duration_ms: int) -> None:
        """Let real time pass, in proportion to the heartbeats' tolerance, and of it what has not passed already: waits
        that began together end together.

        Beyond the tolerance it makes no difference how long, and an actor that is held meanwhile has less to spare.
        """
        due_ms = self._now_ms + duration_ms
        self.gate.hold(actor, SLEEP)
        left_ms = due_ms - self._now_ms
        if left_ms <= 0:
            return
        self._now_ms = due_ms
        share = min(1.0, left_ms / self._tolerance_ms)
        time.sleep((share * self._config.tolerance_ms + SLEEP_MORE_MS) / 1000)

    def _seen(self, statement: Write, instant: str | None) -> Seen:
        """What a write that starts now finds; nobody else moves until its next step."""
        return seen_by(statement, self._table, self._workload, self._config, instant)

    # -- the end -------------------------------------------------------------------------------------------------

    def read_back(self) -> HudiLiveRun:
        """The run with the table as it is now."""
        seconds, record, table, journal = self.journal.seconds, self._storage.record(), self._table, self.journal
        self._storage.uninstall()
        completed_by = completed_by_of(record)
        instants = table.completed({**self._makers, **completed_by})
        rows, unreadable = table.rows()
        return HudiLiveRun(
            workload=self._workload, outcomes=journal.outcomes(self.actors),
            trace=tuple(map(in_words, self.gate.trace)), instants=instants, rows=rows, unreadable=unreadable,
            again=read_otherwise(table, self._config), mislisted=wrong_of_listing(table, instants, self._config),
            slices=table.slices(dict.fromkeys(self._partitions.values())), missing=table.missing(instants),
            rollbacks=table.rollbacks(), left=table.left(), unkept=table.unkept(),
            written=tuple(written_by(actor, record, instants) for actor in self.actors), seconds=seconds,
            commands=journal.commands, restores=table.restores() if self._restored else (),
            taken_back=taken_back(record, completed_by, instants), gone=gone_columns(table, instants, self._workload),
        )  # fmt: skip

    def close(self) -> None:
        """Take the gate away, stop the threads of clients whose process died, and remove the table."""
        self._storage.uninstall()
        for client in self._unclosed:
            with suppress(Exception):
                client.close()
        self._storage.forbid(str(self._table.path))
        shutil.rmtree(self._table.path, ignore_errors=True)
