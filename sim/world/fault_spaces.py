"""Which faults each port knows, and spaces that have all of them: what may go wrong is not chosen by who asks.

    faults = wide(REGISTER, OBJECT_STORE)
    faults = wide(METASTORE, LOCKS, pause_ms=600_000, without={"stale": "no metastore caches here"})
    faults = wide(FILES, partition_ms=60_000, clock_step_ms=1_000)

| port | a read may be answered | a change may be answered |
| --- | --- | --- |
| over HTTP (register, object store) | any error status, nothing | the same, applied or not; 409 where it compares |
| by a remote call (metastore, locks, files) | nothing | nothing, applied or not |
| a lock without lease (mutexes) | | nothing |

A change over HTTP or by a remote call may also arrive late, or twice, and at each call its process may be cut off. At
every step its process may die or stand still, or its clock may jump. What takes time is there if a length is given.

Choices: what a caller cannot tell apart is one kind. A read that was applied and then answered by an error is one that
was not applied, and so is a late one; a read that is sent twice is one that is read later. 429 always has a time to
wait, 409 never. A mutex is ZooKeeper's, whose client sees to it that a lost request is undone and a lost release is
made: so the first is `drop-before`, the second `drop-after`. `stale` is there where the simulated service keeps
versions: leave it out, with the reason, for a service that promises to be consistent. A mutex is not cut off: how long
ZooKeeper keeps a session is not simulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim.world.scenario import FaultSpace

CODES = (500, 502, 503, 504)
CLOCK_STEPS = ("clock-step", "clock-step-back")
STOPS, STOPS_AT_CHANGES = ("crash", "pause", *CLOCK_STEPS), ("crash", "crash-after", "pause", *CLOCK_STEPS)
LENGTHS = {"pauses": ("pause",), "partitions": ("partition",), "clock steps": CLOCK_STEPS}
"""Kinds that have a length, as bounds call them."""


def _statuses(when: str) -> tuple[str, ...]:
    return (f"429-{when}", *(f"{code}-{when}{retry}" for code in CODES for retry in ("", "-retry")))


CALL_READ = ("drop-before", *STOPS, "partition")
CALL_CHANGE = ("drop-before", "drop-after", "late", "resend", *STOPS_AT_CHANGES, "partition")
HTTP_READ = (*_statuses("before"), "stale", *CALL_READ)
HTTP_CHANGE = (*_statuses("before"), *_statuses("after"), *CALL_CHANGE)
HTTP_SWAP = ("409-before", "409-after", *HTTP_CHANGE)


@dataclass(frozen=True, slots=True)
class Port:
    """A port, for its faults: `name` is its name in bounds, `kinds` are its faults by operation."""

    name: str
    kinds: Mapping[str, tuple[str, ...]]


REGISTER = Port("register", {"load": HTTP_READ, "commit": HTTP_SWAP})
OBJECT_STORE = Port(
    "object store",
    {
        "get": HTTP_READ,
        "exists": HTTP_READ,
        "list": HTTP_READ,
        "put": HTTP_CHANGE,
        "create": HTTP_SWAP,
        "delete": HTTP_CHANGE,
    },
)
METASTORE = Port("metastore", {"get_table": ("stale", *CALL_READ), "alter_table": CALL_CHANGE})
LOCKS = Port("locks", dict.fromkeys(("lock", "check_lock", "heartbeat", "unlock"), CALL_CHANGE))
FILES = Port(
    "files",
    dict.fromkeys(("exists", "list", "mtime", "read"), CALL_READ)
    | dict.fromkeys(("create", "open-w", "write", "rename", "delete"), CALL_CHANGE),
)
MUTEXES = Port("mutexes", {"try_lock": ("drop-before", *STOPS_AT_CHANGES), "unlock": ("drop-after", *STOPS_AT_CHANGES)})
STATEMENTS = Port(
    "database statements",
    {"select": STOPS} | dict.fromkeys(("select_for_update", "update", "delete", "next_value"), STOPS_AT_CHANGES),
)
CLOCK = Port("sleep", {"sleep": STOPS})
PORTS = (REGISTER, OBJECT_STORE, METASTORE, LOCKS, FILES, MUTEXES, STATEMENTS, CLOCK)


def calls(name: str, *operations: str) -> Port:
    """Make the port of a protocol's own remote calls that change something.

    Args: `name` is its name in bounds ("metastore calls"); `operations` are what its steps are called.

    Returns: the port, with the faults of a remote call.
    """
    return Port(name, dict.fromkeys(operations, CALL_CHANGE))


def wide(
    *ports: Port, limit: int = 1, pause_ms: int = 0, partition_ms: int = 0, clock_step_ms: int = 0,
    actors: tuple[str, ...] = (), without: Mapping[str, str] = {},
) -> FaultSpace:  # fmt: skip
    """Make the space of every fault at every step on some ports, in any process.

    Args: `ports` are those on which a fault may happen; `limit` is how many may happen in a run (from 1); `pause_ms` is
    how long a pause lasts (0: there are no pauses), `partition_ms` a partition, and `clock_step_ms` how far a clock
    jumps; `actors` names the processes that may be hit (empty: any); `without` are kinds and operations that are left
    out, each with the reason in a few words.

    Returns: the space; its text names the ports, what has a length, and what was left out and why.

    Raises: `ValueError` if the ports have nothing of the name of something that is left out.
    """
    kinds: dict[str, tuple[str, ...]] = {}
    for port in ports:
        for operation, known in port.kinds.items():
            kinds[operation] = tuple(dict.fromkeys((*kinds.get(operation, ()), *known)))
    known_kinds = {kind for of_operation in kinds.values() for kind in of_operation}
    for name in without:
        if name not in kinds and name not in known_kinds:
            raise ValueError(f"faults: without: expected a kind or an operation of the ports, got {name!r}")
    lengths = dict(zip(LENGTHS, (pause_ms, partition_ms, clock_step_ms), strict=True))
    out = {*without, *[kind for name, of_name in LENGTHS.items() if not lengths[name] for kind in of_name]}
    left = {
        operation: tuple([kind for kind in of_operation if kind not in out])
        for operation, of_operation in kinds.items()
        if operation not in without
    }
    told = {name: length for name, length in lengths.items() if known_kinds.intersection(LENGTHS[name])}
    words = _words([port.name for port in ports], actors, told, without)
    return FaultSpace(left, limit, actors, pause_ms, words, partition_ms, clock_step_ms)


def _words(names: list[str], actors: tuple[str, ...], lengths: Mapping[str, int], without: Mapping[str, str]) -> str:
    parts = [f"every kind at every step on {_listed(names)}"]
    if actors:
        parts.append(f" of {_listed(list(actors))}")
    parts += [f", {name} of {length:,} ms" if length else f", no {name}" for name, length in lengths.items()]
    parts += [f", no {name} ({reason})" for name, reason in without.items()]
    return "".join(parts)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
