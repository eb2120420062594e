"""What a replica's cache has of one table."""

from collections.abc import Hashable, Iterable

from model.hive.aggregates import Kept, of_all
from model.hive.lists import ValidWriteIdList
from model.hive.rows import Partitions, Statistics, Table
from model.hive.rules import Rules


class Entry:
    """One cached table. `tag` is None for a table without write ids. `statistics`: what was analyzed, as far as the
    cache was told; who may use it stands in the table. `key`: its primary key, where `key_known`; else the database is
    asked. `base`: the truncate whose files were loaded (0: none), where files are."""

    __slots__ = (
        "aggregates", "base", "dirty", "key", "key_known", "loaded_at", "partition_statistics", "partitions",
        "statistics", "statistics_dirty", "table", "tag", "unfinished",
    )  # fmt: skip

    def __init__(
        self,
        table: Table,
        partitions: Partitions = (),
        tag: ValidWriteIdList | None = None,
        unfinished: tuple[int, ...] = (),
        loaded_at: int = 0,
    ) -> None:
        self.table = table
        self.partitions = dict(partitions)
        self.tag = tag
        self.unfinished = unfinished
        self.loaded_at = loaded_at
        self.statistics: str | None = None
        self.partition_statistics: dict[str, Statistics] = {}
        self.aggregates: Kept = ()
        self.dirty = self.statistics_dirty = self.key_known = False
        self.key: str | None = None
        self.base = 0

    def load_statistics(self, analyzed: Iterable[tuple[str, Statistics]]) -> None:
        """Have those of partitions as a load brings them, and what it makes of them together."""
        self.partition_statistics = dict(analyzed)
        self.aggregates = of_all(self.partition_statistics)

    def know_key(self, key: str | None) -> None:
        """Have the primary key of a load, or that a table which was just made has none."""
        self.key, self.key_known = key, True

    def state_key(self) -> Hashable:
        """Everything that later reads and events depend on."""
        tag = None if self.tag is None else (self.tag.table, self.tag.high, self.tag.open, self.tag.aborted)
        parts = tuple(sorted(self.partitions.items()))
        parted = tuple(sorted(self.partition_statistics.items()))
        analyzed = self.statistics, parted, self.statistics_dirty, self.aggregates
        rest = self.dirty, self.key, self.key_known, self.base
        return self.table, parts, analyzed, tag, self.unfinished, self.loaded_at, *rest


def made(name: str, table: Table, rules: Rules) -> Entry:
    """The entry of a table that has just been made: its write ids are known, and it has no key, of which an event says
    nothing to CachedStore.

    Source: `newTableWriteIds` (P51); `CachedStore.createTable`, `updateUsingNotificationEvents` (CREATE_TABLE).
    """
    if not table.managed or rules.follows == "nothing":
        entry = Entry(table)
    elif rules.tags == "patched":
        entry = Entry(table, tag=ValidWriteIdList(name, 1, (1,)), unfinished=(0,))
    else:
        entry = Entry(table, tag=ValidWriteIdList(name, 0))
    if rules.follows == "nothing" or rules.loads_constraints:
        entry.know_key(None)
    return entry
