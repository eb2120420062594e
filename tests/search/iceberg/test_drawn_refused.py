"""Calls that are refused whatever is there, and specs and schemas that are given up, are drawn where that is asked
for."""

from collections import Counter

import pytest

from sim.generation.draws import PinError, seeded
from sim.iceberg.by_hand import AppendGiven, DeleteElsewhere, SetAndUnset
from sim.iceberg.columns import RenameColumn
from sim.iceberg.creating import CreateTable
from sim.iceberg.draw.given_up import CLEANS
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace
from sim.iceberg.statements import RemoveWhere, Scan, SetProperty
from sim.search.run import Runner
from sim.search.strategies import FirstCome

REFUSED, FORMAT_3 = "Java API, refused calls", "Java API, format 3, refused calls"
GIVEN_UP, OVER_REST = "Java API, specs given up", "Java API, REST catalog, specs given up"


def _drawn(configuration, count):
    for seed in range(count):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        assert isinstance(scenario.program, IcebergRace)
        assert GENERATOR.again(scenario.name).program == scenario.program
        yield scenario, [one for _, todo in scenario.program.workload.writers for one in todo]


@pytest.mark.parametrize(("configuration", "kinds"), [
    (REFUSED, {"existing", "own", SetAndUnset, RenameColumn}),
    (FORMAT_3, {"existing", "own", SetAndUnset, RenameColumn, DeleteElsewhere}),
])  # fmt: skip
def test_refused_calls_are_drawn_where_they_are_asked_for(configuration, kinds):
    """One or two in each race; each of them is refused, whoever comes first, unless something fails before."""
    found = Counter[object]()
    for scenario, sent in _drawn(configuration, 60):
        calls = [one for one in sent if isinstance(one, AppendGiven | SetAndUnset | RenameColumn | DeleteElsewhere)]
        assert len(calls) in (1, 2)
        found.update([type(one) if not isinstance(one, AppendGiven) else "existing" if one.rows else "own"
                      for one in calls])  # fmt: skip
        told = [event for event in Runner(scenario).run(FirstCome()).events if event.type == "fail"]
        names = {"append given", "delete elsewhere", "rename column", "set and unset"}
        assert sum(event.f in names for event in told) == len(calls)
    assert set(found) == kinds
    assert min(found.values()) > 4


@pytest.mark.parametrize(("configuration", "kinds"), [
    (GIVEN_UP, {RemoveWhere, CreateTable}), (OVER_REST, {RemoveWhere, Scan}),
])  # fmt: skip
def test_what_is_given_up_is_drawn_where_it_is_asked_for(configuration, kinds):
    """A schema over REST alone, a table that is replaced in memory alone."""
    found = Counter[type]()
    for _, sent in _drawn(configuration, 60):
        usual = CLEANS not in sent and not any(isinstance(one, CreateTable) for one in sent)
        drawn = [SetProperty] if usual else [type(one) for one in sent]  # the format changes beside a usual one
        found.update([one for one in drawn if one in (SetProperty, RemoveWhere, CreateTable, Scan)])
    assert set(found) == kinds | {SetProperty}
    assert min(found[kind] for kind in kinds) > 10
    assert found[SetProperty] < 10


def test_they_are_refused_where_nobody_can():
    """On a JDBC catalog, say, metadata is not cleaned here."""
    with pytest.raises(PinError, match="got specs given up"):
        GENERATOR.make(seeded(0), {"client": "java-api", "type": "jdbc", "calls": "specs given up"})
