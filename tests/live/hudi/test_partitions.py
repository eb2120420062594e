"""Tables of several partitions on the real Hudi 1.2.0: names that are much alike, and partitions of two levels."""

from itertools import islice

import pytest

from model.hudi.markers import MARKED
from real_backend.hudi.live_steps import live_schedule
from sim.generation.draws import seeded
from sim.hudi.build import OPTIMISTIC
from sim.hudi.draw.partitions import PARTITIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Upsert
from sim.hudi.workload import HudiWorkload
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import BY_NAME, agreed, both

pytestmark = pytest.mark.live
NAMED = ("partitions", "partitions-early")
EACH, DRAWN = 4, 6


@pytest.mark.parametrize("name", NAMED)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    scenario = BY_NAME[f"hudi/{name}"]
    runs = list(islice(runs_at_gates(scenario, 7), EACH))
    assert len(runs) == EACH
    for played in runs:
        both(hudi, scenario, live_schedule(played.run), played.run)


def test_one_write_comes_to_partitions_in_the_order_of_a_java_map(hudi, monkeypatch):
    """Its markers are made in that order."""
    names = ("2026/1", "p_1", "q_1", "event_date=1", "p", "2026/11")
    groups = tuple([(f"{number}-g", ((number, f"a{number}"),)) for number in range(len(names))])
    rows = tuple([(number, f"A{number}") for number in range(len(names))])
    workload = HudiWorkload((("w1", (Upsert(rows),)),), groups=groups, partitions=names, options=OPTIMISTIC)
    kept, record = [], hudi._storage.record
    monkeypatch.setattr(hudi._storage, "record", lambda: kept.extend(record()) or tuple(kept))
    hudi.run(workload)
    made = [one.path.split("/", 4)[4].rpartition("/")[0] for one in kept if one.name == "create" and MARKED in one.path]
    split = workload.where.split(tuple([(str(key), value) for key, value in rows]))
    assert made == [name for name, _ in split]


def in_partitions(seed):
    """A scenario of a seed, whose file groups have partitions: of each family of names in turn."""
    drawn, named = seeded(seed), len(PARTITIONS) - 1 - seed % 3

    def draw(name, options):
        return named if name == "partitions" else drawn(name, options)

    return GENERATOR.make(draw, GENERATOR.configurations["prefer-writer" if seed % 2 else "early-prefer-writer"])


def placed():
    """Runs of generated scenarios whose file groups have partitions: (scenario, run), one a scenario."""
    for scenario, seed in ((in_partitions(seed), seed) for seed in range(4_000)):
        if scenario.live and not scenario.live.timed and len(scenario.program.workload.groups) > 1:
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


def test_generated_races_in_partitions_do_the_same_to_the_real_hudi(hudi):
    """Of each family of names."""
    found = list(islice(placed(), DRAWN))
    assert len(found) == DRAWN
    assert len({scenario.program.workload.partitions[0] for scenario, _ in found}) == 3
    for scenario, run in found:
        agreed(hudi, scenario, run)
