"""Small programs with state in a place that a key of states could miss.

The memory of a process that tasks share, a reading of the clock, a daemon's wake-up, a lease, a fault that is still to
come, an older version, a timer and whose it is.
"""

from model.ports import CasLost, PortError
from sim.world.program import program
from sim.world.scenario import FaultSpace, Scenario
from tests.unit.sim.worlds import both, scenario


def say(simulation, who, what):
    """Put something into the history: the outcome of a schedule is what its clients saw."""
    simulation.record.fail(simulation.record.invoke(who, "saw"), str(what))


def prepare(simulation):
    simulation.services.register.commit("t", 0, "first")
    simulation.services.metastore.create("t", {"p": "0"})


def attempt(call):
    try:
        return call()
    except PortError as error:
        return type(error).__name__


def clock_reader(simulation):
    """Reads the clock early and speaks of it late, while another task's sleep moves it."""
    world = simulation.world("w1")
    world.store.put("a", 1)
    then = world.clock.now_ms()
    world.store.put("b", 1)
    world.store.put("c", 1)
    say(simulation, "w1", then)


def sleeper(simulation):
    simulation.world("w2").clock.sleep_ms(100)
    simulation.world("w2").store.put("d", 1)


def unchecked(name):
    def body(simulation):
        register = simulation.world(name).register
        seen = register.load("t").value
        say(simulation, name, attempt(lambda: register.commit("t", register.load("t").version, f"{seen}+{name}")))

    return body


def retrying(name, tries):
    def body(simulation):
        register = simulation.world(name).register
        for _ in range(tries):
            seen = register.load("t")
            try:
                register.commit("t", seen.version, f"{seen.value}+{name}")
            except CasLost:
                continue
            except PortError as error:
                say(simulation, name, error)
            break

    return body


def lineage(simulation):
    written = [*simulation.services.register.history["t"], *simulation.services.metastore.tables["t"]]
    for ordinal, version in enumerate(written):
        simulation.record.version(ordinal, str(version), None)


def blind(name):
    """Alters without a check, hears nothing of the others, and ends later: who was first shows in the lineage only."""

    def body(simulation):
        world = simulation.world(name)
        world.metastore.alter_table("t", {"p": name})
        world.store.put(name, 1)

    return body


def shared_memory(simulation):
    """A process of two tasks: one writes down how often it went on, the other reads it between its own steps."""
    memory = {"turns": 0}

    def helper():
        for _ in range(3):
            simulation.world("w1").store.exists("x")
            memory["turns"] += 1

    def reader():
        simulation.world("w1").store.exists("y")
        first = memory["turns"]
        simulation.world("w1").store.exists("y")
        say(simulation, "w1", (first, memory["turns"]))

    simulation.world("w1")
    simulation.kernel.start("w1-helper", helper, process="w1")
    simulation.kernel.start("w1", reader, process="w1")
    simulation.actor("w2", lambda: simulation.world("w2").store.put("x", 1))


def ticking(simulation):
    """A daemon's wake-up changes memory that the main task reads; a third task's sleep makes time pass."""
    memory = {"ticks": 0}

    def tick():
        while True:
            simulation.world("w1").clock.sleep_ms(50)
            memory["ticks"] += 1
            if memory["ticks"] == 2:
                simulation.world("w1").store.put("beat", 1)

    def body():
        simulation.world("w1").tasks.spawn("tick", tick)
        simulation.world("w1").store.put("a", 1)
        first = memory["ticks"]
        simulation.world("w1").store.put("b", 1)
        say(simulation, "w1", (first, memory["ticks"]))

    simulation.actor("w1", body)
    simulation.actor("w2", lambda: both(*[simulation.world("w2").clock.sleep_ms(60) for _ in range(2)]))


def two_daemons(simulation):
    """Two daemons that look alike sleep equally long from different moments: only their timers tell who was first."""

    def daemon(name):
        def body():
            simulation.world(name).store.put("begun", 1)
            simulation.world(name).clock.sleep_ms(30)
            simulation.world(name).store.put("slot", name)

        return body

    for name in ("d1", "d2"):
        simulation.world(name)
        simulation.kernel.start(name, daemon(name), daemon=True)

    def body():
        world = simulation.world("w1")
        world.clock.sleep_ms(15)
        one = world.store.exists("begun")
        world.store.delete("begun")
        world.tasks.spawn("helper", lambda: say(simulation, "w1-helper", world.store.exists("begun")))
        other = world.store.exists("begun")
        world.clock.sleep_ms(16)
        say(simulation, "w1", (one, other, attempt(lambda: world.store.get("slot"))))

    simulation.actor("w1", body)


def leased(name, beats):
    def body(simulation):
        world = simulation.world(name)
        lock_id, granted = world.locks.lock("t", name)
        heartbeat = lambda: world.locks.heartbeat(lock_id)  # noqa: E731
        beat = None
        if beats:
            beat = world.tasks.spawn("beat", lambda: both(world.clock.sleep_ms(60), attempt(heartbeat)))
        for _ in range(2):
            if granted:
                break
            world.clock.sleep_ms(70)
            granted = attempt(lambda: world.locks.check_lock(lock_id)) is True
        if granted:
            seen = world.register.load("t")
            world.clock.sleep_ms(40)
            said = attempt(lambda: world.register.commit("t", seen.version, name))
            say(simulation, name, (said, attempt(lambda: world.locks.unlock(lock_id))))
        if beat is not None:
            beat.cancel()

    return body


def beating(simulation):
    """When its one heartbeat arrived is known to the lock table only."""
    locks = simulation.world("w1").locks
    lock_id, _ = locks.lock("t", "w1")
    alive = attempt(lambda: locks.heartbeat(lock_id))
    simulation.world("w1").store.exists("x")
    say(simulation, "w1", (alive, attempt(lambda: locks.unlock(lock_id))))


def latecomer(simulation):
    for _ in range(2):
        simulation.world("w2").clock.sleep_ms(70)
    say(simulation, "w2", simulation.world("w2").locks.lock("t", "w2"))


def holder(simulation):
    """Takes the lock when it is free, and holds it past its lease."""
    world = simulation.world("w2")
    lock_id, granted = world.locks.lock("t", "w2")
    world.clock.sleep_ms(110)
    say(simulation, "w2", (granted, attempt(lambda: world.locks.check_lock(lock_id))))


def giving_up(simulation):
    """Draws names for files and tries again after faults: which identifiers are used depends on the past."""
    world = simulation.world("w1")
    for _ in range(2):
        path = f"f{world.chance.fresh('file')}"
        if attempt(lambda path=path: world.store.put_if_absent(path, 1)) is None:
            break
    say(simulation, "w1", world.store.list("f"))


def stale_reader(simulation):
    world = simulation.world("w1")
    say(simulation, "w1", attempt(lambda: world.register.load("t")))
    say(simulation, "w1", attempt(lambda: world.store.list("")))


def answers(name):
    """Every client ends in one answer: their order is all that there is to see."""
    exists = lambda simulation: simulation.world(name).store.exists("x")  # noqa: E731
    return lambda simulation: both(exists(simulation), exists(simulation), say(simulation, name, "done"))


PROGRAMS: dict[str, Scenario] = {
    "clock read early, told late": scenario({"w1": clock_reader, "w2": sleeper}),
    "unchecked writes": scenario({"w1": unchecked("w1"), "w2": unchecked("w2")}, prepare=prepare, finish=lineage),
    "retries": scenario({n: retrying(n, 2) for n in ("w1", "w2", "w3")}, prepare=prepare, finish=lineage),
    "blind writes": scenario({n: blind(n) for n in ("w1", "w2", "w3")}, prepare=prepare, finish=lineage),
    "shared memory": Scenario("test/shared", program(shared_memory), ()),
    "ticking daemon": Scenario("test/ticking", program(ticking), ()),
    "order of answers": scenario({name: answers(name) for name in ("w1", "w2", "w3", "w4")}),
    "two daemons": Scenario("test/two-daemons", program(two_daemons), ()),
    "leases": scenario({"w1": leased("w1", False), "w2": leased("w2", False)}, prepare=prepare, lease_ms=100),
    "one heartbeat": scenario({"w1": beating, "w2": latecomer}, lease_ms=100),
    "leases with heartbeat": scenario({"w1": leased("w1", True), "w2": holder}, prepare=prepare, lease_ms=100),
    "identifiers": scenario(
        {"w1": giving_up, "w2": lambda simulation: simulation.world("w2").store.put("f0", 1)},
        faults=FaultSpace({"create": ("drop-before", "drop-after", "late", "resend")}, 2),
    ),
    "late and dropped commits": scenario(
        {"w1": retrying("w1", 2), "w2": retrying("w2", 1)}, prepare=prepare, finish=lineage,
        faults=FaultSpace({"commit": ("late", "drop-after", "resend", "409-after")}, 2),
    ),
    "crash": scenario(
        {"w1": retrying("w1", 2), "w2": retrying("w2", 2)}, prepare=prepare, finish=lineage,
        faults=FaultSpace({"load": ("crash",), "commit": ("crash", "crash-after")}, 1),
    ),
    "pause": scenario(
        {"w1": leased("w1", False), "w2": leased("w2", False)}, prepare=prepare, lease_ms=100,
        faults=FaultSpace({"load": ("pause",), "commit": ("pause",)}, 1, (), 150),
    ),
    "stale reads": scenario(
        {"w1": stale_reader, "w2": unchecked("w2"), "w3": lambda simulation: simulation.world("w3").store.put("z", 1)},
        prepare=prepare, faults=FaultSpace({"load": ("stale",), "list": ("stale",)}, 2),
    ),
}  # fmt: skip
