"""Types are changed where it is asked for, to wider ones, and to others that are refused."""

from collections import Counter

from sim.generation.draws import seeded
from sim.iceberg.columns import ChangeType
from sim.iceberg.draw.types import TYPES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace
from sim.iceberg.statements import steps_of
from sim.search.run import Runner
from sim.search.strategies import FirstCome

KIND = "Java API, types changed"


def test_types_are_changed_where_it_is_asked_for():
    """Alone and in transactions, each of the ways."""
    met = Counter[object]()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[KIND])
        assert isinstance(scenario.program, IcebergRace)
        sent = [one for _, todo in scenario.program.workload.writers for one in todo]
        changes = [step for one in sent for step in steps_of(one) if isinstance(step, ChangeType)]
        met.update([(one.name, one.to) for one in changes])
        met["in a transaction"] += any(step not in sent for step in changes)
        met["races"] += bool(changes)
    assert met["races"] > 40
    assert set(TYPES.values()) <= set(met)
    assert min(met.values()) > 5


def test_some_are_refused():
    """Also where nobody else has committed."""
    told = Counter[str]()
    for seed in range(30):
        played = Runner(GENERATOR.make(seeded(seed), GENERATOR.configurations[KIND])).run(FirstCome())
        told.update([str(one.error).partition(":")[0] for one in played.events if one.type == "fail"])
    assert told["InvalidOperation"] > 5
