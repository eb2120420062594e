"""Reads `tests/vectors/hudi.txt` and plays a vector; `mismatches` says what is not as upstream's test says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.hudi import SHIPPED, Cleaner, HudiClient, Reader, errors, retries
from model.hudi.config import HudiConfig
from model.hudi.conflicts import ConflictStrategy, Operation, completed_meanwhile, operation_of
from model.hudi.file_groups import BULK_INSERT, DELETE_PARTITION, OVERWRITE, UPSERT, CommitMetadata, WriteStat
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import BUCKET_CONFLICTS, COPY_ON_WRITE, MERGE_ON_READ, OCC, PREFER_WRITER, SIMPLE_CONFLICTS
from model.hudi.locks import FileSystemLockProvider
from model.hudi.markers import DirectMarkers
from model.hudi.names import (
    COMMIT,
    COMPLETED,
    HEARTBEATS,
    INFLIGHT,
    REQUESTED,
    BaseFile,
)
from model.hudi.observer import UNOBSERVED
from model.hudi.partitions import ONE_PARTITION
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.hudi.transactions import LockManager, TransactionManager
from tests.unit.hudi.lock_vectors import storage_lock
from tests.unit.hudi.playing import Vector, play
from tests.unit.hudi.schema_vectors import schema
from tests.unit.hudi.server_vectors import bloom, checker, factory, server
from tests.unit.hudi.service_vectors import clustering, executors, merging
from tests.unit.hudi.worlds import Lab, Refusing

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi.txt"
STATES = {"R": REQUESTED, "I": INFLIGHT, "C": COMPLETED}
STRATEGIES = {"bucket": BUCKET_CONFLICTS, "prefer-writer": PREFER_WRITER}


def _read() -> tuple[Vector, ...]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = [[part.strip() for part in line.split("|")] for line in lines]
    return tuple(Vector(*row[0].split(), *row[1:]) for row in rows)


VECTORS = _read()
BY_NAME = {f"{vector.number}-{vector.source}-{vector.upstream}": vector for vector in VECTORS}


def mismatches(vector: Vector) -> list[str]:
    """What is not as the vector says; empty if all is."""
    return KINDS[vector.kind](vector)


# -- conflicts ---------------------------------------------------------------------------------------------------------


def _metadata(groups: str, operation: str) -> CommitMetadata:
    pairs = [group.split("/") if "/" in group else ["p1", group] for group in groups.split(",")]
    return CommitMetadata(operation, tuple(WriteStat(p, file_id, f"{p}/{file_id}", None) for p, file_id in pairs))


def _conflicts(vector: Vector) -> list[str]:
    table, timeline_text = vector.given.split(";")
    version, kind, *strategies = table.split()
    instants, bodies = [], {}
    for word in timeline_text.split():
        time, action, state, groups, *operation = word.split(":")
        completed = int(state[1:] or int(time) + 100) if state[0] == "C" else None
        instant = Instant(int(time), action, STATES[state[0]], completed)
        instants.append(instant)
        bodies[instant] = _metadata(groups, operation[0] if operation else UPSERT)
    script, wanted = vector.script.split(" -> ")
    own, *rest = script.split()
    time, action, groups = own.split(":")
    known = dict(word.split("=") for word in rest)
    config = HudiConfig(
        table_type=MERGE_ON_READ if kind == "mor" else COPY_ON_WRITE,
        table_version=int(version[1:]),
        conflict_strategy=STRATEGIES[strategies[0]] if strategies else SIMPLE_CONFLICTS,
    )
    strategy = ConflictStrategy(config)
    timeline = Timeline(tuple(instants))
    last = None if known["last"] == "-" else int(known["last"])
    found = strategy.candidates(timeline, int(time), last, bodies.get)
    pending = frozenset(int(t) for t in known.get("pending", "").split(",") if t)
    found += [instant for instant in completed_meanwhile(timeline, pending) if instant not in found]
    this = Operation(int(time), action, UPSERT, _metadata(groups, UPSERT).groups)
    verdicts = [f"{other.requested}={_verdict(strategy, this, operation_of(other, bodies.get))}" for other in found]
    got = " ".join(verdicts) or "-"
    return [] if got == wanted else [f"wanted {wanted}, got {got}"]


def _verdict(strategy: ConflictStrategy, this: Operation, other: Operation) -> str:
    if not strategy.shared(this, other):
        return "none"
    return "allowed" if strategy.is_allowed(this, other) else "conflict"


# -- clients and parts -------------------------------------------------------------------------------------------------


def _rows(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in (pair.split("=") for pair in text.split(",")))


OPERATIONS: dict[str, Callable[[HudiClient, str, int], Any]] = {
    "bulk-insert": lambda client, rows, instant: client.insert(_rows(rows), instant, operation=BULK_INSERT),
    "overwrite": lambda client, rows, instant: client.replace(
        _rows(rows), instant, ONE_PARTITION, OVERWRITE, ONE_PARTITION.names
    ),
    "delete-partition": lambda client, name, instant: client.replace(
        (), instant, ONE_PARTITION, DELETE_PARTITION, (name,)
    ),
}


def _writers(vector: Vector) -> list[str]:
    options, groups = vector.given.split(";")
    parsed = [group.split(":") for group in groups.split()]
    lab = Lab(options, tuple((name, tuple((int(k), v) for k, v in _rows(rows))) for name, rows in parsed))
    clients: dict[str, HudiClient] = {}
    instants: dict[str, int] = {}
    written: dict[str, Any] = {}

    def do(who: str, what: str, argument: str) -> Any:
        if what == "wait":
            return lab.wait(int(argument))
        if what == "clean":
            return len(Cleaner(lab.world(who), lab.config, owner=who).rollback_failed_writes())
        client = clients.setdefault(who, HudiClient(lab.world(who), lab.config, owner=who))
        if what == "start":
            instants[who] = client.start_commit(argument or COMMIT)
        elif what == "commit":
            client.commit(instants[who], written[who])
        elif what == "close":
            client.close()
        elif what in OPERATIONS:
            written[who] = OPERATIONS[what](client, argument, instants[who])
        else:
            written[who] = getattr(client, what)(_rows(argument), instants[who])
        return None

    script, wanted = vector.script.split(" -> ")
    found = play(script, do)
    view = Reader(lab.world("r1"), lab.config).read()
    got = " ".join([f"{key}={'|'.join(v)}" for key, v in view.rows] + [f"completed={len(view.timeline.completed)}"])
    return found if got == wanted else [*found, f"wanted {wanted}, got {got}"]


def _transaction(vector: Vector) -> list[str]:
    lab = Lab()
    managers: dict[str, TransactionManager] = {}

    def do(who: str, what: str, argument: str) -> Any:
        if who not in managers:
            locks = LockManager(lab.world(who or "w1"), lab.config, SHIPPED, UNOBSERVED, who or "w1")
            managers[who] = TransactionManager(locks, needed=True)
        manager = managers[who]
        owner = int(argument) if argument.isdigit() else None
        if what == "begin":
            manager.begin(owner)
        elif what == "end":
            manager.end(owner)
        else:
            return "-" if manager.owner is None else str(manager.owner)
        return None

    return play(vector.script, do)


def _lock(vector: Vector) -> list[str]:
    lab = Lab("file-system")
    config = HudiConfig(lock_expire_minutes=int(vector.given))
    providers: dict[str, FileSystemLockProvider] = {}
    refused: list[str] = []

    def do(who: str, what: str, argument: str) -> Any:
        if what == "wait":
            return lab.wait(int(argument))
        if what == "refuse":
            return refused.append(argument)
        if who not in providers:
            world = lab.world(who, files=Refusing(lab.files, *refused))
            providers[who] = FileSystemLockProvider(world, config, SHIPPED, who)
        return getattr(providers[who], {"try": "try_lock"}.get(what, what))()

    return play(vector.script, do)


def _heartbeat(vector: Vector) -> list[str]:
    lab = Lab()
    interval, misses = map(int, vector.given.split())
    config = HudiConfig(heartbeat_interval_ms=interval, heartbeat_misses=misses)
    world = lab.world("w1")
    beats = Heartbeats(world, TableStorage(world, config), config, SHIPPED)

    def do(who: str, what: str, argument: str) -> Any:
        match what:
            case "start":
                return beats.start(int(argument))
            case "stop":
                return beats.stop(int(argument), delete=True)
            case "stop-timers":
                return beats.stop_timers()
            case "delete":
                return beats.delete(int(argument))
            case "wait":
                return lab.wait(int(argument))
            case "expired":
                return beats.is_expired(int(argument))
        return len(lab.files.list(HEARTBEATS))

    return play(vector.script, do)


def _markers(vector: Vector) -> list[str]:
    lab = Lab()
    markers = DirectMarkers(TableStorage(lab.world("w1"), lab.config), 7)

    def do(who: str, what: str, argument: str) -> Any:
        if what == "create":
            return markers.create("p1", BaseFile(argument, "0-0-0", 7), "CREATE")
        if what == "delete":
            return markers.delete_all()
        return ",".join(file.file_id for file in markers.files("p1")) or "-"

    return play(vector.script, do)


def _retries(vector: Vector) -> list[str]:
    script, wanted = vector.script.split(" -> ")
    got = tried(script.split(), HudiConfig(mode=OCC, conflict_retries=int(vector.given)))
    return [] if got == wanted else [f"wanted {wanted}, got {got}"]


def tried(outcomes: list[str], config: HudiConfig) -> str:
    """What becomes of a write whose tries come to these errors, or to `ok`."""
    made: list[str] = []

    def attempt() -> None:
        made.append(outcomes[len(made)])
        if made[-1] != "ok":
            raise getattr(errors, made[-1])

    try:
        retries.retried(config, Lab().world("w1").coverage, attempt)
    except errors.HudiError as error:
        return f"{type(error).__name__} tries={len(made)}"
    return f"ok tries={len(made)}"


KINDS: dict[str, Callable[[Vector], list[str]]] = {
    "conflict": _conflicts, "writers": _writers, "transaction": _transaction, "lock": _lock,
    "heartbeat": _heartbeat, "markers": _markers,
    "server": server, "checker": checker, "bloom": bloom, "retries": _retries, "schema": schema,
    "storage-lock": storage_lock, "merging": merging, "clustering": clustering, "executors": executors,
    "factory": factory,
}  # fmt: skip
