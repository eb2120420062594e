"""A query beside a restore of the real Hudi 1.2.0: Spark loads the timeline where it is made, and reads the schema from
the last commit where it is run. A restore takes that commit away first, so what is run in its midst fails, as the
documentation has it ("reads could also fail"); whoever lists in between reads one half, which takes milliseconds
(`hudi/restore-read`, simulated).
"""

import pytest

from real_backend.gating.journal import OK
from real_backend.hudi import race
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.reading import Told
from sim.hudi.build import PREFERRING
from sim.hudi.live import LIST
from sim.hudi.statements import Read, Restore, Savepoint, Upsert
from sim.hudi.workload import HudiWorkload

pytestmark = pytest.mark.live
BESIDE = HudiWorkload(
    (("w", (Savepoint(), Upsert(((1, "A"),)), Restore())), ("r", (Read(),))), options=PREFERRING
)  # fmt: skip
TAKING_BACK = "w:delete(completed) {} w:delete(data) {} w:delete(inflight) {} w:end r:end"
MADE, RUN = "r.list(timeline)", "r.list(files)"


def in_two_steps(gate, actor, table):
    """A query that is made at one step, and run at the next one."""
    gate.hold(actor, LIST, "timeline")
    query = table._session.spark.read.format("hudi").load(str(table.path)).select("id", "v")
    gate.hold(actor, LIST, "files")
    try:
        return Told(OK, rows=tuple(sorted((str(row.id), str(row.v)) for row in query.collect())))
    except Exception as error:
        return Told(root_cause(error))


@pytest.mark.parametrize(
    ("steps", "rows"),
    [
        ((MADE, RUN, ""), None),
        (("", f"{MADE} {RUN}", ""), (("1", "a"), ("2", "b"))),
    ],
    ids=["run in its midst", "made in its midst"],
)
def test_query_beside_a_restore(hudi, monkeypatch, steps, rows):
    """One that was made before fails; one that is made when the commit is gone reads what was before."""
    monkeypatch.setattr(race, "read", in_two_steps)
    live = hudi.run(BESIDE, " ".join(TAKING_BACK.format(*steps).split()))
    (read,) = [each for each in live.commands if each.actor == "r"]
    assert read.rows == rows
    assert rows or "Could not read commit details" in read.outcome
