"""What refs say is kept is judged by what an expiry may do: who names a snapshot by its id takes it."""

from sim.iceberg.ages import Retain
from sim.iceberg.built_in.transactions import transacted
from sim.iceberg.managing import Expire
from sim.iceberg.statements import Append
from sim.kernel.schedule import steps_of
from sim.search.run import Runner

TWO = (Append(((3, "x"),)), Append(((4, "y"),)))


def broken_by(expires, schedule="w1:end w2:end"):
    """The weakest property that a race breaks in which main is told to keep three snapshots, and then this is done."""
    scenario = transacted(
        "kept", "", {"w1": [Retain("main", keep=3)], "w2": expires}, before=TWO, ages_h=(9.0, 8.0, 3.0, 2.0),
        properties=("table-invariants",), because="nothing else is asked",
    )  # fmt: skip
    return Runner(scenario, yield_points=frozenset({"load", "commit"})).play(steps_of(schedule)).failure


def test_who_names_a_snapshot_takes_it():
    """Whatever the branch keeps: it was not chosen by its age."""
    assert broken_by([Expire(keep=0)]) is None


def test_who_goes_by_ages_does_not():
    """Main says what it keeps before he chooses; or between two of his attempts, of which the first has chosen."""
    assert broken_by([Expire(keep=1)]) is None
    broken = broken_by([Expire(keep=1)], "w2:commit w1:end w2:end")
    assert str(broken) == "table-invariants/retention-broken"
