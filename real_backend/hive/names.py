"""What a run's tables, transactions and list are called: by the workload, and by the live metastore.

Every run has databases of its own, so that `default.t` of the workload is `run7.t` live, and `sales.t` is
`run7_sales.t`. Transactions are numbered
from 1 in the order in which they are opened, locks in that in which they are asked for, tables in that in which they
are made, their incarnation: so live numbers are those of the simulator. A table that is to be made carries a ticket,
for nobody knows then how many others are made before it.
"""

from collections.abc import Iterable
from typing import Any

from model.hive.cached_objects import CachedObjects
from model.hive.lists import ValidTxnList, ValidWriteIdList
from real_backend.hive.backing import Row
from real_backend.hive.client import split_name

DATABASE = "default"
"""The workload's."""


class Names:
    """The two ways of naming things in one run."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.databases: tuple[str, ...] = (database,)
        self.txns: list[int] = []
        self.locks: list[int] = []
        self._tickets = 0
        self._made: dict[int, int] = {}
        self.live_ids: dict[int, int] = {}
        self.partitioned: set[str] = set()
        self.deleted: dict[int, tuple[int, str]] = {}
        """By event, whose statistics were deleted: the table's incarnation, which no event says, and the partition."""

    def live(self, name: str) -> str:
        """The live name of a table of the workload."""
        database, table = split_name(name)
        return f"{self.live_database(database)}.{table}"

    def live_database(self, name: str) -> str:
        """The live name of a database of the workload."""
        return self.database if name == DATABASE else f"{self.database}_{name}"

    def use(self, databases: Iterable[str]) -> None:
        """Note these databases of the workload, the one that has the run's own name last."""
        names = [self.live_database(name) for name in databases]
        self.databases = (*[name for name in names if name != self.database], self.database)

    def live_lists(self, cached: CachedObjects) -> CachedObjects:
        """The lists for live names; a pattern spells the workload's database out, or is of any.

        The run's own database is allowed, too: CachedStore looks for the event of one as for its table "", and where it
        is passed over no table can be made.
        """
        mine = rf"hive\.{self.database}\."
        allowed, denied = [each.replace(rf"hive\.{DATABASE}.", mine) for each in cached]
        return CachedObjects(f"{allowed},{mine}", denied)

    def ours(self, name: str) -> str:
        """The workload's name of a live table."""
        database, table = split_name(name)
        return f"{DATABASE if database == self.database else database.removeprefix(f'{self.database}_')}.{table}"

    def opened(self, live_txn: int) -> int:
        """The number of a transaction that was just opened."""
        self.txns.append(live_txn)
        return len(self.txns)

    def live_txn(self, txn: int) -> int:
        """The live id of a transaction."""
        return self.txns[txn - 1]

    def number_of(self, live_txn: int) -> int:
        """Our number of a transaction that was opened in this run."""
        return self.txns.index(live_txn) + 1

    def asked_for(self, live_lock: int) -> int:
        """The number of a lock that was just asked for."""
        self.locks.append(live_lock)
        return len(self.locks)

    def live_lock(self, number: int) -> int:
        """The live number of a lock."""
        return self.locks[number - 1]

    def ticket(self) -> int:
        """A number for a table that is about to be made, which no other table gets."""
        self._tickets += 1
        return self._tickets

    def made(self, ticket: int, live_id: int) -> int:
        """Note that the table with this ticket was made. Returns: its incarnation."""
        self._made[ticket] = len(self._made) + 1
        self.live_ids[self._made[ticket]] = live_id
        return self._made[ticket]

    def made_with(self, ticket: int) -> int:
        """The incarnation of the table that was made with this ticket."""
        return self._made[ticket]

    def ticket_of(self, incarnation: int) -> int:
        """The ticket that this table was made with; 0 if there is no such table."""
        return next((ticket for ticket, number in self._made.items() if number == incarnation), 0)

    def incarnation(self, row: Row) -> int:
        """The incarnation of a table in the database. A replay may have written another table's parameters into it."""
        numbers = {live_id: number for number, live_id in self.live_ids.items()}
        return numbers.get(row.live_id) or self.made_with(row.ticket)

    def live_id(self, incarnation: int) -> int:
        """The live id of a table; one that no table has, if it is not known."""
        return self.live_ids.get(incarnation, 1 << 40)


def as_number(value: str) -> int:
    """A text as a number that is made of its letters."""
    return int.from_bytes(value.encode())


def as_text(number: int) -> str:
    """The text that a number was made of."""
    return number.to_bytes((number.bit_length() + 7) // 8).decode()


def txn_list(own: int, answer: Any) -> ValidTxnList:
    """What a transaction sees, from the answer to `get_open_txns`. Source: `TxnCommonUtils.createValidReadTxnList`."""
    flags = answer.abortedBits or b""
    high = min(own, answer.txn_high_water_mark)
    is_open: list[int] = []
    aborted: list[int] = []
    for place, txn in enumerate(sorted(answer.open_txns)):
        if txn < own:
            (aborted if _bit(flags, place) else is_open).append(txn)
    return ValidTxnList(high, is_open, aborted)


def write_id_list(table: str, answer: Any) -> ValidWriteIdList:
    """One table's list, from the answer to `get_valid_write_ids`."""
    flags = answer.abortedBits or b""
    ids = list(answer.invalidWriteIds or ())
    aborted = [write_id for place, write_id in enumerate(ids) if _bit(flags, place)]
    is_open = [write_id for place, write_id in enumerate(ids) if not _bit(flags, place)]
    return ValidWriteIdList(table, answer.writeIdHighWaterMark, is_open, aborted)


def _bit(flags: bytes, place: int) -> bool:
    return place // 8 < len(flags) and bool(flags[place // 8] >> (place % 8) & 1)
