"""The table as of an instant: what is left of it, who is refused, and how that is judged."""

from dataclasses import replace

import pytest

from checkers.hudi.as_of import AS_OF_CHECKS
from checkers.hudi.time_travel import TIME_TRAVEL_CHECKS
from checkers.verdict import check
from model.hudi import SHIPPED, Cleaner, HudiClient, TimeTravel
from model.hudi.errors import TimeTravelRefused
from model.hudi.keys import RETAINED, VERSIONS
from model.hudi.options import parse_options
from model.hudi.variants import TRAVEL_REFUSED
from sim.hudi.build import OPTIMISTIC, TWO_GROUPS
from tests.unit.hudi.test_news import judged_history
from tests.unit.hudi.worlds import Lab

NAMES = ("p1", "p2")
FIRST = (("1", "a"), ("2", "b"))
SECOND = (("1", "A"), ("2", "b"))


class _Table:
    """Two commits of one of two file groups after the first one, and a clean of one policy."""

    def __init__(self, *options: tuple[str, str], cleans: bool = True) -> None:
        given = (*OPTIMISTIC, *options)
        self.lab = Lab(given, groups=TWO_GROUPS, partitions=NAMES)
        self.config = replace(parse_options(dict(given)), cleaned=True)
        self.world = self.lab.world("w1")
        self.instants = [0, *[self.commit(value) for value in "AB"]]
        if cleans:
            Cleaner(self.world, self.config, owner="clean").clean()

    def begin(self, value: str):
        """A write of the first row, up to its commit."""
        client = HudiClient(self.world, self.config, owner=value)
        instant: int = client.start_commit()
        return client, instant, client.upsert((("1", value),), instant, self.lab.workload.where)

    def commit(self, value: str) -> int:
        """And with it."""
        client, instant, written = self.begin(value)
        client.commit(instant, written)
        client.close()
        return int(instant)

    def read(self, number: int, rules=SHIPPED):
        """As of one of the commits."""
        return TimeTravel(self.world, self.config, rules, self.instants[number]).read(NAMES)


def test_what_was_there_is_read():
    """As of each commit."""
    table = _Table(cleans=False)
    assert [table.read(number) for number in (0, 1)] == [FIRST, SECOND]


def test_behind_a_clean_that_counts_commits_nobody_reads():
    """He is told so."""
    with pytest.raises(TimeTravelRefused, match="retained"):
        _Table((RETAINED, "1")).read(0)


def test_behind_a_clean_that_counts_slices_rows_are_missing():
    """And nothing is told; repaired, it is refused, but as of the newest one."""
    table = _Table((VERSIONS, "1"))
    assert table.read(0) == (("2", "b"),)
    with pytest.raises(TimeTravelRefused, match="retained"):
        table.read(0, TRAVEL_REFUSED)
    assert table.read(2, TRAVEL_REFUSED) == (("1", "B"), ("2", "b"))


def test_as_of_a_time_behind_a_pending_write_nobody_reads():
    """It might still be committed."""
    table = _Table(cleans=False)
    _, instant, _ = table.begin("C")
    table.instants.append(instant)
    with pytest.raises(TimeTravelRefused, match="pending"):
        table.read(3)
    assert table.read(1) == SECOND


@pytest.mark.parametrize(("back", "number", "rows"), [(0, 2, SECOND[:0]), (1, 1, SECOND), (2, 0, FIRST), (5, 0, FIRST)])
def test_so_many_commits_back(back, number, rows):
    """None from before the first one that is meant."""
    table = _Table(cleans=False)
    asked, told = TimeTravel(table.world, table.config, SHIPPED, table.instants[0]).read_back(NAMES, back)
    assert (asked.requested, told) == (table.instants[number], rows or (("1", "B"), ("2", "b")))


AS_OF = {
    "as of the newest": ("w1+", "w1=1A", "q1+", "q1=1:1A,2b"),
    "as of the first": ("w1+", "w1=1A", "q1+", "q1=0:1a,2b"),
    "written meanwhile, told": ("w1+", "q1+", "w1=1A", "q1=1:1A,2b"),
    "written meanwhile, not told": ("w1+", "q1+", "w1=1A", "q1=1:1a,2b"),
    "an older value": ("w1+", "w1=1A", "q1+", "q1=1:1a,2b"),
    "a newer value": ("w1+", "w1=1A", "q1+", "q1=0:1A,2b"),
    "a row is missing": ("w1+", "w1=1A", "q1+", "q1=1:1A"),
}


@pytest.mark.parametrize("name", AS_OF)
def test_what_is_told_as_of_a_commit_is_judged(name):
    """What was written by then, and nothing that was written later."""
    expected = "invalid" if name.startswith("a") and name[:5] != "as of" else "valid"
    assert check(judged_history(*AS_OF[name]), tuple(AS_OF_CHECKS)).outcome == expected


@pytest.mark.parametrize(("told", "outcome"), [("1a,2b", "valid"), ("2b", "invalid"), ("1A,2b", "invalid")])
def test_what_is_told_is_judged(told, outcome):
    """The same rows as at first, neither fewer nor others."""
    words = ("w1+", "w1=1A", "r1+", f"r1={told}")
    assert check(judged_history(*words), tuple(TIME_TRAVEL_CHECKS)).outcome == outcome


def test_without_who_reads_nothing_is_known():
    """Neither kept nor broken."""
    assert check(judged_history("w1+", "w1=1A"), tuple(TIME_TRAVEL_CHECKS)).outcome == "unknown"
