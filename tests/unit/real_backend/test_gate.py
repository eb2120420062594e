"""The gate and its player on a toy system: who goes when is the schedule's decision, and nothing else's."""

import threading
import time

import pytest

from real_backend.errors import Abandoned, BackendTimeout
from real_backend.gating.actors import Workers
from real_backend.gating.gate import Gate, InterpositionPoint
from real_backend.gating.play import at_yield_points, matches
from sim.kernel.schedule import Divergence, ScheduleError, parse, parse_step, steps_of
from tests.unit.real_backend.toy import Toy


def trace(gate):
    return " ".join(map(str, gate.trace))


def test_run_up_to_stops_before_the_step_and_loses_an_update():
    """Both load before one commits."""
    toy = Toy()
    gate = toy.run(steps_of("w1:commit w2:end w1:end"))
    assert toy.value == 1
    assert trace(gate) == "w1.load=done w2.load=done w2.commit=done w1.commit=done"


def test_same_actors_in_another_order_lose_nothing():
    """The opposite of the test above: the outcome is the schedule's."""
    toy = Toy()
    toy.run(steps_of("w1:end w2:end"))
    assert toy.value == 2


def test_exact_steps_make_exactly_these_steps():
    """A dot passes the step where the actor stands."""
    toy = Toy()
    gate = toy.run(steps_of("w2.load w1.load w2.commit w1.commit"))
    assert trace(gate) == "w2.load=done w1.load=done w2.commit=done w1.commit=done"


def test_what_the_schedule_leaves_open_runs_to_the_end_in_the_actors_order():
    """No steps at all: first all of w1, then all of w2."""
    assert trace(Toy().run(())) == "w1.load=done w1.commit=done w2.load=done w2.commit=done"


def test_one_actor_runs_between_two_steps():
    """Ten actors, interleaved step by step, never two at once."""
    actors = tuple(f"w{i}" for i in range(10))
    toy = Toy(actors)
    toy.run(steps_of(" ".join(f"{actor}.load" for actor in reversed(actors))))
    assert toy.most_running == 1


def test_fault_reaches_the_call_and_the_trace():
    """The caller of `hold` gets the fault's name and commits it."""
    toy = Toy()
    gate = toy.run(steps_of("w1:commit w1.commit!500-before w2:end"))
    assert str(toy.errors["w1"]) == "500-before"
    assert toy.value == 1
    assert "w1.commit!500-before=faulty" in trace(gate)


def test_reply_is_a_step_of_its_own_when_the_schedule_names_one():
    """Another actor commits between a commit's apply and its reply."""
    toy = Toy()
    gate = toy.run(steps_of("w1:commit/reply w2:end w1:end"))
    assert trace(gate).index("w2.commit/reply") < trace(gate).index("w1.commit/reply")
    assert toy.value == 2


def test_versions_noted_at_a_step_are_kept_with_it():
    """Each passed step knows what it saw or made."""
    gate = Toy().run(())
    assert [passed.version for passed in gate.trace] == ["0", "1", "1", "2"]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (
            "w1.commit",
            "step 1 of 1: wanted w1.commit: w1 stands at w1.load(counter); blocked: w1.load(counter), w2",
        ),
        ("w1:end w1.load", "step 2 of 2: wanted w1.load: w1 has finished; blocked: w2.load(counter); finished: w1"),
        ("w1:lock", "step 1 of 1: wanted w1:lock: w1 has finished"),
        ("w3.load", "step 1 of 1: wanted w3.load: wanted w3, expected an actor out of w1, w2"),
        ("w1.load!500-before", "cannot commit the fault 500-before at load"),
        ("w1.load(other)", "w1 stands at w1.load(counter)"),
        ("w1.load/reply", "w1 stands at w1.load(counter)"),
    ],
)
def test_divergence_says_what_was_wanted_and_who_stands_where(schedule, message):
    """And the actors are let go: none of them is left behind."""
    toy = Toy()
    with pytest.raises(Divergence) as raised:
        toy.run(steps_of(schedule))
    assert message in str(raised.value)
    assert toy.gate.running == ()


def test_given_up_run_ends_every_blocked_call():
    """Both actors were blocked; both calls end in `Abandoned`, with the reason."""
    toy = Toy()
    with pytest.raises(Divergence):
        toy.run(steps_of("w1:commit w2.commit"))
    assert isinstance(toy.errors["w1"], Abandoned)
    assert isinstance(toy.errors["w2"], Abandoned)
    assert "w2.commit" in str(toy.errors["w1"])


def test_actor_that_never_comes_is_a_timeout_that_names_it():
    """Waiting has an end."""
    gate = Gate(("w1",), timeout_s=0.05)
    with pytest.raises(BackendTimeout, match=r"w1: expected a step or its end within 0.05 s, got neither"):
        gate.await_blocked("w1")


def test_second_call_of_a_blocked_actor_gives_the_run_up():
    """A system that sends two requests for one actor at once cannot be stepped."""
    gate = Gate(("w1",), timeout_s=60)
    ended = []

    def hold():
        with pytest.raises(Abandoned):
            gate.hold("w1", "load")
        ended.append(True)

    first = threading.Thread(target=hold)
    first.start()
    gate.await_blocked("w1")
    with pytest.raises(Abandoned, match="expected one call of an actor at a time"):
        gate.hold("w1", "load")
    first.join(60)
    assert ended


def test_unknown_actors_and_operations_outside_the_yield_points_pass_freely():
    """Set-up and read-back are not gated."""
    gate = Gate(("w1",), yield_points=("commit",))
    assert gate.hold("setup", "commit") is None
    assert gate.hold("w1", "load") is None
    assert gate.trace == ()


def test_error_of_ours_in_a_body_is_raised_not_recorded():
    """An outcome of the system is for the body to note; anything that escapes it is a bug."""

    class Faulty(Toy):
        def act(self, actor):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Faulty().run(())


def test_call_that_hangs_is_a_timeout_that_names_it_and_the_next_one_works():
    """Set-up and read-back have an end, too."""
    workers, forever = Workers(), threading.Event()
    with pytest.raises(BackendTimeout, match=r"making the table: expected an end within 0\.05 s"):
        workers.call("setup", forever.wait, "making the table", timeout_s=0.05)
    assert workers.call("setup", lambda: 7, "reading") == 7
    forever.set()
    workers.close()


def test_call_raises_what_its_body_raises():
    """On the caller's thread."""
    workers = Workers()
    with pytest.raises(ZeroDivisionError):
        workers.call("setup", lambda: 1 // 0, "reading")
    workers.close()


def test_workers_keep_one_thread_per_name():
    """Two bodies of one name run one after the other on the same thread."""
    workers, seen = Workers(), []
    for _ in range(2):
        workers.submit("w1", lambda: seen.append(threading.get_ident()))
    deadline = time.monotonic() + 60
    while len(seen) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    workers.close()
    assert len(seen) == 2
    assert len(set(seen)) == 1


def test_schedule_of_every_port_call_is_reduced_to_the_steps_of_the_gate():
    """Other steps happen unseen between these; resources are the simulator's own names."""
    text = (
        "# lakeproof schedule 1\n# scenario: s\nw1.load(db.t) w1.put(data/1) w2:put w1.commit(db.t)!500-after w2:end\n"
    )
    steps = at_yield_points(parse(text), ("load", "commit"))
    assert " ".join(map(str, steps)) == "w1.load w1.commit!500-after w2:end"


def test_fault_at_a_step_that_the_gate_does_not_have_is_refused():
    """Dropping it would replay another story."""
    with pytest.raises(ScheduleError, match=r"w1\.put!late"):
        at_yield_points("w1.put!late", ("load", "commit"))


@pytest.mark.parametrize(
    ("step", "at", "expected"),
    [
        ("w1.load", InterpositionPoint("w1", "load", "t"), True),
        ("w1.load(t)", InterpositionPoint("w1", "load", "t"), True),
        ("w1.load(u)", InterpositionPoint("w1", "load", "t"), False),
        ("w1.load(u)", InterpositionPoint("w1", "load"), True),
        ("w1.load/reply", InterpositionPoint("w1", "load", reply=True), True),
        ("w1.load", InterpositionPoint("w1", "load", reply=True), False),
        ("w2.load", InterpositionPoint("w1", "load"), False),
    ],
)
def test_step_names_interposition_point_by_actor_operation_reply_and_given_resource(step, at, expected):
    """A resource counts when both have one."""
    assert matches(parse_step(step), at) is expected
