"""What is older than the active timeline is read as shipped, and under the repair if the history has it."""

import pytest

from model.hudi import SHIPPED, HudiClient, Reader, TimelineArchiver, coverage
from model.hudi.keys import KEEP_MAX, KEEP_MIN
from model.hudi.names import COMMIT, COMPLETED, INFLIGHT, REQUESTED
from model.hudi.timeline import Instant
from model.hudi.variants import HISTORY_READ
from sim.hudi.build import OPTIMISTIC, TWO_GROUPS
from tests.unit.hudi.worlds import Lab

FEW = (*OPTIMISTIC, (KEEP_MIN, "1"), (KEEP_MAX, "2"))


def committed(lab, rows):
    """Somebody writes these rows, and commits."""
    client = HudiClient(lab.world("w2"), lab.config, owner="w2")
    instant = client.start_commit()
    client.commit(instant, client.upsert(rows, instant))
    client.close()


@pytest.fixture
def lab():
    """The file of a write that is off the timeline is left, and two commits later what is older is archived."""
    table = Lab(FEW, TWO_GROUPS)
    client = HudiClient(table.world("w1"), table.config, owner="w1")
    instant = client.start_commit()
    client.upsert((("1", "A"),), instant)
    client.timeline.delete(Instant(instant, COMMIT, INFLIGHT), INFLIGHT, REQUESTED)
    client.close()
    for value in ("B", "C"):
        committed(table, (("2", value),))
    return table


def read(table, rules):
    """The rows that a reader under these rules sees."""
    return dict(Reader(table.world("r"), table.config, rules).read().rows)


@pytest.mark.parametrize("rules", [SHIPPED, HISTORY_READ], ids=["shipped", "history-read"])
def test_a_file_of_no_instant_is_not_read_while_its_time_is_in_the_timeline(lab, rules):
    """The first commit is older."""
    assert read(lab, rules) == {"1": ("a",), "2": ("C",)}


@pytest.mark.parametrize(("rules", "first"), [(SHIPPED, "A"), (HISTORY_READ, "a")], ids=["shipped", "history-read"])
def test_a_file_of_no_instant_is_read_once_older_commits_are_archived_unless_the_history_is(lab, rules, first):
    """Of the archived commits all files are read, under both."""
    TimelineArchiver(lab.world("a"), lab.config, owner="a").archive()
    assert HudiClient(lab.world("w"), lab.config).timeline.load().completed[0].requested > 0
    assert read(lab, rules) == {"1": (first,), "2": ("C",)}
    counted = lab.simulation.kernel.coverage.get(coverage.LEFT_OUT, 0)
    assert bool(counted) == (rules is HISTORY_READ)


def test_where_nothing_is_completed_nothing_is_archived():
    """As when a restore has taken back all that was not archived (`ArchivalUtils.getMinAndMaxInstantsToKeep`)."""
    table = Lab(FEW, TWO_GROUPS)
    timeline = HudiClient(table.world("w"), table.config).timeline
    for instant in timeline.load().completed:
        timeline.delete(instant, COMPLETED)
    TimelineArchiver(table.world("a"), table.config, owner="a").archive()
    assert coverage.ARCHIVED not in table.simulation.kernel.coverage
