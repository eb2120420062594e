"""What can go wrong at the two points of a port call: what was applied, and what the caller gets."""

import pytest

from model.ports import AlreadyExists, CasLost, ConnectionLost, NotFound, PortError, Status
from sim.kernel.fault_kinds import KINDS
from sim.kernel.faults import FaultBudget
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import DepthFirst, FirstCome, RandomWalk
from sim.world.fault_spaces import TORN
from sim.world.scenario import FaultSpace
from tests.unit.sim.test_processes import Once
from tests.unit.sim.worlds import Small, both, scenario

STATUSES = [f"{code}-{when}{retry}" for code in (429, 500, 502, 503, 504) for when in ("before", "after")
            for retry in ("", "-retry")]  # fmt: skip


def _try(call):
    try:
        return call()
    except PortError as error:
        return error


def heard(small, call):
    """Run one call in a task; returns what its caller got: a value, or (error name, text)."""

    def body():
        try:
            small.log.append(call())
        except PortError as error:
            small.log.append(error)

    small.task("w1", body)
    small.kernel.drive()
    return small.log[-1]


def injected(fault, operation="commit"):
    small = Small(faults=Once(fault, operation))
    small.register.commit("t", 0, "first")
    return small


@pytest.mark.parametrize("fault", STATUSES)
def test_status_comes_before_or_after_the_commit_with_or_without_a_time_to_wait(fault):
    """The code, the time, and whether the register moved; the caller cannot tell the last one."""
    code, when, *retry = fault.split("-")
    small = injected(fault)
    got = heard(small, lambda: small.register.commit("t", 1, "second"))
    assert isinstance(got, Status)
    assert (got.code, got.retry_after_ms) == (int(code), 1000 if retry or code == "429" else None)
    assert small.register.current("t").value == ("second" if when == "after" else "first")


@pytest.mark.parametrize(("fault", "value"), [("409-before", "first"), ("409-after", "second")])
def test_conflict_can_be_reported_for_ones_own_commit(fault, value):
    """409 after apply looks like a lost race, which is what makes it dangerous."""
    small = injected(fault)
    assert isinstance(heard(small, lambda: small.register.commit("t", 1, "second")), CasLost)
    assert small.register.current("t").value == value


@pytest.mark.parametrize(("fault", "value"), [("drop-before", "first"), ("drop-after", "second")])
def test_dropped_connection_leaves_the_outcome_open(fault, value):
    """Applied or not, the caller hears the same."""
    small = injected(fault)
    assert isinstance(heard(small, lambda: small.register.commit("t", 1, "second")), ConnectionLost)
    assert small.register.current("t").value == value


def test_resent_commit_meets_itself():
    """Applied, then sent again: the answer is the one to the second sending."""
    small = injected("resend")
    assert isinstance(heard(small, lambda: small.register.commit("t", 1, "second")), CasLost)
    assert [row[5:] for row in small.kernel.trace] == [(2, "resend"), ("CasLost", "")]


def test_resent_commit_under_an_idempotency_key_gets_its_first_answer():
    """A register that keeps its replies repeats them."""
    small = injected("resend")
    small.register.idempotent = True
    assert heard(small, lambda: small.register.commit("t", 1, "second", "k1")) == 2
    assert small.kernel.coverage["stored reply repeated"] == 1


def test_refused_call_that_is_injected_after_apply_is_still_not_applied():
    """After means: after the service acted, and its act was to refuse."""
    small = injected("drop-after")
    assert isinstance(heard(small, lambda: small.register.commit("t", 9, "second")), ConnectionLost)
    assert small.register.current("t").value == "first"


def test_stale_load_gives_the_version_before_the_newest():
    """And the only one there is, if there is one."""
    small = injected("stale", "load")
    assert heard(small, lambda: small.register.load("t")).value == "first"
    small = injected("stale", "load")
    small.register.commit("t", 1, "second")
    assert heard(small, lambda: small.register.load("t")).value == "first"


@pytest.mark.parametrize("name", ["t", "never"])
def test_stale_load_of_a_name_that_was_given_up_finds_nothing(name):
    """As that of a register that there never was: nothing older is under that name."""
    small = injected("stale", "load")
    small.register.rename("t", "u")
    assert isinstance(heard(small, lambda: small.register.load(name)), NotFound)


def test_stale_table_has_the_parameters_before_the_newest_change():
    """The metastore's cache, seen from outside."""
    small = injected("stale", "get_table")
    small.metastore.create("t", {"a": "1"})
    small.metastore.alter_table("t", {"a": "2"})
    assert heard(small, lambda: small.metastore.get_table("t")) == {"a": "1"}


def test_stale_store_shows_objects_and_listings_before_their_newest_change():
    """A new object is not there yet, a deleted one still is, an overwritten one has its old body."""

    def after(change, call):
        small = Small(faults=Once("stale", call[0]))
        small.store.put("d/1", "one")
        small.store.put("other", 1)
        change(small.store)
        return heard(small, lambda: getattr(small.store, call[0])(call[1]))

    put = lambda store: store.put("d/2", "two")  # noqa: E731
    delete = lambda store: store.delete("d/1")  # noqa: E731
    assert isinstance(after(put, ("get", "d/2")), NotFound)
    assert after(put, ("exists", "d/2")) is False
    assert after(put, ("list", "d/")) == ("d/1",)
    assert after(delete, ("get", "d/1")) == "one"
    assert after(delete, ("list", "d/")) == ("d/1",)
    assert after(lambda store: store.put("d/1", "new"), ("get", "d/1")) == "one"
    assert after(put, ("get", "other")) == 1 or isinstance(after(put, ("get", "other")), NotFound)


def test_stale_write_is_refused_as_a_mistake_of_the_scenario():
    """Only reads of services that keep versions can be stale; the error says where it was asked for."""
    small = injected("stale")
    with pytest.raises(ValueError, match=r"fault stale at w1.commit\(t\): expected a read of a service with versions"):
        heard(small, lambda: small.register.commit("t", 1, "second"))


def test_fault_at_a_sleep_is_injected_when_the_sleep_is_picked():
    """Not at its end, which others may keep it from for a while."""
    small = Small(faults=Once("crash", "sleep"))
    small.task("d", lambda: both(small.kernel.sleep(10), small.store.put("a", 1)), daemon=True)
    small.task("w1", lambda: small.kernel.sleep(100))
    small.kernel.drive()
    assert [(row[0], row[1], row[6]) for row in small.kernel.trace] == [(0, "w1", "crash")]


def test_no_fault_beyond_the_limit():
    """And each one on the tape, as a choice with one option per kind and one for none."""
    faults = FaultBudget({"put": ("drop-before", "drop-after")}, limit=2)
    small = Small(RandomWalk(1, 1.0), faults=faults)

    def body():
        for i in range(5):
            try:
                small.store.put(str(i), i)
            except ConnectionLost:
                small.log.append(i)

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == [0, 1]
    assert [entry[:2] for entry in small.choices.tape] == [("fault:w1.put", 3)] * 2


def test_faults_keep_to_their_operations_and_actors():
    """w2 and gets are not touched, nor asked about."""
    faults = FaultBudget({"put": ("drop-before",)}, limit=9, actors=("w1",))
    small = Small(RandomWalk(1, 1.0), faults=faults)
    small.store.put("x", 1)
    small.task("w2", lambda: small.store.put("b", 1))
    small.task("w1", lambda: both(small.store.get("x"), _try(lambda: small.store.put("a", 1))))
    small.kernel.drive()
    assert faults.injected == [("drop-before", "w1", "put")]
    assert [entry[0] for entry in small.choices.tape if entry[0] != "pick"] == ["fault:w1.put"]


def test_quiet_run_has_no_fault():
    """Option 0 of every fault is none."""
    subject = scenario(
        {"w1": lambda simulation: simulation.world("w1").store.put("a", 1)},
        faults=FaultSpace({"put": ("crash", "pause")}, 5),
    )
    assert Runner(subject).run(FirstCome()).injected == ()


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {*TORN, "log-gap", "log-duplicate", "log-reorder"}))
def test_every_kind_fires_and_is_marked(kind):
    """On an operation that it fits; a search can then say which kinds never happened. Files and logs have own tests."""

    def body(simulation):
        register = simulation.world("w1").register
        _try(lambda: register.load("t"))
        _try(lambda: register.commit("t", 1, "second"))

    operation = "load" if kind == "stale" else "commit"
    subject = scenario(
        {"w1": body}, prepare=lambda simulation: simulation.services.register.commit("t", 0, "first"),
        faults=FaultSpace({operation: (kind,)}, 1, (), 50),
    )  # fmt: skip
    assert exhaustive(subject).coverage[f"fault {kind}"] >= 1


def test_fault_of_a_put_if_absent_is_met_on_the_retry():
    """Applied and unanswered: the retry of a create finds its own object."""
    small = Small(faults=Once("drop-after", "create"))

    def body():
        try:
            small.store.put_if_absent("a", 1)
        except ConnectionLost:
            with pytest.raises(AlreadyExists):
                small.store.put_if_absent("a", 1)
            small.log.append("met itself")

    small.task("w1", body)
    small.kernel.drive()
    assert small.log == ["met itself"]


def test_exhaustive_search_is_injected_each_call_with_each_kind():
    """Three puts, two kinds, one fault at most: one quiet run and six others."""
    seen = []
    body = lambda simulation: both(*[_try(lambda i=i: simulation.world("w1").store.put(str(i), i)) for i in range(3)])  # noqa: E731
    subject = scenario({"w1": body}, faults=FaultSpace({"put": ("drop-before", "drop-after")}, 1))
    result = exhaustive(subject, prune=False, each=lambda run: seen.append(run.injected))
    assert result.schedules == len(set(seen)) + 4 == 7, "the call that was hit is named by task and operation only"


def test_depth_first_explores_faults_but_no_other_draws():
    """A latency or a jitter takes its first value: the bounds of a verdict say so."""
    search = DepthFirst()
    search.begin()
    assert (search.choose("jitter", 100), search.choose("fault:w1.put", 2)) == (0, 0)
    assert search.advance()
    search.begin()
    assert search.choose("fault:w1.put", 2) == 1
