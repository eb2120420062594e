"""The table of faults: every kind can happen at its operation, and none is missing that would show something new."""

import contextlib
import re

import pytest

from model.ports import PortError
from sim.kernel.fault_kinds import KINDS
from sim.search.explore import by_deviations
from sim.search.operations import OPERATIONS
from sim.services.database import DatabaseService
from sim.services.file_system import FileSystem
from sim.services.folder_tables import FolderTables
from sim.services.mutexes import BoundMutexes, MutexTable
from sim.world.fault_spaces import (
    CLOCK,
    CLOCK_DRIFTS,
    CLOCK_STEPS,
    CLOCKS,
    FILES,
    HINTS,
    LOCKS,
    LOOKS,
    MARKER_FILES,
    METASTORE,
    MUTEXES,
    OBJECT_STORE,
    PORTS,
    REGISTER,
    STATEMENTS,
    TABLES,
    TORN,
    calls,
    wide,
)
from sim.world.scenario import FaultSpace
from tests.unit.sim.test_processes import Once
from tests.unit.sim.worlds import Small, scenario

KNOWN = sorted(KINDS)
OVER_HTTP = ("register", "object store")
COMPARES = {("register", "commit"), ("object store", "create")}
AT = [(port, operation) for port in PORTS for operation in port.kinds]
PLACES = [pytest.param(*place, id=f"{place[0].name}-{place[1]}") for place in AT]


class Everything(Small):
    """A small world with every service, and something in each."""

    def __init__(self, **options) -> None:
        super().__init__(**options)
        self.files, self.mutexes = FileSystem(self.kernel), MutexTable(self.kernel)
        self.database = DatabaseService(self.kernel, statements=True)
        self.folders = FolderTables(self.kernel, None, self.register, self.store)
        self.kernel.on_crash = self.mutexes.crashed
        self.files.atomicity = "check-then-put"
        self.register.commit("t", 0, "first")
        self.register.commit("t", 1, "second")
        for number in (1, 2):
            self.folders.commit("h", number, number, hints=False)
        for port in (self.store.put, self.files.write):
            port("d/old", "before")
            port("d/old", "now")
        self.metastore.create("t", {"a": "1"})
        self.metastore.alter_table("t", {"a": "2"})

    def act(self, port, operation):
        """Make one call of an operation, with what has to come before it."""
        mutex, locks = BoundMutexes(self.mutexes, "", "w1"), self.locks
        if port is STATEMENTS:
            return self.database.transact("transact", "rows", lambda tx: self._statement(tx, operation))
        if operation in ("check_lock", "heartbeat", "unlock") and port is LOCKS:
            return getattr(locks, operation)(locks.lock("t", "w1")[0])
        if operation == "unlock":
            mutex.try_lock("m", 0)
        return {
            REGISTER.name: {"load": lambda: self.register.load("t"), "commit": lambda: self.register.commit("t", 2, 3)},
            OBJECT_STORE.name: {
                "get": lambda: self.store.get("d/old"), "exists": lambda: self.store.exists("d/old"),
                "list": lambda: self.store.list("d"), "put": lambda: self.store.put("d/new", 1),
                "create": lambda: self.store.put_if_absent("d/new", 1), "delete": lambda: self.store.delete("d/old"),
            },
            METASTORE.name: {
                "get_table": lambda: self.metastore.get_table("t"),
                "alter_table": lambda: self.metastore.alter_table("t", {"a": "3"}, ("a", "2")),
            },
            TABLES.name: {
                "create_table": lambda: self.metastore.create_table("u", {"a": "1"}),
                "drop_table": lambda: self.metastore.drop_table("t", 0),
                "rename_table": lambda: self.metastore.rename_table("t", "u", {"a": "3"}),
            },
            LOCKS.name: {"lock": lambda: locks.lock("t", "w1"), "show_locks": lambda: locks.show_locks("t")},
            FILES.name: {
                "exists": lambda: self.files.exists("d/old"), "list": lambda: self.files.list("d"),
                "mtime": lambda: self.files.mtime_ms("d/old"), "read": lambda: self.files.read("d/old"),
                "create": lambda: self.files.create("d/new", 1), "open-w": lambda: self.files.create("d/new", 1),
                "write": lambda: self.files.write("d/new", 1), "delete": lambda: self.files.delete("d/old"),
                "rename": lambda: self.files.rename("d/old", "d/new"),
            },
            MARKER_FILES.name: {
                "overwrite": lambda: self.files.overwrite("d/old"), "close": lambda: self.files.close("d/old", 1),
            },
            MUTEXES.name: {"try_lock": lambda: mutex.try_lock("m", 0), "unlock": lambda: mutex.unlock("m")},
            HINTS.name: {"hint": lambda: self.folders.hint("h", 2), "prune": lambda: self.folders.prune("h", 1)},
            LOOKS.name: {"look": lambda: self.folders.look("h", 3)},
            CLOCK.name: {"sleep": lambda: self.world("w1").clock.sleep_ms(10)},
        }[port.name][operation]()  # fmt: skip

    def _statement(self, tx, operation):
        if operation == "next_value":
            return tx.next_value("s")
        act = {"select": tx.get, "select_for_update": tx.lock, "update": tx.put, "delete": tx.delete}[operation]
        return act("rows", 1, "row") if operation == "update" else act("rows", 1)


def what_happened(port, operation, fault):
    """What the caller heard, whether its process lives, and what the services hold when all is over."""
    world = Everything(faults=Once(fault, operation, pause_ms=50) if fault else None)

    def body():
        try:
            world.log.append(world.act(port, operation))
        except PortError as error:
            world.log.append((type(error), getattr(error, "code", 0), getattr(error, "retry_after_ms", 0)))

    task = world.task("w1", body)
    world.kernel.drive()
    services = (
        world.register, world.store, world.metastore, world.locks, world.files, world.mutexes, world.database,
        world.folders,
    )  # fmt: skip
    pending = [call.operation for call in world.kernel.ready]
    return world.log, task.crashed, pending, world.kernel.now, [service.image() for service in services]


@pytest.mark.parametrize(("port", "operation"), PLACES)
def test_every_kind_of_the_table_happens_at_its_operation(port, operation):
    """The search finds a run of each, and the caller gets what a port may give."""
    for kind in port.kinds[operation]:
        log, crashed, *_ = what_happened(port, operation, kind)
        assert crashed is ("crash" in kind)
        assert len(log) == (0 if crashed else 1)


@pytest.mark.parametrize(("port", "operation"), PLACES)
def test_a_kind_that_is_not_in_the_table_would_show_nothing_new(port, operation):
    """It is not spoken there, or its caller and the services end as under one that is in it, or under none."""
    known = [what_happened(port, operation, kind) for kind in (None, *port.kinds[operation])]
    for kind in KNOWN:
        if kind in port.kinds[operation]:
            continue
        status = re.match(r"\d+", kind)
        if status and (port.name not in OVER_HTTP or (status[0] == "409" and (port.name, operation) not in COMPARES)):
            continue
        if kind in ("stale", *TORN) or kind.startswith("log-"):
            with pytest.raises(ValueError, match=f"fault {kind} at"):
                what_happened(port, operation, kind)
            continue
        if port in (MUTEXES, STATEMENTS, CLOCK) and not kind.startswith(("crash", "pause", "clock")):
            continue  # the client of ZooKeeper, the database and the machine see to them
        got = what_happened(port, operation, kind)
        assert any(_same(got, other) for other in known), kind


def _same(one, other):
    """Whether two ends are one: a late read is still on its way, and changes nothing when it arrives."""
    return (one[0], one[1], one[4]) == (other[0], other[1], other[4])


def test_the_table_has_every_operation_of_the_services():
    """A service with a new step needs a line."""
    assert {operation for port in PORTS for operation in port.kinds} == OPERATIONS
    assert all(kind in KINDS for port in PORTS for kinds in port.kinds.values() for kind in kinds)
    assert len(REGISTER.kinds["commit"]) == 20 + 4 + 3 + 1 + 4


def test_a_wide_space_has_every_kind_at_every_operation_and_says_it_in_few_words():
    """Not as a list of names; and no pause without a length."""
    space = wide(REGISTER, OBJECT_STORE)
    assert str(space) == (
        "at most 1 fault of every kind at every step on register and object store, no pauses, "
        "no partitions, no clock faults"
    )
    assert set(space.kinds) == {*REGISTER.kinds, *OBJECT_STORE.kinds}
    assert set(REGISTER.kinds["commit"]) - set(space.kinds["commit"]) == {"pause", "partition", *CLOCKS}
    paused = wide(
        METASTORE, LOCKS, CLOCK, limit=2, pause_ms=600_000, partition_ms=5, clock_step_ms=1_000, clock_drift_percent=10
    )
    assert str(paused).startswith("at most 2 faults of every kind at every step on metastore, locks and sleep, pauses")
    assert str(paused).endswith("partitions of 5 ms, clock steps of 1,000 ms, clock drift of 10 %")
    assert paused.extent.partitioned == {*METASTORE.kinds, *LOCKS.kinds}
    assert paused.kinds["alter_table"] == METASTORE.kinds["alter_table"]


def test_files_are_torn_only_if_that_is_asked_for_and_clocks_may_do_one_thing_alone():
    """Both are said, and so is what there is none of."""
    whole, torn = wide(FILES), wide(FILES, clock_drift_percent=10, torn=True)
    assert str(whole).endswith("no partitions, no clock faults, no torn files")
    assert str(torn).endswith("on files, no pauses, no partitions, no clock steps, clock drift of 10 %")
    assert set(torn.kinds["create"]) - set(whole.kinds["create"]) == {*TORN, *CLOCK_DRIFTS}
    assert torn.extent.clock_drift_percent == 10
    assert set(wide(FILES, clock_step_ms=5).kinds["read"]) - set(whole.kinds["read"]) == set(CLOCK_STEPS)
    with pytest.raises(ValueError, match="clock_drift_percent: expected a number from 0 to 90, got 91"):
        wide(FILES, clock_drift_percent=91)


def test_what_is_left_out_of_a_wide_space_is_in_its_words_with_the_reason():
    """A kind everywhere, or an operation; a name of neither is a mistake."""
    space = wide(REGISTER, pause_ms=5, actors=("w1",), without={"stale": "a catalog shows its newest", "load": "read"})
    assert str(space) == (
        "at most 1 fault of every kind at every step on register of w1, pauses of 5 ms, "
        "no partitions, no clock faults, no stale (a catalog shows its newest), no load (read)"
    )
    assert (list(space.kinds), space.actors, space.may("stale")) == (["commit"], ("w1",), False)
    with pytest.raises(ValueError, match="without: expected a kind or an operation of the ports, got 'put'"):
        wide(REGISTER, without={"put": "no"})


def test_ports_that_share_the_name_of_an_operation_share_its_kinds():
    """A step is known by its name: `delete` of a file is hit as `delete` of an object is."""
    kinds = wide(OBJECT_STORE, FILES).kinds["delete"]
    assert set(OBJECT_STORE.kinds["delete"]) | set(FILES.kinds["delete"]) == {
        *kinds,
        "pause",
        "partition",
        *CLOCKS,
    }
    assert len(kinds) == len(set(kinds))


def test_a_protocols_own_calls_get_the_faults_of_a_remote_call():
    """With the protocol's names for its steps."""
    port = calls("metastore calls", "poll", "commit_txn")
    assert port.kinds == {"poll": LOCKS.kinds["lock"], "commit_txn": LOCKS.kinds["lock"]}


def test_a_narrow_space_names_its_kinds_its_operations_and_its_actors():
    """So that bounds do not promise more than was tried."""
    space = FaultSpace({"load": ("crash",), "put": ("late", "crash"), "get": ("crash",)}, 1, ("w1",))
    assert str(space) == "at most 1 fault of crash at load, get; crash, late at put of w1"


def test_a_search_of_a_wide_space_injects_every_kind():
    """At any process, as choices of the search."""

    def body(simulation):
        with contextlib.suppress(PortError):
            simulation.world("w1").register.load("t")

    space = wide(REGISTER, pause_ms=10, partition_ms=10, clock_step_ms=10, clock_drift_percent=10)
    one = scenario(
        {"w1": body, "w2": body}, faults=space,
        prepare=lambda simulation: simulation.services.register.commit("t", 0, ""),
    )  # fmt: skip
    result = by_deviations(one, 1)
    assert {f"fault {kind}" for kind in space.kinds["load"]} == {n for n in result.coverage if n.startswith("fault")}
