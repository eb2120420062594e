"""The simulated file system and its atomicity modes; mutexes that are not on offer while somebody holds them."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from model.ports import AlreadyExists, ConnectionLost, NotFound, Refused
from sim.kernel.choices import Choices
from sim.kernel.faults import Faults
from sim.kernel.kernel import Kernel
from sim.kernel.task import Call
from sim.search.strategies import FirstCome, RandomWalk
from sim.services.file_system import Atomicity, FileSystem
from sim.services.mutexes import BoundMutexes, MutexTable


def kernel(seed: int | None = None) -> Kernel:
    return Kernel(Choices(FirstCome() if seed is None else RandomWalk(seed)))


def creators(atomicity: Atomicity, seed: int) -> tuple[list[str], object]:
    """Two tasks that create one file; who was told that it did, and whose body is there."""
    world = kernel(seed)
    files = FileSystem(world)
    files.atomicity = atomicity
    told: list[str] = []

    def create(name: str) -> None:
        try:
            files.create("f", name)
        except AlreadyExists:
            return
        told.append(name)

    for name in ("a", "b"):
        world.start(name, lambda name=name: create(name))  # type: ignore[misc]
    world.drive()
    return told, files.files["f"][0]


def overwriter(files: FileSystem) -> Callable[[], None]:
    """Write a file anew."""

    def body() -> None:
        files.overwrite("f")
        files.close("f", "new")

    return body


def test_a_file_that_is_written_anew_cannot_be_read_meanwhile() -> None:
    """Before it has the old content, and afterwards the new one."""
    world = kernel()
    files = FileSystem(world)
    files.files["f"] = ("old", 0)
    seen: list[str] = []

    def look() -> None:
        for _ in range(3):
            try:
                seen.append(files.read("f"))
            except Refused as error:
                seen.append(str(error))

    world.start("reader", look)
    world.start("writer", overwriter(files))
    world.drive()
    assert seen == ["old", "file f: expected its content, got its end, for writer writes it anew", "new"]


@pytest.mark.parametrize("fault", ["crash", "drop-before"])
def test_a_file_that_nobody_writes_to_its_end_is_empty(fault: str) -> None:
    """Its writer dies, or is told of a failure, when the old content is gone."""

    class AtClose(Faults):
        def at(self, call: Call, kernel: Kernel) -> str | None:
            return fault if call.operation == "close" else None

    world = Kernel(Choices(FirstCome()), faults=AtClose())
    files = FileSystem(world)
    world.on_crash = files.crashed
    files.files["f"] = ("old", 0)

    def body() -> None:
        with suppress(ConnectionLost):
            overwriter(files)()

    world.start("writer", body)
    world.drive()
    assert files.files["f"][0] is None
    assert files.read("f") is None


def test_a_folder_exists_as_long_as_it_holds_something() -> None:
    """As a file does."""
    files = FileSystem(kernel())
    files.create("a/b", 1)
    assert (files.exists("a"), files.exists("a/b"), files.exists("b")) == (True, True, False)
    files.delete("a")
    assert not files.exists("a")


@pytest.mark.parametrize(("atomicity", "winners"), [("atomic", {1}), ("check-then-put", {1, 2}), ("overwrite", {2})])
def test_how_many_creators_of_one_file_believe_that_they_made_it(atomicity: Atomicity, winners: set[int]) -> None:
    """Atomic: always one. Look and write: one or both, by schedule. Plain put: both."""
    assert {len(creators(atomicity, seed)[0]) for seed in range(20)} == winners


def test_folders_exist_as_long_as_they_hold_something() -> None:
    """Names directly below, in order; deleting a folder takes all of it."""
    files = FileSystem(kernel())
    for path in ("t/2/p/b", "t/1/a", "t/2/p/a", "u"):
        files.create(path, None)
    assert files.list("t") == ("1", "2")
    assert files.list("") == ("t", "u")
    assert (files.delete("t/2"), files.delete("t/2"), files.list("t/2/p")) == (True, False, ())


def test_rename_refuses_a_target_and_a_missing_source() -> None:
    """False, and nothing has changed."""
    files = FileSystem(kernel())
    files.write("a", 1)
    files.write("b", 2)
    assert [files.rename("a", "b"), files.rename("x", "c"), files.rename("a", "c")] == [False, False, True]
    assert (files.read("b"), files.read("c"), files.exists("a")) == (2, 1, False)


def test_times_are_of_the_last_write() -> None:
    """By the storage's clock; what is not there has no time and no content."""
    world = kernel()
    files = FileSystem(world)
    files.write("a", 1)
    world.run(until=50)
    files.write("a", 2)
    assert files.mtime_ms("a") == 50
    for ask in (files.mtime_ms, files.read):
        with pytest.raises(NotFound):
            ask("b")


def test_a_mutex_excludes_whatever_the_schedule() -> None:
    """Two tasks, a section of two steps each: never interleaved, and every grant is a step."""
    for seed in range(20):
        world = kernel(seed)
        table, files = MutexTable(world), FileSystem(world)
        inside: list[str] = []

        def work(name: str) -> None:
            mutex = BoundMutexes(table, "", name)  # noqa: B023
            assert mutex.try_lock("m", 0)
            inside.append(f"+{name}")  # noqa: B023
            files.write(name, None)  # noqa: B023
            inside.append(f"-{name}")  # noqa: B023
            mutex.unlock("m")

        for name in ("a", "b"):
            world.start(name, lambda name=name: work(name))  # type: ignore[misc]
        world.drive()
        assert "".join(inside) in ("+a-a+b-b", "+b-b+a-a")
        assert [row[2] for row in world.trace].count("try_lock") == 2


def test_a_process_that_dies_gives_its_locks_back_and_a_second_lock_is_refused() -> None:
    """Its memory is gone; and a lock does not nest."""
    table = MutexTable(kernel())
    a, b = (BoundMutexes(table, "", name) for name in ("a", "b"))
    assert (a.try_lock("m", 0), b.try_lock("m", 0)) == (True, False)
    with pytest.raises(Refused):
        a.try_lock("m", 0)
    b.unlock("m")
    assert not b.try_lock("m", 0)
    table.crashed("a")
    assert b.try_lock("m", 0)


def test_waiting_in_simulated_time_ends() -> None:
    """Timed: a caller gives up after its wait, and the lock goes to who waited next."""
    world = Kernel(Choices(FirstCome()), latency=lambda choices, operation: (1, 1))
    table = MutexTable(world)
    got: dict[str, tuple[bool, int]] = {}

    def work(name: str, hold_ms: int, wait_ms: int) -> None:
        mutex = BoundMutexes(table, "", name)
        granted = mutex.try_lock("m", wait_ms)
        got[name] = (granted, int(world.now))
        if granted:
            world.sleep(hold_ms)
            mutex.unlock("m")

    for name, hold_ms, wait_ms in (("a", 100, 0), ("b", 1, 50), ("c", 1, 500)):
        world.start(name, lambda name=name, hold_ms=hold_ms, wait_ms=wait_ms: work(name, hold_ms, wait_ms))  # type: ignore[misc]
    world.drive()
    assert got["a"][0]
    assert got["b"] == (False, 50)
    assert got["c"][0]
    assert 102 <= got["c"][1] <= 110


def who_waits(inject: Callable[[Kernel], None], hold_ms: int) -> tuple[Kernel, dict[str, tuple[bool, int]]]:
    """`a` holds a lock for a time and `b` waits 50 ms for it; at 10 ms something happens. What `b` was told, when."""
    world = Kernel(Choices(FirstCome()), latency=lambda choices, operation: (1, 1))
    table = MutexTable(world)
    world.on_crash = table.crashed
    got: dict[str, tuple[bool, int]] = {}

    def hold() -> None:
        mutex = BoundMutexes(table, "", "a")
        assert mutex.try_lock("m", 0)
        world.sleep(hold_ms)
        mutex.unlock("m")
        world.sleep(1000)

    def wait() -> None:
        world.sleep(3)
        granted = BoundMutexes(table, "", "b").try_lock("m", 50)
        got["b"] = (granted, int(world.now))

    world.start("a", hold)
    waiting = world.start("b", wait)
    world.at(10, lambda: inject(world), "inject")
    world.drive()
    assert waiting.crashed or waiting.cancelled or "b" in got
    return world, got


@pytest.mark.parametrize("inject", [lambda world: world.crash("b"), lambda world: world.tasks[1].cancel()])
@pytest.mark.parametrize("hold_ms", [20, 500])
def test_a_dead_caller_neither_gets_a_lock_nor_gives_up(inject: Callable[[Kernel], None], hold_ms: int) -> None:
    """Its wait ends with it."""
    world, got = who_waits(inject, hold_ms)
    assert got == {}
    assert [row[1] for row in world.trace if row[2] == "try_lock"] == ["a"]


@pytest.mark.parametrize(("hold_ms", "told"), [(20, True), (100, True), (500, False)])
def test_a_paused_caller_gives_up_when_it_goes_on(hold_ms: int, told: bool) -> None:
    """Not before: it stands still until 210 ms; if the lock is free by then it has it."""
    _, got = who_waits(lambda world: world.pause("b", 200), hold_ms)
    assert got["b"][0] is told
    assert 210 <= got["b"][1] <= 213


def test_a_crash_forgets_what_the_dead_waited_for() -> None:
    """A process that restarts under the name finds none of its old calls."""
    world = Kernel(Choices(FirstCome()), latency=lambda choices, operation: (1, 1))
    table = MutexTable(world)
    assert BoundMutexes(table, "", "a").try_lock("m", 0)
    world.start("b", lambda: BoundMutexes(table, "", "b").try_lock("m", 50))  # type: ignore[arg-type]
    assert [call.task.name for call in table._waiting] == ["b"]
    table.crashed("b")
    assert table._waiting == []


def test_counters_only_rise() -> None:
    """To the value, or by one."""
    counter = BoundMutexes(MutexTable(kernel()), "jvm", "a")
    assert [counter.advance("t", value) for value in (5, 5, 3, 10)] == [5, 6, 7, 10]
