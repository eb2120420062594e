"""Where a statement begins, with its first look at the timeline: a step on both sides, whatever was done before."""

import pytest

from model.hudi.coverage import HEARTBEAT_ENDED
from model.hudi.keys import LOCK_PROVIDER, ZOOKEEPER
from model.hudi.rules import SHIPPED
from real_backend.gating.gate import Gate
from real_backend.hudi.live_steps import steps_of_run
from sim.hudi.build import DIRECT, ONE_GROUP, OPTIMISTIC, race
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.live import YIELD_POINTS, live_of
from sim.hudi.statements import Clean, Read, Statement, Upsert
from sim.hudi.workload import HudiWorkload
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.live import Live
from tests.unit.real_backend.hudi.test_race import Client, race_of


def looks(statements, steps, **table):
    """How often w2, after whatever it did before, is at the step of its first look at the timeline."""
    scenario = race("x", "", {**ONE_GROUP, "w2": statements}, rules=SHIPPED, properties=("readable",), **table)
    run = Runner(scenario, yield_points=YIELD_POINTS).play(steps_of(steps))
    return [str(step) for step in steps_of_run(run)].count("w2.list(timeline)")


@pytest.mark.parametrize("after", [Read(), Clean()])
@pytest.mark.parametrize("before", [Upsert(((1, "B"),)), Read(), Clean()])
def test_each_statement_begins_with_a_look_at_the_timeline(before: Statement, after: Statement):
    """Of a write, a read and a clean the first look is a step, and no other."""
    assert looks([before, after], "w2:end w1:end") == 2


def test_a_clean_that_announces_a_plan_is_no_further_try_of_the_write_before_it():
    """It has a file of its own that is requested, as a write that is tried again has."""
    statements: list[Statement] = [Upsert(((1, "B"),)), Upsert(((1, "C"),)), Clean()]
    assert looks(statements, "w2:end w1:end", options=(*OPTIMISTIC, ONE_RETAINED)) == 3


def test_a_statement_begins_after_one_that_was_refused_early():
    """Whoever is refused by a marker keeps its heartbeat: no deletion says that it has ended."""
    assert looks([Upsert(((1, "B"),)), Read()], "w1:create(p1/fg1_0-0-0_000001.parquet) w2:end", options=DIRECT) == 2


def test_of_waits_a_cleaners_own_is_a_step():
    """What a clock waits for others, within a write, is none: live it passes by itself."""
    statements: list[Statement] = [Upsert(((1, "B"),)), Clean(after_ms=1_000)]
    locked = tuple({**dict(OPTIMISTIC), LOCK_PROVIDER: ZOOKEEPER}.items())
    scenario = race("x", "", {"w1": statements}, rules=SHIPPED, properties=("readable",), options=locked)
    run = Runner(scenario, yield_points=YIELD_POINTS).play(steps_of("w1:end"))
    assert [row[2] for row in run.trace].count("sleep") == 3
    assert [str(step) for step in steps_of_run(run)].count("w1.sleep") == 1


class Table:
    """A table that counts how often it is read."""

    reads = 0

    def rows(self):
        self.reads += 1
        return (), None


def test_a_reader_stands_at_its_first_look_until_it_is_let_go():
    """What others do before that step is there when the live table is read."""
    workload, table = HudiWorkload((("w1", (Read(),)),)), Table()
    race = race_of(workload, Client(), table)
    released = []

    class Noting(Gate):
        def hold(self, actor, operation, resource=None, *, reply=False):
            released.append((operation, resource, table.reads))

    race.gate = Noting(workload.actors)
    race.act("w1")
    assert released == [("list", "timeline", 0)]
    assert table.reads == 1


def test_work_that_outlasts_a_heartbeat_has_no_live_schedule():
    """A live write computes nothing, so no time passes: the writer whose timer has ended would be alive still."""
    quick, slow = [live_of(HudiWorkload((("w1", (Upsert(((1, "A"),), work_ms=work_ms),)),))) for work_ms in (0, 1)]
    assert isinstance(quick, Live)
    assert isinstance(slow, Live)
    assert HEARTBEAT_ENDED not in quick.left_out
    assert HEARTBEAT_ENDED in slow.left_out
