"""Speed of the metastore cache's model: read decisions, schedules, events."""

from dataclasses import replace

import pytest

from model.hive import FIXED, Request, parse_write_ids
from model.hive.lists import ValidWriteIdList
from sim.hive.race import HiveRace
from sim.hive.scenarios import HIVE
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.unit.hive.lab import Lab, T

READ_AFTER_COMMIT = next(scenario for scenario in HIVE if scenario.name == "hive/read-after-commit")


def _lists(exceptions: int) -> tuple[ValidWriteIdList, ValidWriteIdList]:
    """A cache's tag and a request's list that it may answer: the same exceptions, one id more in the tag."""
    high = 2 * exceptions + 10
    ids = range(2, 2 * exceptions + 1, 2)
    return ValidWriteIdList(T, high + 1, ids), ValidWriteIdList(T, high, ids)


@pytest.mark.parametrize("exceptions", [0, 10, 1_000])
def test_read_decisions(bench, exceptions):
    """A replica judges a request by its list and table id, and answers from its cache."""
    lab, count = Lab(FIXED), 20_000 if bench.full else 200
    tag, writes = _lists(exceptions)
    replica = lab.replica()
    replica.cache.entries[T].tag = tag
    request = Request(T, 1, writes)

    def decide() -> float:
        for _ in range(count):
            assert replica.look(request) is not None
        return count

    bench(f"metastore read decisions, {exceptions:,} exceptions", "/CPU-s", decide)


@pytest.mark.parametrize("exceptions", [0, 10, 1_000])
def test_read_decisions_with_lists_as_text(bench, exceptions):
    """The same with the list as it travels: each list is parsed once, not at every request."""
    lab, count = Lab(FIXED), 2_000 if bench.full else 20
    tag, writes = _lists(exceptions)
    replica, text = lab.replica(), str(writes)
    replica.cache.entries[T].tag = tag

    def decide() -> float:
        for _ in range(count):
            assert replica.look(Request(T, 1, parse_write_ids(text))) is not None
        return count

    bench(f"metastore read decisions, {exceptions:,} exceptions as text", "/CPU-s", decide)


RACE = READ_AFTER_COMMIT.program
assert isinstance(RACE, HiveRace)
FEWER = "read-your-writes right-incarnation freshness all-or-nothing no-dirty-reads monotonic-reads-per-replica"
ASKED = {
    "nine properties": READ_AFTER_COMMIT,
    "six properties": replace(READ_AFTER_COMMIT, program=replace(RACE, drains=False), properties=tuple(FEWER.split())),
}
"""As it is, and without convergence, for which the update threads go on to the end of the log."""


@pytest.mark.parametrize("asked", ASKED)
def test_schedules(bench, asked):
    """Two replicas, one writer, one reader, with full trace, history and properties checked."""
    runner, count = Runner(ASKED[asked]), 300 if bench.full else 5

    def schedules() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in range(count))
        return count

    bench(f"metastore schedules, 2 replicas, 1 writer, 1 reader, {asked}", "/CPU-s", schedules)


def test_events_applied(bench):
    """A poller follows transactions that each change one table: four events each."""
    count = 500 if bench.full else 5
    lab = Lab(FIXED)

    def change() -> None:
        for number in range(count):
            writer = lab.session()
            writer.begin((T,))
            writer.alter_table(T, (("v", f"t{number}"),))
            writer.commit()

    change()
    replica = lab.replica()
    poller = replica.poller

    def follow() -> float:
        replica.start()
        poller.position = 2
        lab.catch_up()
        assert poller.position == 2 + 4 * count
        return 4 * count

    bench("metastore events applied", "/CPU-s", follow)
