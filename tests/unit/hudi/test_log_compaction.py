"""Log compaction: what is planned, where a compacted block stands, what becomes of one that is too late, or begun."""

from dataclasses import replace
from typing import Any

import pytest

from model.hudi.keys import LOG_COMPACT_AFTER
from model.hudi.log_blocks import CompactedBlock, blocks_in_place
from model.hudi.names import LOG_COMPACTION
from model.hudi.timeline import parse_timeline
from model.hudi.variants import LOG_COMPACTIONS_BEAT
from sim.generation.draws import PinError, Source, seeded
from sim.hudi.built_in.log_compactions import LOG_COMPACTIONS as SCENARIOS
from sim.hudi.built_in.log_compactions import SERVED
from sim.hudi.draw.log_compactions import LOG_COMPACTIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.race import hudi_race
from sim.search.explore import exhaustive
from tests.unit.hudi.merging_vectors import LOG_CASES, Model
from tests.unit.hudi.test_generate import SEEDS

CHANGES = ("create", "try_lock")


@pytest.mark.parametrize("case", LOG_CASES, ids=lambda case: f"{case.after}: {case.calls}")
def test_slices_and_rows(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_log_compaction.py` plays the same cases."""
    assert Model(case).play(case.calls) == (case.slices, case.rows)


@pytest.mark.parametrize(
    ("logs", "merged"),
    [
        ("1 2 3", "1 2 3"),
        ("1 2 3:1,2", "3"),
        ("1 2 3:1,2 4", "3 4"),
        ("1 2 3 4:1,3", "2 4"),
        ("1 2 3 4:2,3", "1 4"),
        ("1 2 3:1,2 4 5:3,4", "5"),
        ("1 2 3:1,2 4 5:3,4 6", "5 6"),
        ("1 2 3:1 4:2,3", "4"),
        ("3:1,2", ""),
        ("3:1,2 4", "4"),
    ],
)
def test_a_compacted_block_stands_where_the_last_of_its_originals_was(logs, merged):
    """`BaseHoodieLogRecordReader.scanInternal`; one without any of them is not read."""
    given = []
    for log in logs.split():
        instant, _, made_of = log.partition(":")
        rows = ((instant, instant),)
        times = tuple(int(one) for one in made_of.split(",") if one)
        given.append((int(instant), CompactedBlock(times, rows) if times else rows))
    assert " ".join(str(block.instant) for block in blocks_in_place(given)) == merged


def test_a_timeline_knows_the_log_compactions_that_have_completed():
    """They complete as delta commits, and are told from these by how they were announced."""
    seen = parse_timeline(
        ("1_2.deltacommit", "3.logcompaction.requested", "3.logcompaction.inflight", "3_4.deltacommit")
    )
    assert (seen.log_compactions, seen.oldest_plan(LOG_COMPACTION), seen.pending) == ((3,), None, ())


@pytest.mark.parametrize(("name", "points"), [("mor-logs-early", CHANGES), ("mor-logs-async", SERVED)])
def test_it_is_refused_early_and_refuses_nobody(name, points):
    """It looks at markers as a write does, or a server for it; its own, without a heartbeat, is one of the dead, unless
    it is repaired."""
    found = next(each for each in SCENARIOS if each.name == f"hudi/{name}")
    scenario = replace(found, yield_points=points)
    race: Any = scenario.program
    beaten = replace(scenario, program=hudi_race(race.workload, LOG_COMPACTIONS_BEAT, scenario.properties))
    assert refused_early(scenario) == {"c1"}
    assert refused_early(beaten) == {"c1", "w1"}


def refused_early(scenario):
    """Who is, in any order of what is made."""
    told = [e for run in every_run(scenario) for e in run.events if "/" not in e.process]
    return {e.process for e in told if "early conflict" in (e.error or "")}


def every_run(scenario):
    """All runs of a scenario."""
    runs: list[Any] = []
    exhaustive(scenario, each=runs.append)
    return runs


def test_it_is_not_drawn_without_log_files():
    """On copy-on-write tables there are none."""
    with pytest.raises(PinError, match="without log files"):
        GENERATOR.make(seeded(1), {**GENERATOR.configurations["prefer-writer"], LOG_COMPACT_AFTER: "1"})


def test_log_compactions_are_drawn_last():
    """Without them a seed gives the same race, but for up to two more who compact log files, and after how many."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed)).program.workload  # type: ignore[attr-defined]
        theirs: Any = GENERATOR.make(uncompacted(seeded(seed))).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        assert replace(mine, writers=theirs.writers, options=theirs.options) == theirs
        more = [one for _, todo in mine.writers[len(theirs.writers) :] for one in todo]
        assert len(more) <= 2
        assert all(one.logs for one in more)
    assert 0 < changed < SEEDS / 20


def uncompacted(source: Source) -> Source:
    """A source that draws no log compactions."""
    return lambda name, options: 0 if name == LOG_COMPACTIONS else source(name, options)
