"""The load of the live study of metastore caches: writers and readers on real metastores, and what each of them saw.

As in the simulated study (`sim.hive.study_run`), with the same calls and times drawn from the same ranges: a writer
changes a table in a transaction, commits, and reads the change back in the next one; a reader reads a table in a
transaction; every call goes to any of the metastores.

Choices: each client is a thread with a connection to each metastore. Times are this process's: a change counts as
committed when its writer has the answer, a read is judged by when its answer came.
"""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hive_metastore import ttypes as wire

from model.hive.lists import ValidWriteIdList
from real_backend.errors import BackendError, BackendTimeout
from real_backend.hive.client import CAPABILITIES, Connection, new_table, split_name
from real_backend.hive.names import txn_list, write_id_list
from sim.hive.study_run import READERS, READS, Setting

END_S = 30.0
LOOK_S = 0.02


class Change(NamedTuple):
    """A change that was committed: the value that it wrote, its write id, and when its writer knew."""

    table: str
    value: str
    write_id: int
    committed_ms: float


class Look(NamedTuple):
    """A read: by whom, of what, what it found, when its answer came and after how long, and its list; of a writer's own
    change the value that it should show, else "" """

    reader: str
    table: str
    value: str
    answered_ms: float
    took_ms: float
    writes: ValidWriteIdList
    own: str = ""


@dataclass
class Seen:
    """What all clients have seen so far."""

    changes: list[Change] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Load:
    """Clients of metastores, from `start` to `stop`.

    Args: `ports` are the metastores'; the tables are below `place`, each by its name; `seed` is the draws'.
    """

    def __init__(self, setting: Setting, ports: Sequence[int], tables: Sequence[str], place: str, seed: int) -> None:
        self.seen = Seen()
        self._setting = setting
        self._ports = tuple(ports)
        self._tables = tuple(tables)
        self._place = place
        self._over = threading.Event()
        self._turns_seen = 0
        self._begun_s = time.perf_counter()
        every_ms = {"w": setting.writers * 1_000 / setting.writes_per_s, "r": setting.window_ms * READERS / READS}
        names = [*(f"w{number}" for number in range(setting.writers)), *(f"r{number}" for number in range(READERS))]
        self._threads = [
            threading.Thread(
                target=self._run,
                args=(name, every_ms[name[0]], random.Random(f"{seed} {name}")),
                name=name,
                daemon=True,
            )
            for name in names
        ]

    def start(self) -> None:
        """Start every client."""
        for thread in self._threads:
            thread.start()

    def await_turns(self) -> None:
        """Wait until each client has had a turn since the last time that this was asked. Raises: `BackendTimeout`."""
        begun = self._turns_seen
        deadline = time.monotonic() + END_S
        while {look.reader for look in self.seen.looks[begun:]} != {thread.name for thread in self._threads}:
            if self.seen.errors or time.monotonic() > deadline:
                raise BackendTimeout(f"load: expected a turn of each client within {END_S:g} s, got fewer")
            time.sleep(LOOK_S)
        self._turns_seen = len(self.seen.looks)

    def now_ms(self) -> float:
        """Milliseconds since this was made."""
        return (time.perf_counter() - self._begun_s) * 1_000

    def stop(self) -> Seen:
        """End every client; returns what they saw. Raises: `BackendError` if a client failed, or does not end."""
        self._over.set()
        for thread in self._threads:
            thread.join(END_S)
        late = [thread.name for thread in self._threads if thread.is_alive()]
        if self.seen.errors or late:
            what = self.seen.errors[0] if self.seen.errors else f"{', '.join(late)} at work after {END_S:g} s"
            raise BackendError(f"load on {len(self._ports)} metastores: expected every call to be answered, got {what}")
        return self.seen

    def _run(self, name: str, every_ms: float, draws: random.Random) -> None:
        """Be at work as often as this on average, from when the last turn was due; who is late begins at once."""
        client, due_ms = _Client([Connection(port) for port in self._ports], self._place, draws), self.now_ms()
        try:
            while True:
                due_ms = max(due_ms + draws.uniform(0, 2 * every_ms), self.now_ms())
                if self._over.wait((due_ms - self.now_ms()) / 1_000):
                    return
                table = draws.choice(self._tables)
                if name.startswith("w"):
                    self._write(client, name, table)
                else:
                    self._look(client, name, table)
        except Exception as error:  # the thread's end would be seen by nobody
            self.seen.errors.append(f"{name}: {type(error).__name__}: {error}")
        finally:
            client.close()

    def _write(self, client: "_Client", name: str, table: str) -> None:
        value = f"{name}-{self.now_ms():.3f}"
        write_id = client.change(table, value, self._setting.open_ms)
        self.seen.changes.append(Change(table, value, write_id, self.now_ms()))
        self._look(client, name, table, own=value)

    def _look(self, client: "_Client", name: str, table: str, own: str = "") -> None:
        txn, writes = client.begin(table)
        asked_ms = self.now_ms()
        value = client.value(table, writes)
        answered_ms = self.now_ms()
        client.commit(txn)
        self.seen.looks.append(Look(name, table, value, answered_ms, answered_ms - asked_ms, writes, own))


class _Client:
    """One client's connections, of which it takes any for each call."""

    def __init__(self, connections: Sequence[Connection], place: str, draws: random.Random) -> None:
        self._connections = connections
        self._place = place
        self._draws = draws

    def _anywhere(self) -> Any:
        return self._draws.choice(self._connections).calls

    def begin(self, table: str, *, writes: bool = False) -> tuple[int, ValidWriteIdList]:
        """Begin a transaction. Returns: its id, and what it may see of the table."""
        kind = wire.TxnType.DEFAULT if writes else wire.TxnType.READ_ONLY
        request = wire.OpenTxnRequest(num_txns=1, user="lakeproof", hostname="localhost", txn_type=kind)
        txn = int(self._anywhere().open_txns(request).txn_ids[0])
        snapshot = str(txn_list(txn, self._anywhere().get_open_txns()))
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[table], validTxnList=snapshot)
        return txn, write_id_list(table, self._anywhere().get_valid_write_ids(asked).tblValidWriteIds[0])

    def value(self, table: str, writes: ValidWriteIdList) -> str:
        """The table's content, asked for with the transaction's list."""
        database, name = split_name(table)
        request = wire.GetTableRequest(
            dbName=database, tblName=name, capabilities=CAPABILITIES, validWriteIdList=str(writes)
        )
        return str(self._anywhere().get_table_req(request).table.parameters["v"])

    def change(self, table: str, value: str, open_ms: int) -> int:
        """Change the table's content in a transaction of its own. Returns: the write id."""
        txn, _ = self.begin(table, writes=True)
        database, name = split_name(table)
        allocated = self._anywhere().allocate_table_write_ids(wire.AllocateTableWriteIdsRequest(database, name, [txn]))
        write_id = int(allocated.txnToWriteIds[0].writeId)
        made = new_table(table, f"{self._place}/{table}", managed=True, value=value)
        made.writeId = write_id
        self._anywhere().alter_table_req(
            wire.AlterTableRequest(dbName=database, tableName=name, table=made, writeId=write_id)
        )
        time.sleep(open_ms / 1_000)
        self.commit(txn)
        return write_id

    def commit(self, txn: int) -> None:
        """End a transaction."""
        self._anywhere().commit_txn(wire.CommitTxnRequest(txnid=txn, exclWriteEnabled=True))

    def close(self) -> None:
        """End the connections."""
        for connection in self._connections:
            connection.close()
