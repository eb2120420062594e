"""What a protocol may ask of the world.

Protocol code is blocking Python. Everything outside the calling task is reached through one of the ports below; three
worlds implement them (simulated in `sim`, real and gated in `real_backend`). A port call that returns has been applied
and answered. A port call that raises carries exactly as much knowledge as a caller on a real network would have:

* `Refused` and its subclasses: the service answered no. The call was not applied.
* `Unanswered` and its subclasses: an answer that says nothing about the outcome. The call may have been applied, may
  be applied later, or may never be. It is never to be treated as a failure.

Choices: bodies are immutable Python values (frozen dataclasses, tuples, strings), never bytes. A real world encodes
them; the simulated one keeps them as they are, so that a state of the world can be compared and hashed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from model.folders import FolderTables as FolderTables
from model.folders import NumberedVersion as NumberedVersion
from model.registers import Absent as Absent
from model.registers import Body as Body
from model.registers import Register as Register
from model.registers import Request as Request
from model.registers import Versioned as Versioned

Result = TypeVar("Result")


class PortError(Exception):
    """A port call did not return normally. Look at the subclass: `Refused` is definite, `Unanswered` is not."""


class Refused(PortError):
    """The service answered no; the call was not applied. Retry after a refresh, or report the refusal."""


class NotFound(Refused):
    """The named object does not exist. Expected: an object written earlier and not deleted since."""


class AlreadyExists(Refused):
    """A create-only write met an existing object."""


class CasLost(Refused):
    """A compare-and-swap (or a catalog requirement, HTTP 409) did not hold; refresh, validate again, retry."""


class BadRequest(Refused):
    """The service finds the request itself wrong (HTTP 400). Another attempt must ask for something else."""


class Deadlock(Refused):
    """The database ended a transaction that waited in a circle with others. It was rolled back: run it again."""


class NotLocked(Refused):
    """A lock call named a lock that the service does not hold any more (released, expired, unknown)."""


class Unanswered(PortError):
    """No usable answer: the call may or may not have been applied. Check the state before doing anything final."""


class Status(Unanswered):
    """An HTTP-like error status that leaves the outcome open.

    Attributes: `code` (429, 500, 502, 503, 504), `retry_after_ms` (None if the answer named no time to wait).
    """

    def __init__(self, code: int, retry_after_ms: int | None = None) -> None:
        super().__init__(
            f"status {code}" + (f", retry after {retry_after_ms} ms" if retry_after_ms is not None else "")
        )
        self.code = code
        self.retry_after_ms = retry_after_ms


class ConnectionLost(Unanswered):
    """The connection closed (or timed out) before an answer came."""


class ObjectStore(Protocol):
    """Immutable objects under string paths; a put is visible at once and whole.

    `put_if_absent` raises `AlreadyExists`, `get` `NotFound`; `delete` of nothing is no error; `list` gives the paths
    that begin with a prefix, in order.
    """

    def put(self, path: str, body: Body) -> None: ...
    def put_if_absent(self, path: str, body: Body) -> None: ...
    def get(self, path: str) -> Any: ...
    def exists(self, path: str) -> bool: ...
    def delete(self, path: str) -> None: ...
    def list(self, prefix: str) -> tuple[str, ...]: ...


class Metastore(Protocol):
    """Tables as parameter maps; an unknown one is `NotFound`.

    `alter_table` is unconditional unless `expected` = (parameter, value) is given; then it raises `CasLost` otherwise.
    `create_table` raises `AlreadyExists` if there is one of that name; `drop_table` takes away whichever it is; `by`
    names the drop; `rename_table` is an alter with another name, which raises `AlreadyExists` if there is one of that.
    """

    def get_table(self, name: str) -> dict[str, str]: ...
    def alter_table(self, name: str, parameters: dict[str, str], expected: tuple[str, str] | None = None) -> None: ...
    def create_table(self, name: str, parameters: dict[str, str]) -> None: ...
    def drop_table(self, name: str, by: int) -> None: ...
    def rename_table(
        self, name: str, to: str, parameters: dict[str, str], expected: tuple[str, str] | None = None
    ) -> None: ...


class LockService(Protocol):
    """Exclusive locks with leases: granted or waiting, kept alive by heartbeats, dropped when a lease runs out.

    `lock` gives the lock's id and whether it was granted, `show_locks` id, owner and whether it is known to be granted
    of each, in order; the others raise `NotLocked` for an id that is not held any more."""

    def lock(self, name: str, owner: str) -> tuple[int, bool]: ...
    def show_locks(self, name: str) -> tuple[tuple[int, str, bool], ...]: ...
    def check_lock(self, lock_id: int) -> bool: ...
    def heartbeat(self, lock_id: int) -> None: ...
    def unlock(self, lock_id: int) -> None: ...


class Transaction(Protocol):
    """One database transaction at read committed: it sees what is committed, and what it did itself.

    Rows are immutable values under (table, key); the keys of one table can be compared with each other.
    """

    def get(self, table: str, key: Any) -> Any:
        """The row, or None."""
        ...

    def lock(self, table: str, key: Any) -> Any:
        """The row, or None, locked to the end of the transaction; waits for another transaction's lock."""
        ...

    def put(self, table: str, key: Any, row: Body) -> None: ...
    def delete(self, table: str, key: Any) -> None: ...

    def scan(
        self, table: str, low: Any = None, high: Any = None, limit: int | None = None
    ) -> tuple[tuple[Any, Any], ...]:
        """(key, row) with low <= key < high, in key order, the first `limit` of them; None is no bound."""
        ...

    def next_value(self, sequence: str) -> int:
        """The next number, counting from 1, taken whether or not the transaction commits."""
        ...

    def now_ms(self) -> int:
        """The database host's clock."""
        ...


class Database(Protocol):
    """A relational database. `transact` runs `body` in one transaction and commits; an exception rolls it back.

    It raises `Deadlock` if transactions wait for each other, and this one was chosen to end.

    `operation` and `resource` name the call in traces and schedules. The result is immutable.
    """

    def transact(self, operation: str, resource: str, body: Callable[[Transaction], Result]) -> Result: ...


class Memory(Protocol):
    """What the threads of one server process share: `critical` runs a section that no other thread interrupts."""

    def critical(self, operation: str, resource: str, section: Callable[[], Result]) -> Result: ...


class FileSystem(Protocol):
    """Files under slash-separated paths, with modification times by the storage's own clock.

    `create` refuses an existing file as well as the storage can; `write` replaces; `rename` returns False, and does
    nothing, if the target exists; `delete` takes a folder with all that it holds and returns False if there is nothing;
    `list` gives the names directly below a folder in order, () if there is none; `read` and `mtime_ms` raise NotFound.
    `overwrite` empties a file, or makes it, and `close` gives it its content: a read between them is Refused.
    """

    def create(self, path: str, body: Body) -> None: ...
    def write(self, path: str, body: Body) -> None: ...
    def overwrite(self, path: str) -> None: ...
    def close(self, path: str, body: Body) -> None: ...
    def read(self, path: str) -> Any: ...
    def exists(self, path: str) -> bool: ...
    def list(self, folder: str) -> tuple[str, ...]: ...
    def rename(self, source: str, target: str) -> bool: ...
    def delete(self, path: str) -> bool: ...
    def mtime_ms(self, path: str) -> int: ...


class Mutexes(Protocol):
    """Exclusive locks by name, without leases. The caller's process is the owner.

    `try_lock` waits up to `wait_ms` and says whether the lock was granted; it raises `Refused` if the caller holds it
    already. `unlock` does nothing unless the caller holds the lock.
    """

    def try_lock(self, name: str, wait_ms: int) -> bool: ...
    def unlock(self, name: str) -> None: ...


class Statics(Mutexes, Protocol):
    """What all clients in one operating system process share: locks, and counters.

    `advance` raises a counter to `value`, or by one if it is there already, and returns it; that is no step.
    """

    def advance(self, name: str, value: int) -> int: ...


class Clock(Protocol):
    """Time of the caller's own host, in whole milliseconds."""

    def now_ms(self) -> int: ...
    def sleep_ms(self, duration_ms: int) -> None: ...


class Chance(Protocol):
    """The caller's only sources of variation: a draw in [0, bound) under a name, and identifiers never seen before."""

    def below(self, name: str, bound: int) -> int: ...
    def fresh(self, kind: str) -> int: ...


class TaskHandle(Protocol):
    """A helper task of the calling process; `cancel` makes its next port call not happen."""

    def cancel(self) -> None: ...


class Promise(Protocol):
    """What one task of a process gives, once, and one other waits for. In memory: neither is a step."""

    def give(self, value: Any) -> None: ...
    def wait(self) -> Any: ...


class Tasks(Protocol):
    """Helper tasks of the calling process (a heartbeat, say); they share its memory and die with it."""

    def spawn(self, name: str, body: Callable[[], None]) -> TaskHandle: ...
    def promise(self) -> Promise: ...


class Coverage(Protocol):
    """Counters that prove that a path ran: `hit("retry after lost race")`. They change nothing."""

    def hit(self, name: str) -> None: ...


Meaning = tuple[Any, ...]
"""What a port call means to the protocol: a NamedTuple of the protocol's own, such as `PlansOn(snapshot_id=3)`."""


class Notes(Protocol):
    """What port calls mean, for whoever explains a run. Notes change nothing, and nobody reads them back.

    `intend` says what the caller's next port call is for ("deletes as left-over"), `learn` what the answer to its last
    one meant ("plans on snapshot 3").
    """

    def intend(self, meaning: Meaning) -> None: ...
    def learn(self, meaning: Meaning) -> None: ...


ABSENT: Any = None
"""A port that a world does not have."""


@dataclass(slots=True)  # not frozen: each run makes several, in a third of the time
class World:
    """The ports handed to protocol code. A port that a protocol does not use may be any object.

    Args: `store`, `register`, `metastore`, `locks`, `files` and `coordinator` (as `statics`, shared by all
    hosts) are services; `clock`, `chance`, `tasks` and `statics` (shared within one process of the operating system)
    are the caller's own; `coverage` and `notes` only listen; `folders` are tables of a file system.
    Example: `IcebergTable(world, "db.t", options).append(files)`.
    """

    store: ObjectStore
    register: Register
    metastore: Metastore
    locks: LockService
    clock: Clock
    chance: Chance
    tasks: Tasks
    coverage: Coverage
    notes: Notes
    files: FileSystem = ABSENT
    statics: Statics = ABSENT
    coordinator: Statics = ABSENT
    folders: FolderTables = ABSENT
