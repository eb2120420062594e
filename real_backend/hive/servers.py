"""Metastores to run on: one PostgreSQL, and groups of replicas over databases of their own, each behind its gate.

Choices: the schema is made once and copied for each group. Replicas start together. A group is started when it is first
asked for and serves every run until the end; between its runs its caches rest while another group is asked.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from model.hive.cached_objects import EVERYTHING, CachedObjects
from real_backend.errors import BackendError
from real_backend.gating.gate import Gate
from real_backend.hive.backing import Backing
from real_backend.hive.client import new_database
from real_backend.hive.distribution import classes, distribution
from real_backend.hive.follower import Follower
from real_backend.hive.house_keeper import HouseKeeper
from real_backend.hive.late_calls import LateCalls
from real_backend.hive.metastore import BY_TIMER, POLL_MS, Metastore, polling
from real_backend.hive.postgres import Postgres
from real_backend.hive.processes import remove_folder, temporary_folder
from real_backend.hive.thrift_gate import ThriftGate, ToldLate, VersionOf
from real_backend.hive.timer import Timer

NAMES = ("h1", "h2")
_TEMPLATE = "empty"


class Replicas:
    """Metastores over one database. `gates`: the Thrift gate before each; `followers`: each cache's update thread."""

    def __init__(
        self,
        postgres: Postgres,
        database: str,
        folder: Path,
        names: Sequence[str],
        *,
        cached: bool,
        timed: bool,
        poll_ms: int,
    ) -> None:
        """Start them and wait until all are healthy. Raises: `BackendUnavailable`, `BackendTimeout`."""
        self.cached = cached
        self.folder = folder
        self._at = postgres, database
        self._keeper: HouseKeeper | None = None
        self._know_databases = False
        self._switched = True, False, EVERYTHING
        settings = {**(polling(poll_ms) if cached else {}), **(BY_TIMER if timed else {})}
        self.metastores = {
            name: Metastore(name, postgres, database, folder, cached=cached, settings=settings) for name in names
        }
        self.gates: dict[str, ThriftGate] = {}
        self.followers: dict[str, Follower | Timer] = {}
        self.backing = Backing(postgres, database)
        try:
            for metastore in self.metastores.values():
                metastore.start()
            for metastore in self.metastores.values():
                metastore.await_health()
        except BaseException:
            self.stop()
            raise
        for name, metastore in self.metastores.items():
            self.gates[name] = ThriftGate(name, _port_of(metastore), _reads_of(metastore) if cached else None)
            if cached:
                self.followers[name] = (Timer if timed else Follower)(metastore, self.backing)

    def make_ready(
        self, *, replay_writes: bool = True, passes_expected: bool = False, cached: CachedObjects = EVERYTHING
    ) -> None:
        """Before a run: caches up to date, switches set. A replica whose update thread hangs is started anew."""
        self.restart(*[name for name, follower in self.followers.items() if not follower.try_open()])
        self.switch(replay_writes=replay_writes, passes_expected=passes_expected, cached=cached)

    def know_databases(self) -> None:
        """Let every cache have those that there are: one that was filled before there was any asks the database for
        them, whatever happens. Once is enough, for it hears of new ones."""
        if not self.cached or self._know_databases:
            return
        with next(iter(self.metastores.values())).connect() as calls:
            calls.create_database(new_database("known", f"file:{self.folder}/known"))
        self.restart(*self.metastores)
        self._know_databases = True

    def switch(self, *, replay_writes: bool, passes_expected: bool, cached: CachedObjects = EVERYTHING) -> None:
        """Set the caches' switches, and their two lists (by live names); plain metastores have none."""
        self._switched = replay_writes, passes_expected, cached
        for metastore in self.metastores.values() if self.cached else ():
            metastore.control.ask(f"replay {'on' if replay_writes else 'off'}")
            metastore.control.ask(f"expect {'on' if passes_expected else 'off'}")
            metastore.control.ask(f"allow {cached.allowed}")
            metastore.control.ask(f"deny {cached.denied}")

    def load_anew(self) -> None:
        """Start them anew, so that their caches load what is there: of what comes by events they know less."""
        self.restart(*self.metastores)
        replay_writes, passes_expected, cached = self._switched
        self.switch(replay_writes=replay_writes, passes_expected=passes_expected, cached=cached)

    def install(
        self, gate: Gate, version_of: VersionOf | None = None, told_late: ToldLate | None = None
    ) -> None:  # fmt: skip
        """Put a run's gate behind every proxy. Args: as `ThriftGate.install`."""
        late = LateCalls(gate)
        for door in self.gates.values():
            door.install(gate, version_of, late, told_late)

    def close_watermarks(self, *, pulls: bool = True) -> None:
        """From now on no cache sees anything new by itself. Args: as `Follower.close`."""
        for follower in self.followers.values():
            follower.close(pulls=pulls)

    def settle(self) -> None:
        """Wait until every cache has applied everything. Raises: `BackendError` if one cannot."""
        for name, follower in self.followers.items():
            if not follower.open():
                raise BackendError(f"{name}: expected its cache to follow the log, it stands still")

    def restart(self, *names: str) -> None:
        """Kill these replicas and start them anew, with empty caches."""
        for name in names:
            self.metastores[name].stop(crash=True)
            self.metastores[name].start()
        for name in names:
            self.metastores[name].await_health()

    @property
    def house_keeper(self) -> HouseKeeper:
        """Who aborts silent transactions, started now if it is the first time."""
        if self._keeper is None:
            self._keeper = HouseKeeper(*self._at, self.folder, self.backing)
        return self._keeper

    def rest(self) -> None:
        """Let caches that nobody asks stand still, until they are woken."""
        for metastore in self.metastores.values() if self.cached else ():
            metastore.rest()

    def wake(self) -> None:
        """Let them go on."""
        for metastore in self.metastores.values() if self.cached else ():
            metastore.wake()

    def stop(self) -> None:
        """End everything, at once: nothing of it is kept."""
        if self._keeper is not None:
            self._keeper.stop()
        for gate in self.gates.values():
            gate.close()
        for metastore in self.metastores.values():
            metastore.stop(crash=True)
        self.backing.close()


def _port_of(metastore: Metastore) -> Callable[[], int]:
    return lambda: metastore.port


def _reads_of(metastore: Metastore) -> Callable[[], int]:
    return lambda: metastore.control.ask().reads


class Servers:
    """PostgreSQL and the groups of replicas that were asked for."""

    def __init__(self) -> None:
        """Start PostgreSQL and make the schema. Raises: `BackendUnavailable`, `BackendTimeout`."""
        self._schema = distribution().schema.read_text()
        classes()
        self.postgres = Postgres()
        self._groups: dict[tuple[bool, bool, int, tuple[str, ...]], Replicas] = {}
        self.folder = temporary_folder("lakeproof-hive-")
        try:
            self.postgres.create_database(_TEMPLATE)
            self.postgres.execute(self._schema, _TEMPLATE)
        except BaseException:
            self.stop()
            raise

    def replicas(
        self, *, cached: bool = True, timed: bool = False, names: Sequence[str] = NAMES, poll_ms: int = POLL_MS
    ) -> Replicas:
        """The group of these replicas, started now if it is the first time; the caches of all others rest until they
        are asked for.

        Args: `timed`: caches in their default mode, which a timer refreshes; `poll_ms`: how often a cache is updated.
        """
        key = (cached, timed, poll_ms, tuple(names))
        for other, group in self._groups.items():
            if other == key:
                group.wake()
            else:
                group.rest()
        if key not in self._groups:
            database = f"metastore{len(self._groups)}"
            self.postgres.create_database(database, _TEMPLATE)
            folder = self.folder / database
            folder.mkdir()
            self._groups[key] = Replicas(
                self.postgres, database, folder, names, cached=cached, timed=timed, poll_ms=poll_ms
            )
        return self._groups[key]

    def stop(self) -> None:
        """End everything; nothing is left. May be called again."""
        for group in self._groups.values():
            group.stop()
        self._groups.clear()
        self.postgres.stop()
        remove_folder(self.folder)


@contextmanager
def hive_servers() -> Iterator[Servers]:
    """Metastores for the block; they end with it. Raises: `BackendUnavailable`, `BackendTimeout`."""
    servers = Servers()
    try:
        yield servers
    finally:
        servers.stop()
