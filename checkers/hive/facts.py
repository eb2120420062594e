"""What a history of metastore sessions says beyond keys and versions: replicas, transactions, write ids, lists, tags.

It stands in the `arg` of an operation as words `key=value`:

| word | of | meaning |
| --- | --- | --- |
| `at` | all | the replica that answered |
| `txn` | all | the session's transaction |
| `table`, `id` | reads | the name that was asked for, and the table id that the session holds for it (0: none) |
| `writes` | reads | the session's list of valid write ids, also if it did not send it; absent for external tables |
| `txn` | time-outs | the transaction that was aborted because its session was silent; 0: it had ended before |
| `source`, `seen`, `tag` | reads | `cache` or `database`; the id of the table that came back; the entry's tag |
| `kind`, `lock`, `partitions`, `id`, `writes` | updates under a lock | the lock's kind and number, the partitions that
were changed, the table, the session's list by then |
| `cached` | caches at the end | `never`: the table is not to be cached |
| `id`, `wid` | changes, writes, inserts, updates under a lock | the table, and the write id of the change (0: none) |
| `name` | changes | the table's name afterwards |

Keys are `table:<id>`, `partition:<id>/<name>` and `constraint:<id>`; versions are the content changes in the order of
the database.

Source: hive/1.3 (string form), hive/4.8.
"""

from functools import lru_cache
from typing import NamedTuple

from checkers.errors import HistoryError
from checkers.histories.history import Op
from checkers.hive.words import words_in
from checkers.isolation.resolve import Facts, Seen

READS = ("get-table", "list-partitions", "get-statistics", "get-key")
CHANGES = (
    "create", "alter", "rename", "drop", "put-partition", "rename-partition", "drop-partition", "analyze",
    "delete-statistics", "add-key", "drop-key", "truncate",
)  # fmt: skip
ROWS = ("write", "insert")
NEVER = 1 << 60
KEPT = 1_024
"""So many texts of lists are remembered with what they say."""


class WriteIds(NamedTuple):
    """A list of valid write ids."""

    high: int
    exceptions: frozenset[int]
    open: tuple[int, ...] = ()

    def has(self, write_id: int) -> bool:
        """Whether the list calls the write committed."""
        return 0 < write_id <= self.high and write_id not in self.exceptions


class Reading(NamedTuple):
    """A read of a table. `began`: the row at which the session's transaction began; `writes` None: eventual."""

    position: int
    op: Op
    at: str
    txn: int
    table: str
    table_id: int
    seen_id: int
    writes: WriteIds | None
    tag: WriteIds | None
    cached: bool
    began: int
    reads: tuple[Seen, ...]

    @property
    def is_of_the_meant(self) -> bool:
        """Whether the table that was shown is the one that the session means; an old client names no id (0)."""
        return self.table_id in (0, self.seen_id)


class Change(NamedTuple):
    """An acknowledged change of content. `version`: the one that it made."""

    position: int
    op: Op
    txn: int
    table_id: int
    write_id: int
    name: str
    version: int


class Ending(NamedTuple):
    """The commit or abort of a transaction: from which row on it may have happened, and by which it had.

    `silent`: it has timed out, which its session is not told before it asks for an end itself.
    """

    invoked: int
    completed: int
    aborts: bool
    silent: bool = False


class Update(NamedTuple):
    """An acknowledged change of rows, by the table's name. `kind`: of the lock that it is made under; "" if of none,
    and then the rest is not known."""

    position: int
    process: str
    txn: int
    table: str
    completed: int
    kind: str = ""
    partitions: tuple[str, ...] = ()
    table_id: int = 0
    write_id: int = 0
    writes: WriteIds | None = None


class Written(NamedTuple):
    """Something that a transaction wrote to a table under a write id (0: none): content, or rows."""

    position: int
    txn: int
    table_id: int
    write_id: int


class HiveFacts:
    """The history in these terms. `began`: by which row a transaction had begun; `written`: what was acknowledged of
    changes of content and of rows; `evicted`: replicas and the tables that their caches had no room for, at some time.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.readings: list[Reading] = []
        self.changes: list[Change] = []
        self.updates: list[Update] = []
        self.written: list[Written] = []
        self.endings: dict[int, Ending] = {}
        self.began: dict[int, int] = {}
        self.evicted: set[tuple[str, str]] = set()
        began: dict[str, int] = {}
        current: dict[str, int] = {}
        for position, op in enumerate(facts.ops):
            if op.f == "begin":
                began[op.process] = op.invoked
                current[op.process] = txn = _number(words_of(op), "txn", op)
                if op.type == "ok" and op.completed is not None:
                    self.began[txn] = op.completed
            elif op.f in ("commit", "abort"):
                self._end(op, current.get(op.process, 0))
            elif op.f == "time-out":
                self._time_out(op)
            elif op.f == "evict":
                words = words_of(op)
                self.evicted.add((words.get("at", ""), words.get("table", "")))
            elif op.type == "ok" and op.f in READS:
                self.readings.append(_reading(facts, position, began.get(op.process, op.invoked)))
            elif op.type == "ok" and op.f == "update":
                self.updates.append(_update(op, position))
                self.written.append(_written(op, position))
            elif op.type == "ok" and op.f in ROWS:
                self.written.append(_written(op, position))
            elif op.type == "ok" and op.f in CHANGES and position in facts.lineage.made:
                self.changes.append(_change(facts, position))
                self.written.append(_written(op, position))

    def _end(self, op: Op, current: int) -> None:
        txn = _number(words_of(op), "txn", op) or current  # a refused commit has no words of its own
        before = self.ending(txn)
        if before.silent or (before.aborts and op.type != "info"):
            return  # it was over before: a time-out found it open, so no end that was asked for had come
        completed = op.completed if op.type == "ok" and op.completed is not None else NEVER
        invoked = NEVER if op.type == "fail" else op.invoked
        if op.type == "fail" and "TxnAborted" in (op.error or ""):  # a conflict: the transaction is over all the same
            self.endings[txn] = Ending(op.invoked, op.completed or NEVER, True)
        elif txn:
            self.endings[txn] = Ending(invoked, completed, op.f == "abort")

    def _time_out(self, op: Op) -> None:
        txn = _number(words_of(op), "txn", op)
        if txn and op.completed is not None:
            self.endings[txn] = Ending(op.invoked, op.completed, True, True)

    def ending(self, txn: int) -> Ending:
        """How a transaction ended; one that did not is still open at every row."""
        return self.endings.get(txn, Ending(NEVER, NEVER, False))


@lru_cache(maxsize=1)
def hive_facts(facts: Facts) -> HiveFacts:
    """The history in these terms; the checks of one verdict share it."""
    return HiveFacts(facts)


def words_of(op: Op) -> dict[str, str]:
    """The words of an operation's `arg`. A later one of the same key replaces an earlier one."""
    return words_in(op.arg)


def parse_list(text: str, where: str) -> WriteIds:
    """Read `db.table:high:min_open:open:aborted`. Raises: HistoryError."""
    try:
        return _list(text)
    except (IndexError, ValueError):
        raise HistoryError(where, "a list db.table:high:min_open:open:aborted", repr(text)) from None


@lru_cache(KEPT)
def _list(text: str) -> WriteIds:
    """A list is read once, however many reads were made with it."""
    fields = text.split(":")
    high = int(fields[1])
    is_open, aborted = ([int(word) for word in field.split(",") if word] for field in (fields + [""] * 5)[3:5])
    return WriteIds(high, frozenset(is_open + aborted), tuple(is_open))


def _reading(facts: Facts, position: int, began: int) -> Reading:
    op = facts.ops[position]
    words = words_of(op)
    where = f"row {op.invoked}"
    return Reading(
        position,
        op,
        words.get("at", ""),
        _number(words, "txn", op),
        words.get("table", ""),
        _number(words, "id", op),
        _number(words, "seen", op),
        parse_list(words["writes"], where) if "writes" in words else None,
        parse_list(words["tag"], where) if "tag" in words else None,
        words.get("source") == "cache",
        began,
        tuple(facts.reads[position]),
    )


def _change(facts: Facts, position: int) -> Change:
    op = facts.ops[position]
    words = words_of(op)
    return Change(
        position,
        op,
        _number(words, "txn", op),
        _number(words, "id", op),
        _number(words, "wid", op),
        words.get("name", ""),
        facts.lineage.made[position][-1],
    )


def _written(op: Op, position: int) -> Written:
    words = words_of(op)
    return Written(position, *[_number(words, key, op) for key in ("txn", "id", "wid")])


def _update(op: Op, position: int) -> Update:
    words = words_of(op)
    made = Update(position, op.process, _number(words, "txn", op), words.get("table", ""), op.completed or 0)
    if "kind" not in words:
        return made
    return made._replace(
        kind=words["kind"],
        partitions=tuple(filter(None, words.get("partitions", "").split(","))),
        table_id=_number(words, "id", op),
        write_id=_number(words, "wid", op),
        writes=parse_list(words["writes"], f"row {op.invoked}") if ":" in words.get("writes", "") else None,
    )


def _number(words: dict[str, str], key: str, op: Op) -> int:
    text = words.get(key, "0")
    if not text.isdigit():
        raise HistoryError(f"row {op.invoked}", f"a number after {key}=", repr(text))
    return int(text)
