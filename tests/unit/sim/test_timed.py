"""Timed mode: latencies decide who is first, and simulated time is what a run takes."""

from sim.kernel.faults import FaultBudget
from sim.search.strategies import RandomWalk
from tests.unit.sim.test_processes import Once
from tests.unit.sim.worlds import Small, both

LATENCY = {"put": (10, 5), "commit": (30, 1), "get": (10, 5)}


def fixed(choices, operation):
    return LATENCY[operation]


def test_call_is_applied_after_its_request_time_and_answered_after_its_reply_time():
    """10 ms there, 5 ms back."""
    small = Small(latency=fixed)
    small.task("w1", lambda: both(small.store.put("a", 1), small.log.append(small.kernel.now)))
    small.kernel.drive()
    assert (small.kernel.trace[0][0], small.log) == (10, [15])


def test_shorter_latency_is_served_first():
    """A put of 10 ms overtakes a commit of 30 ms that was sent before it."""
    small = Small(latency=fixed)
    small.task("w1", lambda: both(small.register.commit("t", 0, 1)))
    small.puts("w2", 1)
    small.kernel.drive()
    assert small.steps == ["w2.put", "w1.commit"]


def test_ties_are_served_in_the_order_of_sending():
    """Equal times, first come."""
    small = Small(latency=fixed)
    for name in ("c", "a", "b"):
        small.puts(name, 2)
    small.kernel.drive()
    assert small.steps == ["c.put", "a.put", "b.put"] * 2


def test_sleep_takes_exactly_its_time():
    """Sleeping is not a request: no latency."""
    small = Small(latency=fixed)
    small.task("w1", lambda: both(small.kernel.sleep(70), small.log.append(small.kernel.now)))
    small.kernel.drive()
    assert small.log == [70]


def test_drawn_latencies_repeat_with_their_seed():
    """They are choices like any other, and on the tape."""

    def drawn(choices, operation):
        return 20 + choices.choose("latency", 80), 20 + choices.choose("latency", 80)

    def trace(seed):
        small = Small(RandomWalk(seed), latency=drawn)
        for name in ("a", "b"):
            small.puts(name, 5)
        small.kernel.drive()
        return small.kernel.trace, small.choices.tape

    assert trace(1) == trace(1)
    assert trace(1)[0] != trace(2)[0]
    assert {entry[0] for entry in trace(1)[1]} == {"latency"}


def test_crash_between_request_and_reply_leaves_the_write_applied():
    """The reply finds nobody."""
    small = Small(latency=fixed)

    def body():
        small.store.put("a", 1)
        small.log.append("heard")

    small.task("w1", body)
    small.puts("w2", 3)
    small.kernel.at(12, lambda: small.kernel.crash("w1"), "operator")
    small.kernel.drive()
    assert ("a" in small.store.objects, small.log) == (True, [])


def test_reply_to_a_paused_process_is_heard_after_the_pause():
    """Replies arrive, but nobody reads them; a sleeper oversleeps."""
    small = Small(latency=fixed)
    small.task("w1", lambda: both(small.store.put("a", 1), small.log.append(small.kernel.now)))
    small.task("w1-b", lambda: both(small.kernel.sleep(20), small.log.append(small.kernel.now)), process="w1")
    small.kernel.at(12, lambda: small.kernel.pause("w1", 1000), "operator")
    small.kernel.drive()
    assert small.log == [1012, 1012]


def test_resent_call_is_applied_twice_before_its_reply():
    """The transport sends again at once."""
    small = Small(latency=fixed, faults=Once("resend", "commit"))
    small.task("w1", lambda: small.log.append(_commit(small)))
    small.kernel.drive()
    assert [row[5:] for row in small.kernel.trace] == [(1, "resend"), ("CasLost", "")]


def _commit(small):
    from model.ports import CasLost

    try:
        return small.register.commit("t", 0, 1)
    except CasLost:
        return "lost"


def test_late_call_lands_after_the_caller_was_told():
    """A closed connection after 10 + 5 ms; the put itself a request time later."""
    small = Small(latency=fixed, faults=Once("late", "put"))

    def body():
        from model.ports import ConnectionLost

        try:
            small.store.put("a", 1)
        except ConnectionLost:
            small.log.append((small.kernel.now, "a" in small.store.objects))
        small.kernel.sleep(100)

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == [(15, False)]
    assert [(row[0], row[1]) for row in small.kernel.trace if not row[6]] == [(20, "w1-late")]


def test_faults_are_drawn_in_timed_mode_too():
    """Every put of a run with a sure fault source is asked about."""
    faults = FaultBudget({"put": ("drop-after",)}, limit=100)
    small = Small(RandomWalk(3, fault_rate=1.0), latency=fixed, faults=faults)
    from model.ports import ConnectionLost

    def body():
        for i in range(5):
            try:
                small.store.put(str(i), i)
            except ConnectionLost:
                small.log.append(i)

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == [0, 1, 2, 3, 4]
