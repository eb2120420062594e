"""A metastore to step through by hand: replicas over one database, no scheduler, every call at once."""

from collections.abc import Callable
from typing import TypeVar

from model.hive import FIXED, Answer, Replica, Request, Rules, Session
from model.hive.lists import ValidWriteIdList
from model.hive.rows import Event
from model.hive.tables import create
from model.ports import Transaction
from sim.hive.cluster import Cluster, database_of
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies.random_walk import FirstCome

Result = TypeVar("Result")
T, E = "default.t", "default.e"


class Lab:
    """Replicas h1 and h2, started on a managed table `default.t` and an external one `default.e`."""

    def __init__(self, rules: Rules = FIXED, *, start: bool = True) -> None:
        self.kernel = Kernel(Choices(FirstCome()))
        self.database = database_of()(self.kernel, None)
        self.cluster = Cluster(self.kernel, None, self.database, rules)
        self.rules = rules
        self.sql(lambda tx: create(tx, T, (("v", "t0"),), True))
        self.sql(lambda tx: create(tx, E, (("v", "e0"),), False))
        for name in ("h1", "h2"):
            replica = self.cluster.boot(name)
            if start:
                replica.start()

    def sql(self, body: Callable[[Transaction], Result]) -> Result:
        """Run a body in one transaction of the database."""
        return self.database.transact("sql", "lab", body)

    def replica(self, name: str = "h2") -> Replica:
        """A replica by name."""
        return self.cluster.replicas[name]

    def session(self, home: str = "h1") -> Session:
        """A new client."""
        return Session(self.cluster.find, home, self.cluster.observer)

    def poll(self, events: int = 1, at: str = "h2") -> None:
        """Let a replica apply the next events, one by one."""
        for _ in range(events):
            assert self.replica(at).poller.poll() == 1

    def catch_up(self, at: str = "h2") -> None:
        """Let a replica apply everything."""
        while self.replica(at).poller.poll():
            pass

    def tag(self, name: str = T, at: str = "h2") -> str:
        """The tag of a cached entry, as the design document writes it."""
        tag = self.replica(at).cache.entries[name].tag
        assert tag is not None
        return tag.short

    def log(self) -> list[str]:
        """The kinds of the events so far, without the two that made the tables."""
        rows = self.sql(lambda tx: tx.scan("NOTIFICATION_LOG"))
        events: list[Event] = [event for _, event in rows]
        return [event.kind for event in events][2:]

    def open_write_ids(self, count: int, *, still_open: tuple[int, ...] = ()) -> dict[int, Session]:
        """Let `count` transactions write rows of `default.t`, and commit all but those in `still_open`."""
        sessions = {}
        for number in range(1, count + 1):
            sessions[number] = session = self.session()
            session.begin((T,))
            assert session.write_id(T) == number
        for number, session in sessions.items():
            if number not in still_open:
                session.commit()
        return {number: sessions[number] for number in still_open}

    def ask(self, writes: ValidWriteIdList | None, name: str = T, table_id: int = 1, at: str = "h2") -> Answer:
        """A read with a list of the caller's making."""
        return self.replica(at).get_table(Request(name, table_id, writes))


def value(answer: Answer) -> str:
    """The table's parameter `v`."""
    return dict(answer.table.parameters)["v"]
