"""A query beside a clean of the real Hudi 1.2.0: Spark loads the timeline where it is made, and lists where it runs.

Generated schedules with one are not replayed, for Spark's lists are no step of the gate; here the test makes them two.
"""

import pytest

from model.hudi.keys import RETAINED
from real_backend.gating.journal import OK
from real_backend.hudi import live as clients
from real_backend.hudi import race
from sim.hudi.build import PREFERRING, TWO_GROUPS
from sim.hudi.statements import Clean, Read, ReadFirst, Savepoint, Statement, Upsert
from sim.hudi.workload import HudiWorkload
from tests.live.hudi.test_restore_reads import in_two_steps

pytestmark = pytest.mark.live
CHANGED: tuple[Statement, ...] = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Upsert(((1, "C"),)), Clean())


@pytest.mark.parametrize(
    ("first", "rows"),
    [((Savepoint(),), (("1", "a"), ("2", "b"))), ((), ())],
    ids=["with a savepoint", "without"],
)
def test_query_beside_a_clean(hudi, monkeypatch, first, rows):
    """Where a savepoint keeps an older slice, that is read; where none does, nothing is."""
    monkeypatch.setattr(race, "read", in_two_steps)
    monkeypatch.setattr(clients, "obstacle", lambda workload: "")
    beside = HudiWorkload((("w", (*first, *CHANGED)), ("r", (Read(),))), options=(*PREFERRING, (RETAINED, "1")))
    live = hudi.run(beside, "w:delete(heartbeat) w.delete(heartbeat) r.list(timeline) w:end r.list(files) r:end")
    (read,) = [each for each in live.commands if each.actor == "r"]
    assert read.outcome == OK
    assert read.rows == rows


def test_time_travel_while_a_clean_is_under_way(hudi, monkeypatch):
    """Made and run when the clean has deleted, and is not completed: nobody is refused, and the file group's rows are
    missing."""
    monkeypatch.setattr(clients, "obstacle", lambda workload: "")
    writes = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean())
    beside = HudiWorkload(
        (("w", writes), ("r", (ReadFirst(),))), groups=TWO_GROUPS, partitions=("p1", "p2"),
        options=(*PREFERRING, (RETAINED, "1")),
    )  # fmt: skip
    live = hudi.run(beside, "w:delete(data) w.delete(data) r:end w:end")
    (read,) = [each for each in live.commands if each.actor == "r"]
    assert (read.outcome, read.rows) == (OK, (("2", "b"),))
