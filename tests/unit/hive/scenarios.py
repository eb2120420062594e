"""The commands of `tests/vectors/hive_scenarios.json`: one line each, what it does, and what it answers."""

from collections.abc import Callable

from model.hive import FIXED, Replica, Request, Rules, compare, parse_txn_list, short_list
from model.hive.conflicts import collect_garbage, oldest_open, record_component
from model.hive.lists import ValidTxnList
from model.hive.log import append, clean, read_after
from model.hive.rows import OPEN, TXNS, WRITE_SET, Txn
from model.hive.tables import get
from model.hive.txns import TXN_ID, Ending, heartbeat, heartbeat_range, open_txns, snapshot, time_out
from model.hive.write_ids import valid_write_ids
from model.ports import PortError
from tests.unit.hive.lab import E, Lab, value


class Script:
    """Runs the commands on replicas h1 (which is called) and h2 (which polls)."""

    def __init__(self, rules: Rules = FIXED) -> None:
        self.lab = Lab(rules)
        self.h1: Replica = self.lab.replica("h1")
        self.h2: Replica = self.lab.replica("h2")
        self.lists: dict[str, ValidTxnList] = {}

    def run(self, line: str) -> str:
        """Do one command; returns its answer, or the name of the error."""
        name, *words = line.split()
        command: Callable[..., object] = getattr(self, "do_" + name.replace("-", "_"))
        try:
            return _text(command(*words))
        except PortError as error:
            return type(error).__name__

    # lists
    def do_compare(self, a: str, b: str) -> int:
        return compare(short_list(a), short_list(b))

    def do_txnlist(self, text: str) -> list[int]:
        ids = parse_txn_list(text)
        assert str(ids) == text
        return [n for n in range(1, ids.high + 1) if ids.is_valid(n)]

    def do_compress(self, count: str) -> str:
        ids = ValidTxnList(int(count), range(1, int(count) + 1))
        assert parse_txn_list(str(ids)) == ids
        return str(ids).split(":")[2]

    # transactions
    def do_open(self, count: str) -> object:
        ids = [self.h1.open_txn() for _ in range(int(count))]
        return ids if len(ids) < 10 else len(ids)

    def do_open_read_only(self) -> int:
        return self.h1.open_txn(read_only=True)

    def do_commit(self, txn: str) -> Ending:
        return self.h1.commit_txn(int(txn))

    def do_abort(self, txn: str) -> Ending:
        return self.h1.abort_txn(int(txn))

    def do_heartbeat(self, txn: str) -> str:
        self.lab.sql(lambda tx: heartbeat(tx, int(txn)))
        return "ok"

    def do_heartbeats(self, first: str, last: str) -> str:
        gone, aborted = self.lab.sql(lambda tx: heartbeat_range(tx, int(first), int(last)))
        return f"gone={_text(gone)} aborted={_text(aborted)}"

    def do_tick(self, duration_ms: str) -> None:
        self.lab.kernel.run(until=int(self.lab.kernel.now) + int(duration_ms))

    def do_timeout(self, timeout_ms: str) -> int:
        return len(self.lab.sql(lambda tx: time_out(tx, FIXED, int(timeout_ms))))

    def do_txns(self, own: str = "0") -> str:
        ids = self.h1.valid_txns(int(own))
        shown = [_text(part) if len(part) < 10 else str(len(part)) for part in (ids.open, ids.aborted)]
        return f"{ids.high}:{':'.join(shown)}"

    def do_skip(self) -> None:
        self.lab.sql(lambda tx: tx.next_value(TXN_ID))

    def do_fill(self, txn: str) -> None:
        def body(tx):
            tx.put(TXNS, int(txn), Txn(OPEN, tx.now_ms(), tx.now_ms()))
            append(tx, "OPEN_TXN", txn=int(txn))

        self.lab.sql(body)

    # write ids and conflicts
    def do_alloc(self, txn: str, table: str) -> int:
        return self.h1.allocate_write_id(int(txn), table)

    def do_snapshot(self, txn: str, table: str) -> str:
        self.lists[txn] = self.lab.sql(lambda tx: snapshot(open_txns(tx), int(txn)))
        return self.do_again(txn, table)

    def do_again(self, txn: str, table: str) -> str:
        return self.lab.sql(lambda tx: valid_write_ids(tx, self.lists[txn], table)).short

    def _component(self, txn: str, table: str, partition: str, operation: str) -> None:
        self.lab.sql(lambda tx: record_component(tx, int(txn), table, partition, operation))

    def do_update(self, txn: str, table: str, partition: str = "") -> None:
        self._component(txn, table, partition, "u")

    def do_delete(self, txn: str, table: str, partition: str = "") -> None:
        self._component(txn, table, partition, "d")

    def do_insert(self, txn: str, table: str, partition: str = "") -> None:
        self._component(txn, table, partition, "i")

    def do_writeset(self) -> int:
        return len(self.lab.sql(lambda tx: tx.scan(WRITE_SET)))

    def do_gc(self) -> None:
        self.lab.sql(lambda tx: collect_garbage(tx, oldest_open(tx)))

    # content
    def do_create(self, table: str, content: str) -> None:
        self.h1.create_table(_name(table), (("v", content),), False)

    def do_create_managed(self, table: str, content: str) -> None:
        self.h1.create_table(_name(table), (("v", content),), True)

    def do_alter(self, table: str, content: str) -> None:
        self.h1.alter_table(_name(table), (("v", content),))

    def do_rename(self, table: str, to: str) -> None:
        self.h1.rename_table(_name(table), _name(to))

    def do_drop(self, table: str) -> None:
        self.h1.drop_table(_name(table))

    def do_part(self, table: str, partition: str, content: str) -> None:
        self.h1.put_partition(_name(table), partition, content)

    def do_drop_part(self, table: str, partition: str) -> None:
        self.h1.drop_partition(_name(table), partition)

    def do_rename_part(self, table: str, old: str, partition: str, content: str) -> None:
        self.h1.rename_partition(_name(table), old, partition, content)

    def do_truncate(self, txn: str, table: str) -> None:
        write_id = self.h1.allocate_write_id(int(txn), table)
        self.h1.truncate_table(table, write_id, None, partitioned=False)

    def do_files(self, table: str) -> str:
        return "none" if self.h2.cache.entries[table].base else "all"

    def do_poll(self) -> int:
        count = 0
        while self.h2.poller.poll():
            count += 1
        return count

    def do_own(self, *words: str) -> str:
        self.h1, kept = self.h2, self.h1
        try:
            return self.run(" ".join(words))
        finally:
            self.h1 = kept

    def do_prewarm(self) -> None:
        self.h2.start()

    def do_refresh(self) -> None:
        self.h2.poller.poll()

    def do_cached(self, table: str) -> str:
        answer = self.h2.look(Request(_name(table)))
        if answer is None:
            return "none"
        return " ".join([value(answer), *[f"{name}={content}" for name, content in answer.partitions]])

    def do_database(self, table: str) -> str:
        return dict(self.lab.sql(lambda tx: get(tx, _name(table))).parameters)["v"]

    def do_tag(self, table: str) -> str:
        tag = self.h2.cache.entries[table].tag
        assert tag is not None
        return f"{tag.short} open={_text(tag.open)} aborted={_text(tag.aborted)}"

    def do_log(self) -> str:
        return " ".join(self.lab.log())

    def do_events(self, after: str, limit: str) -> list[int]:
        return [event.id for event in self.lab.sql(lambda tx: read_after(tx, int(after), int(limit)))]

    def do_clean(self, before: str) -> None:
        self.lab.sql(lambda tx: clean(tx, int(before)))


def _name(table: str) -> str:
    return E if table == "e" else f"default.{table}"


def _text(answer: object) -> str:
    match answer:
        case None:
            return ""
        case Ending(state, why):
            return f"{state}: {why}" if why and why.startswith("write conflict") else state
        case list() | tuple():
            return ",".join(map(str, answer))
    return str(answer)
