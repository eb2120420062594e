"""What Spark's `remove_orphan_files` takes for an orphan."""

from collections.abc import Sequence

from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Insert, RemoveOrphanFiles, Select, Statement, Update
from sim.kernel.schedule import steps_of
from sim.search.run import Runner


def test_a_file_that_was_removed_from_every_snapshot_that_is_left_is_an_orphan():
    """An expiry has left it there, as its session did not know the INSERT; a manifest of the UPDATE still names it."""
    writers: dict[str, Sequence[Statement]] = {
        "w1": [Select(), Expire(1)],
        "w2": [Insert(((3, "x"),)), Update(3, "y"), RemoveOrphanFiles()],
    }
    scenario = race("x", "", writers, cached=("w1",), mode="copy-on-write", properties=("readable",))
    schedule = "w1.load w2:commit w2.commit w2:commit w2.commit w1:end w2:end"
    run = Runner(scenario, yield_points=("load", "commit")).play(steps_of(schedule))
    assert run.failure is None
    inserted = next(row[3] for row in run.trace if row[1:3] == ("w2", "put"))
    assert [row[3] for row in run.trace if row[1:3] == ("w2", "delete")] == [inserted]
