"""What the built-in scenarios ask: all that their protocol promises and any fault, or the reason is in their bounds."""

import pytest

from lakeproof.protocols import PROTOCOLS, part
from sim.hive.build import EVENTUAL, QUIET
from sim.hive.race import HiveRace
from sim.hive.workload import Create
from sim.hudi.build import EVERYTHING
from sim.hudi.listed import LISTING
from sim.hudi.race import HudiRace
from sim.iceberg.built_in.several import SAFETY as SEVERAL
from sim.iceberg.pyiceberg import SAFETY as PYICEBERG
from sim.iceberg.scenarios import LEVELS
from sim.iceberg.several_race import SeveralRace

EVERY = [
    pytest.param(title, scenario, id=scenario.name)
    for protocol in PROTOCOLS
    for title, named in protocol.scenarios.items()
    for scenario in part(named)
]


def names_managed_tables(workload):
    """Whether a table is managed that is there at the start, or is made."""
    made = [each for session in workload.sessions for each in session.statements if isinstance(each, Create)]
    return any(table.managed for table in (*workload.tables, *made))


def promised(title, scenario):
    """The properties that the protocol promises of such a race."""
    if title.startswith("PyIceberg"):
        return PYICEBERG
    if isinstance(scenario.program, HudiRace):
        return (*EVERYTHING, *LISTING) if scenario.program.config.metadata else EVERYTHING
    if isinstance(scenario.program, SeveralRace):
        return SEVERAL
    if isinstance(scenario.program, HiveRace):
        return QUIET if names_managed_tables(scenario.program.workload) else EVENTUAL
    return LEVELS[scenario.program.workload.isolation]


@pytest.mark.parametrize(("title", "scenario"), EVERY)
def test_every_property_that_is_promised_is_asked_or_the_bounds_say_why_not(title, scenario):
    """In the bounds: "not asked: NAME, NAME (reason), NAME (reason)"."""
    left_out = [name for name in promised(title, scenario) if name not in scenario.properties]
    _, _, said = scenario.bounds.partition("not asked: ")
    said = said.partition(";")[0]
    names = [name for group in said.split("(")[:-1] for name in group.rpartition("), ")[2].strip().split(", ")]
    assert sorted(names) == sorted(left_out)
    assert not said or said.endswith(")")


@pytest.mark.parametrize(("title", "scenario"), EVERY)
def test_every_space_of_faults_is_wide_or_the_bounds_say_why_not(title, scenario):
    """A race that breaks without faults, or is broken by everything, needs none: its verdict is no weaker for it."""
    if scenario.faults.limit:
        words = str(scenario.faults)
        assert " every kind at every step on " in words or words.endswith(")")
    elif scenario.expect == "holds":
        assert "no faults: " in scenario.bounds
