"""The escape detector: the real world is out of reach inside a task, and only there."""

import datetime
import importlib
import os
import random
import secrets
import socket
import subprocess
import sys
import threading
import time
import types
import uuid
from datetime import datetime as bound_datetime
from random import random as bound_random
from time import sleep as bound_sleep

import pytest

from sim.kernel.errors import EscapeError
from sim.kernel.escape import guarded, imported
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.substitutes import substitute
from tests.unit.sim.worlds import Small, both, scenario

TOUCHES = {
    "time.time": lambda: time.time(),
    "time.monotonic_ns": lambda: time.monotonic_ns(),
    "time.perf_counter": lambda: time.perf_counter(),
    "time.sleep": lambda: time.sleep(0),
    "time.thread_time": lambda: time.thread_time(),
    "time.clock_gettime_ns": lambda: time.clock_gettime_ns(0),
    "time.get_clock_info": lambda: time.get_clock_info("time"),
    "time.localtime": lambda: time.localtime(),
    "time.gmtime": lambda: time.gmtime(None),
    "time.ctime": lambda: time.ctime(),
    "time.asctime": lambda: time.asctime(),
    "time.strftime": lambda: time.strftime("%H"),
    "random.random": lambda: random.random(),
    "random.choice": lambda: random.choice("ab"),
    "random.gauss": lambda: random.gauss(0, 1),
    "random.seed": lambda: random.seed(1),
    "Random.seed": lambda: random.Random(),
    "random._urandom of a system": lambda: random.SystemRandom().random(),
    "os.times": lambda: os.times(),
    "os.getpid": lambda: os.getpid(),
    "os.getrandom": lambda: os.getrandom(1),
    "time.time of a date": lambda: datetime.date.today(),  # noqa: DTZ011 (what is tested)
    "uuid.uuid4": lambda: uuid.uuid4(),
    "uuid.uuid1": lambda: uuid.uuid1(),
    "os.urandom": lambda: os.urandom(4),
    "random._urandom": lambda: secrets.token_hex(4),
    "socket.__new__": lambda: socket.socket().close(),
    "socket.getaddrinfo": lambda: socket.getaddrinfo("localhost", 80),
    "Thread.start": lambda: threading.Thread(target=print).start(),
    "subprocess.Popen": lambda: subprocess.run([sys.executable, "-c", ""], check=False),
    "os.fork": lambda: os.fork(),
    "os.system": lambda: os.system("true"),
    "datetime.now": lambda: datetime.datetime.now(),  # noqa: DTZ005 (what is tested)
    "datetime.utcnow": lambda: datetime.datetime.utcnow(),  # noqa: DTZ003 (what is tested)
    "datetime.today": lambda: datetime.datetime.today(),  # noqa: DTZ002 (what is tested)
}


def touched(touch):
    """The error that a touch inside a task of a guarded world raises."""
    small = Small()

    def body():
        with pytest.raises(EscapeError) as error:
            touch()
        small.log.append(str(error.value))

    with guarded():
        small.task("w1", body)
    return small.log[0]


@pytest.mark.parametrize("name", TOUCHES)
def test_real_world_is_refused_inside_a_task_with_the_call_site(name):
    """What was touched, by whom: file, line and function of the code under test."""
    message = touched(TOUCHES[name])
    assert name.split(" of ")[0] in message.split(":")[0]
    assert "expected simulated code to use its ports, got a call of the real thing at " in message
    assert message.split(" at ")[1].startswith(
        (__file__, uuid.__file__, secrets.__file__, socket.__file__, subprocess.__file__)
    )


def test_door_is_seen_by_the_name_that_a_module_has_bound():
    """`from time import sleep` before the guard was up."""
    assert touched(lambda: bound_sleep(0)).startswith("time.sleep")
    assert touched(lambda: bound_random()).startswith("random.random")


def test_what_was_bound_in_a_default_or_as_a_type_is_not_seen():
    """The stated limit: these do not raise, and a determinism check has to find them."""
    small = Small()

    def body(clock=time.time):
        small.log.extend([clock(), bound_datetime.now(datetime.UTC)])

    with guarded():
        small.task("w1", body)
    assert len(small.log) == 2


HARMLESS = [name for name in TOUCHES if name not in ("socket.getaddrinfo", "os.fork", "random.seed")]


@pytest.mark.parametrize("name", HARMLESS)
def test_real_world_works_outside_tasks_while_the_guard_is_up(name):
    """The harness, the checkers and other threads go on as before."""
    with guarded():
        TOUCHES[name]()


def test_real_world_works_inside_tasks_when_no_guard_is_up():
    """Guarding is for runs, not for ever."""
    with guarded():
        pass
    small = Small()
    small.task("w1", lambda: both(time.time(), random.random(), bound_sleep(0)))
    assert small.kernel.tasks[0].finished


def test_everything_is_put_back():
    """Also after an error, and only when the outermost block ends."""
    before = [time.time, random.random, uuid.uuid4, os.urandom, threading.Thread.start, datetime.datetime]
    bound = bound_sleep

    def fails():
        with guarded():
            with guarded():
                pass
            assert time.time is not before[0]
            assert bound_sleep is not bound
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert bound_sleep is bound
    assert [time.time, random.random, uuid.uuid4, os.urandom, threading.Thread.start, datetime.datetime] == before


def test_seeded_randomness_of_ones_own_is_no_escape():
    """`random.Random(seed)` repeats by itself; seeded anew without a seed, it does not."""
    small = Small()
    with guarded():
        small.task("w1", lambda: small.log.append(random.Random(1).random()))
    assert small.log == [random.Random(1).random()]
    assert touched(lambda: random.Random(1).seed()).startswith("Random.seed")


def test_a_time_that_is_given_is_no_escape():
    """Formatting the simulation's own time asks no clock."""
    small = Small()
    with guarded():
        small.task("w1", lambda: small.log.append(time.strftime("%Y", time.gmtime(0)) + time.asctime(time.gmtime(0))))
    assert small.log == ["1970Thu Jan  1 00:00:00 1970"]


def test_datetime_stays_a_type_while_the_guard_is_up():
    """Instances made before, inside and after are of one class; arithmetic, parsing and subclasses work."""
    before = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    with guarded():
        inside = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
        assert isinstance(before, datetime.datetime)
        assert isinstance(inside, bound_datetime)
        assert type(inside) is bound_datetime
        assert issubclass(bound_datetime, datetime.datetime)
        assert not isinstance(datetime.date(2026, 1, 1), datetime.datetime)
        assert type(datetime.datetime.fromisoformat("2026-01-01")) is bound_datetime
        assert datetime.datetime.fromtimestamp(0, datetime.UTC).year == 1970

        class Own(datetime.datetime):
            """A subclass defined meanwhile, as by a lazy import."""

        assert type(Own(2026, 1, 1)) is Own
        assert not isinstance(before, Own)
    assert before == inside


def test_every_run_is_guarded():
    """The note on the error says where in the schedule it was."""
    subject = scenario({"w1": lambda simulation: both(simulation.world("w1").store.put("a", 1), time.time())})
    with pytest.raises(EscapeError, match=r"time\.time") as error:
        Runner(subject).run(FirstCome())
    assert error.value.__notes__ == ["scenario test/small, after 1 steps: ... w1.put"]
    assert time.time() > 0


def test_threads_of_the_harness_are_free_while_a_task_runs():
    """Only the task's own stack is guarded."""
    small, found = Small(), []

    def elsewhere(go):
        go.wait(5)
        found.append(time.time())

    go = threading.Event()
    thread = threading.Thread(target=elsewhere, args=(go,))
    thread.start()
    with guarded():
        small.task("w1", lambda: both(go.set(), thread.join(5)))
    assert len(found) == 1


def test_a_test_tool_that_the_collector_calls_back_may_look_at_the_clock():
    """Hypothesis times garbage collections, and those happen in the middle of simulated tasks."""
    tool = types.ModuleType("hypothesis.internal")
    exec("import time\ndef callback(): return time.perf_counter()", vars(tool))
    small = Small()
    with guarded():
        small.task("w1", lambda: small.log.append(tool.callback()))
    assert small.log[0] > 0


def test_what_is_imported_within_a_block_binds_the_real_things(tmp_path, monkeypatch):
    """A library under test that is imported late is guarded afterwards like any other."""
    (tmp_path / "late_library.py").write_text(
        "import datetime\nfrom time import time\nclass Late(datetime.datetime): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    clock, day = time.time, datetime.datetime
    with guarded():
        late = imported("late_library")
        assert late.Late.__mro__[1] is day
        assert late.time is not clock
        assert datetime.datetime is not day
    assert late.time is clock
    del sys.modules["late_library"]


def test_what_was_substituted_within_a_block_stays_when_the_block_has_ended(tmp_path, monkeypatch):
    """The real thing that the name was once bound to would be a door in the next block: nobody substitutes twice."""
    (tmp_path / "timed_library.py").write_text("from time import perf_counter\n")
    monkeypatch.syspath_prepend(tmp_path)
    timed = importlib.import_module("timed_library")
    monkeypatch.setattr(guarded, "_doors", (0, guarded._doors[1]))
    small = Small()
    with guarded():
        substitute([("timed_library", "perf_counter", lambda: 7)])
    with guarded():
        small.task("w1", lambda: small.log.append(timed.perf_counter()))
    assert small.log == [7]
    del sys.modules["timed_library"]


def test_what_a_test_has_put_in_the_place_of_a_clock_is_not_taken_away(monkeypatch):
    """Even if the name was a door in a block before."""
    module = types.ModuleType("timed_program")
    vars(module)["look"] = time.monotonic
    monkeypatch.setitem(sys.modules, "timed_program", module)
    monkeypatch.setattr(guarded, "_doors", (0, guarded._doors[1]))
    with guarded():
        pass
    monkeypatch.setattr(module, "look", lambda: 7.0)
    with guarded():
        assert module.look() == 7.0
    assert module.look() == 7.0
