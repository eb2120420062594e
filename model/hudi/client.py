"""The write client: start, upsert, commit, close, in Hudi's order.

    client = HudiClient(world, config)
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant)
    client.commit(instant, written)
    client.close()

start: lock, new instant, heartbeat, REQUESTED, unlock. upsert: conflict snapshot and merge bases, index, INFLIGHT, then
for each data file marker and file. commit: own heartbeat, lock, conflicts against a reloaded timeline, reconciliation
with the markers, COMPLETED, unlock; then heartbeat and markers are deleted. A failure leaves everything where it is.

Source: hudi/2.1 (as of 1.2.0); `BaseHoodieWriteClient`, `SparkRDDWriteClient`, `BaseSparkCommitActionExecutor`.

Choices: upgrade, validators, callbacks, archiving and inline table services are left out (live runs switch them off).
The heartbeat file of who fails inside the critical section is deleted at once, as executed; success deletes heartbeat,
then markers, as executed.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.decided_commits import timeline_for
from model.hudi.errors import EarlyConflict, HeartbeatExpired, HudiError, LockFailed, OutcomeUnknown, StorageFailed
from model.hudi.file_groups import INSERT, UPSERT, Changes, CommitMetadata, Rows
from model.hudi.heartbeats import heartbeats_of
from model.hudi.jobs import Effort, Parts, Places
from model.hudi.keys import STORAGE_BASED
from model.hudi.marker_port import table_markers
from model.hudi.metadata_records import of_commit
from model.hudi.metadata_table import STREAMED, metadata_of
from model.hudi.names import text
from model.hudi.observer import INSTANT, UNOBSERVED, Observer
from model.hudi.partitions import ONE_PARTITION, Partitions
from model.hudi.precommit import PreCommit
from model.hudi.restore_checks import RestoreChecks
from model.hudi.rules import SHIPPED, Rules
from model.hudi.storage import TableStorage
from model.hudi.storage_lock import Interruptible
from model.hudi.time_generator import Kind, TimeGenerator
from model.hudi.timeline import Instant
from model.hudi.transactions import LockManager, TransactionManager
from model.hudi.write import DataWriter
from model.hudi.written import Written
from model.ports import Body, World


class HudiClient:
    """One client of one table, for one write after another. `owner` is what its lock file says."""

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules = SHIPPED, *, owner: str = "",
        observer: Observer = UNOBSERVED,
    ) -> None:  # fmt: skip
        self.config = config
        self.rules = rules
        self._world = world
        self._observer = observer
        thread = Interruptible(world.files)
        own = replace(world, files=thread) if config.lock_provider == STORAGE_BASED else world
        storage = TableStorage(own, config)
        self.metadata = metadata_of(own, storage, config, rules)
        self.timeline = timeline_for(world, storage, config.layout, rules)
        self.heartbeats = heartbeats_of(world, TableStorage(world, config), config, rules)
        locks = LockManager(world, config, rules, observer, owner, thread.interrupt)
        self.transactions = TransactionManager(locks, config.locks)
        self.times = TimeGenerator(world, config, rules, locks)
        self.markers = table_markers(world, storage, self.heartbeats, self.timeline, config, rules, observer)
        self._data = DataWriter(
            world, self.metadata, storage, self.timeline, self.markers, self.transactions, self.times, config, rules
        )
        self._precommit = PreCommit(world, storage, self.timeline, self.markers, config, rules)
        self._restores = RestoreChecks(world, self.timeline, config, rules)
        self._actions: dict[int, str] = {}
        self._lives: dict[int, int] = {}
        self._marked: dict[int, list[str]] = {}

    # -- the steps of a write ------------------------------------------------------------------------------------

    def start_commit(self, action: str | None = None) -> int:
        """Begin a write, of the table type's action or another; returns its instant.

        Raises: LockFailed, InstantExists, StorageFailed, RestorePending.
        """
        action = action or self.config.commit_action
        self._restores.load()
        if not self.rules.instants_from_locked_clock:
            return self._announce(self.times.time_ms(), action)
        return self._start(action) if self.rules.start_is_one_critical_section else self._start_in_two_parts(action)

    def _start(self, action: str) -> int:
        """Draw an instant and announce it in one critical section (HUDI-9387)."""
        self.transactions.begin()
        try:
            return self._announce(self.times.time_ms(), action)
        finally:
            self.transactions.end()

    def _schedule(self, action: str, plan: Callable[[int], Body]) -> int:
        """Draw an instant and announce a plan in one critical section. Raises: as `start_commit`, and as the plan."""
        self.transactions.begin()
        try:
            instant = self.times.time_ms()
            self.timeline.create_requested(instant, action, plan(instant))
        finally:
            self.transactions.end()
        return instant

    def with_own_lock(self, body: Callable[[], Kind]) -> Kind:
        """Draw a time in `body` under the lock for times, if there is one (`saveAsComplete` with `shouldLock`).

        Raises: LockFailed; as `body`.
        """
        return self.times.with_own_lock(body) if self.config.locks else body()

    def _start_in_two_parts(self, action: str) -> int:
        """Draw an instant under the lock, and announce it without (G-4)."""
        return self._announce(self.with_own_lock(self.times.time_ms), action)

    def _announce(self, instant: int, action: str) -> int:
        self._restores.refuse_start()
        self.heartbeats.start(instant)
        self.timeline.create_requested(instant, action)
        self._actions[instant] = action
        self._lives[instant] = self._observer.began(INSTANT, text(instant))
        return instant

    def upsert(
        self, rows: Changes, instant: int, where: Partitions = ONE_PARTITION, *, work_ms: int = 0, attempts: int = 1,
        tasks: int = 1, places: Places | None = None,
    ) -> Written:  # fmt: skip
        """Write changed and new rows; nothing is visible yet.

        Args: `where` rows belong; `work_ms` is the computation before each data file; `attempts` the tries of each
        task, the last of which succeeds; `tasks` how many run side by side; `places`: as of `Effort`. Raises:
        EarlyConflict, InstantGone, LockFailed, StorageFailed.
        """
        parts = self._parts(instant, rows, where)
        try:
            return self._data.write(UPSERT, parts, instant, Effort(work_ms, attempts, tasks, places))
        except HudiError as error:
            self._lost_write(instant, error)
            raise

    def insert(
        self, rows: Rows, instant: int, where: Partitions = ONE_PARTITION, operation: str = INSERT
    ) -> Written:  # fmt: skip
        """Write rows into a new file group of each partition, without looking for their keys. Raises: as `upsert`."""
        parts = self._parts(instant, rows, where)
        try:
            return self._data.write(operation, parts, instant, Effort())
        except HudiError as error:
            self._gave_up(instant, error)
            raise

    def replace(
        self, rows: Rows, instant: int, where: Partitions, operation: str, partitions: tuple[str, ...]
    ) -> Written:  # fmt: skip
        """Write rows in place of all that is in `partitions`: an overwrite, or with no rows a deletion.

        The instant is a replacecommit. Raises: InstantGone, LockFailed, StorageFailed.
        """
        parts = self._parts(instant, rows, where) if rows else ()
        try:
            return self._data.replace(operation, parts, instant, partitions)
        except HudiError as error:
            self._gave_up(instant, error)
            raise

    def _parts(self, instant: int, rows: Changes, where: Partitions) -> Parts:
        """The rows of each partition, in which there will be markers of this instant."""
        parts = where.split(rows)
        self._marked.setdefault(instant, []).extend([partition for partition, _ in parts])
        return parts

    def commit(self, instant: int, written: Written) -> Instant:
        """Make a write visible; returns its completed instant.

        Raises: HeartbeatExpired, WriteConflict, RestorePending, InstantGone, InstantExists, LockFailed, StorageFailed;
        OutcomeUnknown.
        """
        try:
            completed = self._commit(instant, written)
        except HudiError as error:
            self._gave_up(instant, error)
            raise
        self._world.coverage.hit(coverage.COMMITTED)
        if not self.rules.cleans_up_under_lock:
            self._clean_up(instant)
        return completed

    def close(self) -> None:
        """Stop beating, end the timeline server, and give back what the lock manager has."""
        self.heartbeats.stop_timers()
        self.markers.stop()
        self.transactions.close()
        for life in self._lives.values():
            self._observer.ended(life, "closed")
        self._lives.clear()

    # -- what they consist of ------------------------------------------------------------------------------------

    def _commit(self, instant: int, written: Written) -> Instant:
        if written.operation in STREAMED:
            self.metadata.announce(instant, self.times.time_ms)
        self._assert_alive(instant)
        self.transactions.begin(instant, written.start.last_completed)
        return self._leaving(instant, lambda: self._checked(instant, written))

    def _checked(self, instant: int, written: Written) -> Instant:
        """Look for conflicts, and complete the instant."""
        if self.rules.checks_heartbeat_under_lock:
            self._assert_alive(instant)
        self._restores.refuse_commit(instant)
        action = self._actions.get(instant, self.config.commit_action)
        metadata = self._precommit.resolve_conflicts(instant, written, written.metadata, action)
        self._precommit.reconcile(instant, metadata, self._marked.pop(instant, ()))
        return self._complete(instant, metadata.telling(written.rows, self.config.consumed), action)

    def _leaving(self, instant: int, body: Callable[[], Instant]) -> Instant:
        """Carry out what completes an instant in the critical section that was begun, and leave that."""
        completed, failed = None, None
        try:
            completed = body()
        except HudiError as error:
            failed = error
            raise
        finally:
            self._leave(instant, completed, failed)
        return completed

    def _leave(self, instant: int, completed: Instant | None, failed: HudiError | None) -> None:
        """End the critical section, and then what a commit that failed in it leaves.

        A release that fails hides from the caller that the commit stands, if it does or may; and nothing follows it.
        Raises: StorageFailed, OutcomeUnknown.
        """
        stands = completed.name if completed else failed.version if isinstance(failed, OutcomeUnknown) else ""
        try:
            self.transactions.end(instant)
        except StorageFailed as error:
            if not stands:
                raise
            raise OutcomeUnknown(f"commit {text(instant)}: {error}", stands) from error
        if failed is not None:
            self._lost_commit(instant, failed)

    def _complete(self, instant: int, metadata: CommitMetadata, action: str) -> Instant:
        completed = self._publish(instant, metadata, action)
        self._observer.ended(self._lives.pop(instant))
        if self.rules.cleans_up_under_lock:
            self._clean_up(instant)
        return completed

    def _publish(self, instant: int, metadata: CommitMetadata, action: str, begun: str = "") -> Instant:
        """Tell the metadata table, if there is one, of an instant's files, and complete it.

        Args: `begun` is what it was announced as, if not as `action`. Raises: StorageFailed; as a completion.
        """
        self.metadata.update(instant, of_commit(metadata), self.times.time_ms)
        return self.timeline.complete(instant, self.times.time_ms, metadata, action, begun=begun)

    def _assert_alive(self, instant: int) -> None:
        """Look at the own heartbeat, as this client remembers it (hudi/4). Raises: HeartbeatExpired."""
        if self.heartbeats.own_is_expired(instant):
            self._world.coverage.hit(coverage.HEARTBEAT_EXPIRED)
            within = f"expected a heartbeat within {self.config.tolerance_ms} ms, got none"
            raise HeartbeatExpired(f"commit {text(instant)}: {within}")

    def _clean_up(self, instant: int) -> None:
        """After COMPLETED nothing may fail: storage errors are ignored, and leave files behind."""
        self._delete_heartbeat(instant)
        self._delete_markers(instant)

    def _delete_heartbeat(self, instant: int) -> None:
        with suppress(StorageFailed):
            self.heartbeats.stop(instant, delete=True)

    def _delete_markers(self, instant: int) -> None:
        with suppress(StorageFailed):
            self.markers.delete(instant)

    def _lost_write(self, instant: int, error: HudiError) -> None:
        """Give up a write; the markers of who is refused early count as long as its heartbeat does (F-12)."""
        if isinstance(error, EarlyConflict) and self.rules.early_loser_deletes_heartbeat:
            self._delete_heartbeat(instant)
        self._gave_up(instant, error)

    def _lost_commit(self, instant: int, error: HudiError) -> None:
        """Leaving the critical section without a commit deletes the heartbeat (hudi/4); who never came in keeps it."""
        if not isinstance(error, HeartbeatExpired | LockFailed):
            self._delete_heartbeat(instant)

    def _gave_up(self, instant: int, error: HudiError) -> None:
        life = self._lives.pop(instant, None)
        if life is not None:
            self._observer.ended(life, type(error).__name__)
