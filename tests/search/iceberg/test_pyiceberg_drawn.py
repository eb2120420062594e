"""PyIceberg's own catalogs among the generated races."""

from collections import Counter

from sim.generation.draws import replayed, seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.draw.pyiceberg import beneath
from sim.iceberg.generate import GENERATOR
from sim.iceberg.pyiceberg import TABLE_IN
from sim.iceberg.python.catalogs import HIVE, OURS, PORTS, REST, SQL, STORAGE

PYICEBERG = GENERATOR.configurations["PyIceberg"]
SEEDS = 300


def test_every_catalog_is_drawn_and_what_fails_is_a_call_to_it_or_to_its_files():
    """Mostly the register; who waits for a lock is promised nothing about refusals."""
    kinds: Counter[str] = Counter()
    for seed in range(SEEDS):
        scenario = GENERATOR.make(seeded(seed), PYICEBERG)
        kind = dict(scenario.parameters)[TABLE_IN]
        hit = set(scenario.faults.kinds) if scenario.faults.limit else set()
        on_files = bool(hit) and hit <= set(STORAGE.kinds)
        assert on_files or hit <= set(PORTS[kind].kinds)
        assert kind != HIVE or "no-spurious-refusal" not in scenario.properties
        kinds[f"{kind} files" if on_files else kind] += 1
    assert all(kinds[kind] >= 5 for kind in (SQL, REST, HIVE))
    assert kinds[OURS] > SEEDS // 2
    assert all(kinds[f"{kind} files"] for kind in (SQL, REST, HIVE))


def test_what_has_no_catalog_of_its_own_is_as_it_was():
    """The draws of a race end before: nothing of it is drawn anew."""
    scenario, draws = GENERATOR.drawn(replayed(""), PYICEBERG)
    assert dict(scenario.parameters)[TABLE_IN] == OURS
    assert beneath(draws, scenario.faults).faults is scenario.faults


def test_a_drawn_race_in_each_catalog_runs_and_shows_nothing():
    """The first without faults of each."""
    wanted = {SQL, REST, HIVE}
    for seed in range(SEEDS):
        scenario = GENERATOR.make(seeded(seed), PYICEBERG)
        kind = dict(scenario.parameters)[TABLE_IN]
        if kind in wanted and not scenario.faults.limit and " upsert" not in scenario.summary.lower():
            wanted.remove(kind)
            assert not sweep(scenario, Plan(first=2, most=2)).failures
    assert not wanted
