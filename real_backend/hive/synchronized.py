"""The design's reading rule on the client's side of a shipped metastore.

The shipped cache looks neither at a request's list nor at its table id. So the client does: it follows the notification
log as far as the replica's update thread may have come, with the model's own cache and poller, which gives it the tag
that a synchronized replica would have. Only if the rule lets that tag answer the request is the replica's answer taken;
else the client reads the database.

Choices: the design's caches follow the log by their update threads alone, so the pull at the end of a write brings
nothing into the replica's cache.
"""

from collections.abc import Callable
from typing import TypeVar

from model.hive import Replica, Rules
from model.hive.cached_objects import CachedObjects
from model.hive.entry import Entry
from model.hive.errors import NoSuchTable
from model.hive.lists import ValidWriteIdList
from model.hive.observer import Unobserved
from model.hive.replica import Answer, Request
from model.hive.rows import Table
from real_backend.hive.backing import Backing
from real_backend.hive.log_view import LogView
from real_backend.hive.metastore import Metastore
from real_backend.hive.names import Names
from real_backend.hive.statistics_calls import LiveStatistics
from real_backend.hive.thrift_gate import ThriftGate

Result = TypeVar("Result")


class _Memory:
    """Nothing runs beside a step of a schedule."""

    def critical(self, operation: str, resource: str, section: Callable[[], Result]) -> Result:
        """Run the section."""
        return section()


def _no_time() -> int:
    """It opens no transaction."""
    return 0


def shadow_of(
    name: str, backing: Backing, names: Names, tables: tuple[str, ...], began: int, seen: Callable[[], int],
    rules: Rules, cached: CachedObjects,
) -> Replica:  # fmt: skip
    """The model's replica that follows the live log from event `began` on, holding these tables as they are now, as far
    as they are to be cached.

    Args: `seen` gives the newest event that the live replica's update thread may have applied.
    """
    shadow = Replica(name, LogView(backing, names, seen), _Memory(), Unobserved(), rules, _no_time)
    shadow.cache.objects = cached
    for table in filter(cached.has, tables):
        row = backing.table(names.live(table))
        assert row is not None, f"table {table}: expected it before the race"
        content = Table(names.incarnation(row), table, row.managed, (("v", row.parameters["v"]),))
        tag = ValidWriteIdList(table, 0) if row.managed else None
        shadow.cache.entries[table] = Entry(content, backing.partitions(row.live_id), tag, loaded_at=began)
    shadow.cache.listed_at = began
    shadow.poller.position = began
    return shadow


class SynchronizedReplica(LiveStatistics):
    """A live replica whose answers are taken only if the rule lets them."""

    def __init__(
        self, metastore: Metastore, gate: ThriftGate, actor: str, backing: Backing, names: Names, began: int,
        shadow: Replica, *, exclusive_writes: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(metastore, gate, actor, backing, names, began, exclusive_writes=exclusive_writes)
        self._shadow = shadow

    def get_table(self, request: Request) -> Answer:
        """The replica's table, or the database's. Raises: `NoSuchTable`, `NullList`."""
        return self._judged(request, super().get_table)

    def get_partitions(self, request: Request) -> Answer:
        """The same with the partitions."""
        return self._judged(request, super().get_partitions)

    def _judged(self, request: Request, ask: Callable[[Request], Answer]) -> Answer:
        try:
            answer = ask(request)
        except NoSuchTable:
            answer = None
        while self._shadow.poller.poll():
            pass
        known = self._shadow.look(request)
        if known is None or answer is None:
            return self._from_database(request)
        return answer._replace(source="cache", tag=known.tag)

    def _from_database(self, request: Request) -> Answer:
        row = self._backing.table(self._names.live(request.name))
        if row is None:
            raise NoSuchTable(f"table {request.name}: expected one, the database has none")
        return self._stored(request.name, row, self._backing.partitions(row.live_id))
