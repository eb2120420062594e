"""Small programs with state in a place that a key of states could miss.

The memory of a process that tasks share, a reading of the clock, a daemon's wake-up, a lease, a fault that is still to
come, an older version, a timer and whose it is.
"""

from model.ports import CasLost, PortError
from sim.world.scenario import FaultSpace, Scenario
from tests.unit.sim.worlds import both, scenario


def say(stage, who, what):
    """Put something into the history: the outcome of a schedule is what its clients saw."""
    stage.record.fail(stage.record.invoke(who, "saw"), str(what))


def prepare(stage):
    stage.services.register.commit("t", 0, "first")
    stage.services.metastore.create("t", {"p": "0"})


def attempt(call):
    try:
        return call()
    except PortError as error:
        return type(error).__name__


def clock_reader(stage):
    """Reads the clock early and speaks of it late, while another task's sleep moves it."""
    world = stage.world("w1")
    world.store.put("a", 1)
    then = world.clock.now_ms()
    world.store.put("b", 1)
    world.store.put("c", 1)
    say(stage, "w1", then)


def sleeper(stage):
    stage.world("w2").clock.sleep_ms(100)
    stage.world("w2").store.put("d", 1)


def unchecked(name):
    def body(stage):
        register = stage.world(name).register
        seen = register.load("t").value
        say(stage, name, attempt(lambda: register.commit("t", register.load("t").version, f"{seen}+{name}")))

    return body


def retrying(name, tries):
    def body(stage):
        register = stage.world(name).register
        for _ in range(tries):
            seen = register.load("t")
            try:
                register.commit("t", seen.version, f"{seen.value}+{name}")
            except CasLost:
                continue
            except PortError as error:
                say(stage, name, error)
            break

    return body


def lineage(stage):
    for version in stage.services.register.history["t"]:
        stage.record.version(version.version, str(version.value), None)
    for parameters in stage.services.metastore.tables["t"]:
        stage.record.version(0, str(parameters), None)


def blind(name):
    """Alters without a check, hears nothing of the others, and ends later: who was first shows in the lineage only."""

    def body(stage):
        world = stage.world(name)
        world.metastore.alter_table("t", {"p": name})
        world.store.put(name, 1)

    return body


def shared_memory(stage):
    """A process of two tasks: one writes down how often it went on, the other reads it between its own steps."""
    memory = {"turns": 0}

    def helper():
        for _ in range(3):
            stage.world("w1").store.exists("x")
            memory["turns"] += 1

    def reader():
        stage.world("w1").store.exists("y")
        first = memory["turns"]
        stage.world("w1").store.exists("y")
        say(stage, "w1", (first, memory["turns"]))

    stage.world("w1")
    stage.kernel.start("w1-helper", helper, process="w1")
    stage.kernel.start("w1", reader, process="w1")
    stage.actor("w2", lambda: stage.world("w2").store.put("x", 1))


def ticking(stage):
    """A daemon's wake-up changes memory that the main task reads; a third task's sleep makes time pass."""
    memory = {"ticks": 0}

    def tick():
        while True:
            stage.world("w1").clock.sleep_ms(50)
            memory["ticks"] += 1
            if memory["ticks"] == 2:
                stage.world("w1").store.put("beat", 1)

    def body():
        stage.world("w1").tasks.spawn("tick", tick)
        stage.world("w1").store.put("a", 1)
        first = memory["ticks"]
        stage.world("w1").store.put("b", 1)
        say(stage, "w1", (first, memory["ticks"]))

    stage.actor("w1", body)
    stage.actor("w2", lambda: both(*[stage.world("w2").clock.sleep_ms(60) for _ in range(2)]))


def two_daemons(stage):
    """Two daemons that look alike sleep equally long from different moments: only their timers tell who was first."""

    def daemon(name):
        def body():
            stage.world(name).store.put("begun", 1)
            stage.world(name).clock.sleep_ms(30)
            stage.world(name).store.put("slot", name)

        return body

    for name in ("d1", "d2"):
        stage.world(name)
        stage.kernel.start(name, daemon(name), daemon=True)

    def body():
        world = stage.world("w1")
        world.clock.sleep_ms(15)
        one = world.store.exists("begun")
        world.store.delete("begun")
        world.tasks.spawn("helper", lambda: say(stage, "w1-helper", world.store.exists("begun")))
        other = world.store.exists("begun")
        world.clock.sleep_ms(16)
        say(stage, "w1", (one, other, attempt(lambda: world.store.get("slot"))))

    stage.actor("w1", body)


def leased(name, beats):
    def body(stage):
        world = stage.world(name)
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
            say(stage, name, (said, attempt(lambda: world.locks.unlock(lock_id))))
        if beat is not None:
            beat.cancel()

    return body


def beating(stage):
    """When its one heartbeat arrived is known to the lock table only."""
    locks = stage.world("w1").locks
    lock_id, _ = locks.lock("t", "w1")
    alive = attempt(lambda: locks.heartbeat(lock_id))
    stage.world("w1").store.exists("x")
    say(stage, "w1", (alive, attempt(lambda: locks.unlock(lock_id))))


def latecomer(stage):
    for _ in range(2):
        stage.world("w2").clock.sleep_ms(70)
    say(stage, "w2", stage.world("w2").locks.lock("t", "w2"))


def holder(stage):
    """Takes the lock when it is free, and holds it past its lease."""
    world = stage.world("w2")
    lock_id, granted = world.locks.lock("t", "w2")
    world.clock.sleep_ms(110)
    say(stage, "w2", (granted, attempt(lambda: world.locks.check_lock(lock_id))))


def giving_up(stage):
    """Draws names for files and tries again after faults: which identifiers are used depends on the past."""
    world = stage.world("w1")
    for _ in range(2):
        path = f"f{world.chance.fresh('file')}"
        if attempt(lambda path=path: world.store.put_if_absent(path, 1)) is None:
            break
    say(stage, "w1", world.store.list("f"))


def stale_reader(stage):
    world = stage.world("w1")
    say(stage, "w1", attempt(lambda: world.register.load("t")))
    say(stage, "w1", attempt(lambda: world.store.list("")))


def answers(name):
    """Every client ends in one answer: their order is all that there is to see."""
    exists = lambda stage: stage.world(name).store.exists("x")  # noqa: E731
    return lambda stage: both(exists(stage), exists(stage), say(stage, name, "done"))


PROGRAMS: dict[str, Scenario] = {
    "clock read early, told late": scenario({"w1": clock_reader, "w2": sleeper}),
    "unchecked writes": scenario({"w1": unchecked("w1"), "w2": unchecked("w2")}, prepare=prepare, finish=lineage),
    "retries": scenario({n: retrying(n, 2) for n in ("w1", "w2", "w3")}, prepare=prepare, finish=lineage),
    "blind writes": scenario({n: blind(n) for n in ("w1", "w2", "w3")}, prepare=prepare, finish=lineage),
    "shared memory": Scenario("test/shared", shared_memory, ()),
    "ticking daemon": Scenario("test/ticking", ticking, ()),
    "order of answers": scenario({name: answers(name) for name in ("w1", "w2", "w3", "w4")}),
    "two daemons": Scenario("test/two daemons", two_daemons, ()),
    "leases": scenario({"w1": leased("w1", False), "w2": leased("w2", False)}, prepare=prepare, lease_ms=100),
    "one heartbeat": scenario({"w1": beating, "w2": latecomer}, lease_ms=100),
    "leases with heartbeat": scenario({"w1": leased("w1", True), "w2": holder}, prepare=prepare, lease_ms=100),
    "identifiers": scenario(
        {"w1": giving_up, "w2": lambda stage: stage.world("w2").store.put("f0", 1)},
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
        {"w1": stale_reader, "w2": unchecked("w2"), "w3": lambda stage: stage.world("w3").store.put("z", 1)},
        prepare=prepare, faults=FaultSpace({"load": ("stale",), "list": ("stale",)}, 2),
    ),
}  # fmt: skip
