"""Which faults each port knows, and spaces that have all of them: what may go wrong is not chosen by who asks.

    faults = wide(REGISTER, OBJECT_STORE)
    faults = wide(METASTORE, LOCKS, pause_ms=600_000, without={"stale": "no metastore caches here"})
    faults = wide(FILES, partition_ms=60_000, clock_step_ms=1_000, clock_drift_percent=10, torn=True)

| port | a read may be answered | a change may be answered |
| --- | --- | --- |
| over HTTP (register, object store) | any error status, nothing | the same, applied or not; 409 where it compares |
| by a remote call (metastore, locks, files) | nothing | nothing, applied or not |
| a lock without lease (mutexes) | | nothing |

A change over HTTP or by a remote call may also arrive late, or twice, and at each call its process may be cut off. At
every step its process may die or stand still, or its clock may jump, or drift from then on. A write of a file may be
torn. What takes time is there if a length is given, torn files if they are asked for.

Choices: what a caller cannot tell apart is one kind. A read that was applied and then answered by an error is one that
was not applied, and so is a late one; a read that is sent twice is one that is read later. 429 always has a time to
wait, 409 never. A mutex is ZooKeeper's, whose client sees to it that a lost request is undone and a lost release is
made: so the first is `drop-before`, the second `drop-after`. `stale` is there where the simulated service keeps
versions: leave it out, with the reason, for a service that promises to be consistent. A mutex is not cut off: how long
ZooKeeper keeps a session is not simulated. Only files can be torn: an object store's put is there as a whole or not at
all, and so is what a database or a register is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim.kernel.fault_kinds import Extent
from sim.world.scenario import FaultSpace

CODES = (500, 502, 503, 504)
CLOCK_STEPS, CLOCK_DRIFTS = ("clock-step", "clock-step-back"), ("clock-fast", "clock-slow")
CLOCKS = (*CLOCK_STEPS, *CLOCK_DRIFTS)
STOPS, STOPS_AT_CHANGES = ("crash", "pause", *CLOCKS), ("crash", "crash-after", "pause", *CLOCKS)
TORN = ("torn", "torn-crash")


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
TABLES = Port("tables of the metastore", dict.fromkeys(("create_table", "drop_table", "rename_table"), CALL_CHANGE))
LOCKS = Port(
    "locks", {**dict.fromkeys(("lock", "check_lock", "heartbeat", "unlock"), CALL_CHANGE), "show_locks": CALL_READ}
)
FILES = Port(
    "files",
    dict.fromkeys(("exists", "list", "mtime", "read"), CALL_READ)
    | dict.fromkeys(("rename", "delete"), CALL_CHANGE)
    | dict.fromkeys(("create", "open-w", "write"), (*CALL_CHANGE, *TORN)),
)
MARKER_FILES = Port("marker files", dict.fromkeys(("overwrite", "close"), (*CALL_CHANGE, *TORN)))
MUTEXES = Port("mutexes", {"try_lock": ("drop-before", *STOPS_AT_CHANGES), "unlock": ("drop-after", *STOPS_AT_CHANGES)})
STATEMENTS = Port(
    "database statements",
    {"select": STOPS} | dict.fromkeys(("select_for_update", "update", "delete", "next_value"), STOPS_AT_CHANGES),
)
CLOCK = Port("sleep", {"sleep": STOPS})
HINTS = Port("hints", {"hint": CALL_CHANGE, "prune": CALL_CHANGE})
LOOKS = Port("looks", {"look": CALL_READ})
PORTS = (
    REGISTER, OBJECT_STORE, METASTORE, TABLES, LOCKS, FILES, MARKER_FILES, MUTEXES, STATEMENTS, HINTS, LOOKS, CLOCK,
)  # fmt: skip


def calls(name: str, *operations: str) -> Port:
    """Make the port of a protocol's own remote calls that change something.

    Args: `name` is its name in bounds ("metastore calls"); `operations` are what its steps are called.

    Returns: the port, with the faults of a remote call.
    """
    return Port(name, dict.fromkeys(operations, CALL_CHANGE))


def wide(
    *ports: Port, limit: int = 1, pause_ms: int = 0, partition_ms: int = 0, clock_step_ms: int = 0,
    clock_drift_percent: int = 0, torn: bool = False,
    actors: tuple[str, ...] = (), without: Mapping[str, str] = {},
) -> FaultSpace:  # fmt: skip
    """Make the space of every fault at every step on some ports, in any process.

    Args: `ports` are those on which a fault may happen; `limit` is how many may happen in a run (from 1); `pause_ms` is
    how long a pause lasts (0: there are no pauses), `partition_ms` a partition, and `clock_step_ms` how far a clock
    jumps; `clock_drift_percent` is by how much it is fast or slow when it drifts (0 to 90; 0: it does not); `torn`:
    writes of files may be; `actors` names the processes that may be hit (empty: any); `without` are kinds and
    operations that are left out, each with the reason in a few words.

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
    given = (
        (("pause",), pause_ms), (("partition",), partition_ms), (CLOCK_STEPS, clock_step_ms),
        (CLOCK_DRIFTS, clock_drift_percent), (TORN, torn),
    )  # fmt: skip
    out = {*without, *[kind for group, much in given if not much for kind in group]}
    left = {
        operation: tuple([kind for kind in of_operation if kind not in out])
        for operation, of_operation in kinds.items()
        if operation not in without
    }
    extent = Extent(pause_ms, partition_ms, clock_step_ms, clock_drift_percent=clock_drift_percent)
    told = [*_extent_words(extent, known_kinds), *(["no torn files"] if not torn and "torn" in known_kinds else [])]
    words = _words([port.name for port in ports], actors, told, without)
    return FaultSpace(left, limit, actors, pause_ms, words, partition_ms, clock_step_ms, clock_drift_percent)


def _extent_words(extent: Extent, known_kinds: set[str]) -> list[str]:
    """How far those of the known kinds go that have an extent."""
    said = []
    for kind, name, length_ms in (
        ("pause", "pauses", extent.pause_ms), ("partition", "partitions", extent.partition_ms),
    ):  # fmt: skip
        if kind in known_kinds:
            said.append(f"{name} of {length_ms:,} ms" if length_ms else f"no {name}")
    if known_kinds.isdisjoint(CLOCKS):
        return said
    step_ms, percent = extent.clock_step_ms, extent.clock_drift_percent
    if not (step_ms or percent):
        return [*said, "no clock faults"]
    said.append(f"clock steps of {step_ms:,} ms" if step_ms else "no clock steps")
    return [*said, f"clock drift of {percent} %" if percent else "no clock drift"]


def _words(names: list[str], actors: tuple[str, ...], told: list[str], without: Mapping[str, str]) -> str:
    parts = [f"every kind at every step on {_listed(names)}"]
    if actors:
        parts.append(f" of {_listed(list(actors))}")
    parts += [f", {words}" for words in told]
    parts += [f", no {name} ({reason})" for name, reason in without.items()]
    return "".join(parts)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
