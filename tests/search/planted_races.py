"""Five races planted in small protocols, each with a variant in which it is repaired.

A  check-then-set: two or four writers test the pointer and then write it.
B  a cache poller marks the newest event as applied, not the last one that it applied.
C  a writer that lost a race commits again with the file list that it had read before.
D  a lock's lease runs out under a holder that is slow.
E  an orphan cleaner deletes what a stalled writer has written and not yet committed.

A table is a pointer to a list of names; each writer adds its own. Version n of the table is its n-th name.
"""

from collections.abc import Callable, Sequence
from typing import Any

from model.ports import CasLost, NotFound, NotLocked
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation

FINAL = "r-final"
LEASE_MS = 100
SCAN = 30
Body = Callable[[Simulation, str], None]


def race(name: str, bodies: dict[str, Body], prepare: Callable[[Simulation], Any], finish: Callable[[Simulation], None],
         **options: Any) -> Scenario:  # fmt: skip
    """A scenario of these actors; the first row is there from the start."""

    def start(simulation: Simulation) -> None:
        simulation.record.setup([("row:first", "1")], "first")
        for actor, body in bodies.items():
            simulation.actor(actor, lambda actor=actor, body=body: body(simulation, actor))  # type: ignore[misc]

    return Scenario(
        f"planted/{name}",
        program(start, prepare=prepare, finish=finish),
        ("readable", "acknowledged-writes-survive"),
        **options,
    )


def read_back(
    simulation: Simulation, names: Sequence[str], seen: Sequence[str] | None = None, problem: str = ""
) -> None:
    """The lineage, one version per name, and a final read that shows the rows `seen` (all, if not given)."""
    for ordinal, name in enumerate(names):
        simulation.ordinals[name] = ordinal
        simulation.record.version(ordinal, name, names[ordinal - 1] if ordinal else None)
    op = simulation.record.invoke(FINAL, "read")
    if problem:
        simulation.record.fail(op, f"unreadable: {problem}")
        return
    there = names if seen is None else seen
    reads = [(key, "1" if key.removeprefix("row:") in there else None, None) for key in list(simulation.record.keys())]
    simulation.record.ok(op, start=names[-1], reads=reads)


def acknowledged(simulation: Simulation, op: int, name: str, base: str) -> None:
    """The client was told that its row is in the table."""
    simulation.record.ok(op, start=base, commit=name, parent=base, writes=[(f"row:{name}", "1")])


def create(simulation: Simulation) -> None:
    """One table with one name, in the metastore; alters are blind unless they expect something."""
    simulation.services.metastore.create("t", {"names": "first"})


def names_in_metastore(simulation: Simulation) -> list[str]:
    """What the pointer shows now."""
    return simulation.services.metastore.get_table("t")["names"].split()


def check_then_set(writers: int, repaired: bool = False) -> Scenario:
    """A."""

    def body(simulation: Simulation, name: str) -> None:
        world, op = simulation.world(name), simulation.record.invoke(name, "append", name)
        while True:
            base = world.metastore.get_table("t")["names"]
            for part in ("data", "manifest", "list"):
                world.store.put(f"{name}/{part}", 1)
            if world.metastore.get_table("t")["names"] != base:
                continue
            try:
                world.metastore.alter_table("t", {"names": f"{base} {name}"}, ("names", base) if repaired else None)
            except CasLost:
                continue
            acknowledged(simulation, op, name, base.split()[-1])
            return

    bodies: dict[str, Body] = {f"w{i}": body for i in range(1, writers + 1)}
    return race(
        f"check-then-set-{writers}",
        bodies,
        create,
        lambda simulation: read_back(simulation, names_in_metastore(simulation)),
    )


def cache_poller(repaired: bool = False) -> Scenario:
    """B. The log is a register; the cache is in the store; a last poll after the race is to bring it up to date."""

    def writer(simulation: Simulation, name: str) -> None:
        register, op = simulation.world(name).register, simulation.record.invoke(name, "append", name)
        while True:
            log = register.load("log")
            try:
                register.commit("log", log.version, (*log.value, name))
            except CasLost:
                continue
            acknowledged(simulation, op, name, log.value[-1])
            return

    def poll(simulation: Simulation, name: str, mark: int) -> int:
        world = simulation.world(name)
        events = world.register.load("log").value
        for event in events[mark:]:
            world.store.put(f"cache/{event}", 1)
        return len(events if repaired else world.register.load("log").value)

    def poller(simulation: Simulation, name: str) -> None:
        mark = 0
        for _ in range(2):
            mark = poll(simulation, name, mark)
        simulation.prepared["mark"] = mark

    def finish(simulation: Simulation) -> None:
        poll(simulation, "poller", simulation.prepared["mark"])
        cached = [path.removeprefix("cache/") for path in simulation.services.store.list("cache/")]
        read_back(simulation, simulation.services.register.current("log").value, cached)

    def prepare(simulation: Simulation) -> dict[str, int]:
        simulation.services.register.commit("log", 0, ("first",))
        return {}

    return race("cache-poller", {"w1": writer, "poller": poller, "w2": writer}, prepare, finish)


def stale_file_list(repaired: bool = False) -> Scenario:
    """C. The table is a list of files; a rewriter replaces them by one and deletes them."""

    def writer(simulation: Simulation, name: str) -> None:
        world, op = simulation.world(name), simulation.record.invoke(name, "append", name)
        seen = world.register.load("files")
        files = seen.value
        world.store.put(name, (name,))
        while True:
            try:
                world.register.commit("files", seen.version, (*files, name))
            except CasLost:
                seen = world.register.load("files")
                files = seen.value if repaired else files
                continue
            acknowledged(simulation, op, name, "first")
            return

    def rewriter(simulation: Simulation, name: str) -> None:
        world = simulation.world(name)
        while True:
            seen = world.register.load("files")
            rows = tuple(row for path in seen.value for row in world.store.get(path))
            world.store.put(f"merged-{seen.version}", rows)
            try:
                world.register.commit("files", seen.version, (f"merged-{seen.version}",))
            except CasLost:
                continue
            for path in seen.value:
                world.store.delete(path)
            return

    def finish(simulation: Simulation) -> None:
        files, store = simulation.services.register.current("files").value, simulation.services.store
        try:
            seen = [row for path in files for row in store.get(path)]
        except NotFound as error:
            read_back(simulation, ("first", "w1"), problem=str(error))
        else:
            read_back(simulation, ("first", "w1"), seen)

    def prepare(simulation: Simulation) -> None:
        simulation.services.store.put("f1", ("first",))
        simulation.services.register.commit("files", 0, ("f1",))

    return race("stale-file-list", {"w1": writer, "rewriter": rewriter}, prepare, finish)


def lease_expires(repaired: bool = False) -> Scenario:
    """D. Two writers under one lock; the second one comes later and waits almost a lease between two looks."""

    def body(simulation: Simulation, name: str) -> None:
        world, op = simulation.world(name), simulation.record.invoke(name, "append", name)
        if name == "w2":
            world.clock.sleep_ms(LEASE_MS // 5)
        lock_id, granted = world.locks.lock("t", name)
        while not granted:
            world.clock.sleep_ms(LEASE_MS - 10)
            granted = world.locks.check_lock(lock_id)
        base = world.metastore.get_table("t")["names"]
        for part in ("data", "manifest"):
            world.store.put(f"{name}/{part}", 1)
        try:
            world.metastore.alter_table("t", {"names": f"{base} {name}"}, ("names", base) if repaired else None)
            acknowledged(simulation, op, name, base.split()[-1])
            world.locks.unlock(lock_id)
        except CasLost:
            simulation.record.fail(op, "table changed under the lock")
        except NotLocked:
            world.coverage.hit("lock was gone")

    return race(
        "lease-expires", {"w1": body, "w2": body}, create, lambda simulation: read_back(simulation,
        names_in_metastore(simulation)), lease_ms=LEASE_MS,
    )  # fmt: skip


def orphan_cleaner(repaired: bool = False) -> Scenario:
    """E. The cleaner lists files, looks at thirty others, and then deletes those of its list that no list names.

    Repaired: it only takes files that it had seen in an earlier pass, of which there was none.
    """

    def writer(simulation: Simulation, name: str) -> None:
        world, op = simulation.world(name), simulation.record.invoke(name, "append", name)
        world.store.put(f"data/{name}", 1)
        for part in range(4):
            world.store.put(f"metadata/{name}-{part}", 1)
        seen = world.register.load("files")
        world.register.commit("files", seen.version, (*seen.value, name))
        acknowledged(simulation, op, name, "first")

    def cleaner(simulation: Simulation, name: str) -> None:
        world = simulation.world(name)
        candidates = world.store.list("data/") if not repaired else ()
        for i in range(SCAN):
            world.store.exists(f"elsewhere/{i}")
        live = world.register.load("files").value
        for path in candidates:
            if path.removeprefix("data/") not in live:
                world.store.delete(path)

    def finish(simulation: Simulation) -> None:
        files, store = simulation.services.register.current("files").value, simulation.services.store
        gone = [name for name in files if not store.exists(f"data/{name}")]
        read_back(simulation, files, problem=f"no data file of {gone[0]}" if gone else "")

    def prepare(simulation: Simulation) -> None:
        simulation.services.store.put("data/first", 1)
        simulation.services.register.commit("files", 0, ("first",))

    return race("orphan-cleaner", {"w1": writer, "cleaner": cleaner}, prepare, finish)
