"""The generator of Iceberg's races: it draws all that it says, and what it draws shows what is broken."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.generation.draws import replayed, seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.defects import DEFECTS
from sim.iceberg.generate import GENERATOR
from sim.iceberg.known import KNOWN
from sim.iceberg.race import IcebergRace
from sim.iceberg.statements import describe
from tests.search.iceberg.planted import planted

SEEDS = 1_500
SHORT = Plan(first=4, most=4)


@pytest.fixture(scope="module")
def drawn():
    """What was drawn within some seeds, counted: (draw, option)."""
    found: Counter[tuple[str, object]] = Counter()
    for seed in range(SEEDS):
        scenario, draws = GENERATOR.drawn(seeded(seed))
        found.update((name, chosen) for name, _, chosen in draws.drawn)
        found.update(("fault", kind) for kind in scenario.faults.names)
        found.update(("operations hit", name) for name in scenario.faults.kinds if scenario.faults.limit)
        if isinstance(scenario.program, IcebergRace):
            work = scenario.program.workload
            found.update(("statement", type(one).__name__) for _, todo in work.writers for one in todo)
            found.update(("before", type(one).__name__) for one in work.history)
            found.update(("writers", len(work.writers)) for _ in range(1))
    return found


def test_every_value_of_every_option_is_drawn(drawn):
    """Each at least ten times."""
    for option in GENERATOR.options:
        for place in range(len(option.values)):
            assert drawn[option.key, place] >= 10, (option.key, option.values[place])


def test_every_kind_of_fault_is_drawn(drawn):
    """On every call of every port that the races make."""
    assert [kind for kind in GENERATOR.faults if drawn["fault", kind] < 5] == []
    calls = (
        "load",
        "commit",
        "get",
        "put",
        "delete",
        "get_table",
        "alter_table",
        "lock",
        "unlock",
        "heartbeat",
        "sleep",
    )
    assert [name for name in calls if drawn["operations hit", name] < 5] == []


def test_every_statement_is_drawn(drawn):
    """In races, and what can stand there before a race."""
    every = ("Insert", "Delete", "Update", "Select", "Append", "Overwrite", "Replace", "DeleteRow")
    assert [name for name in every if drawn["statement", name] < 10] == []
    before = ("Insert", "Delete", "Update", "Append", "Replace", "DeleteRow")
    assert [name for name in before if drawn["before", name] < 10] == []
    assert {number for name, number in drawn if name == "writers" and isinstance(number, int)} >= {1, 2, 3, 4}


@given(st.data())
def test_whatever_is_drawn_is_a_race_that_its_name_makes_again(data):
    """Its values are unique, and its statements have words."""
    scenario, draws = GENERATOR.drawn(lambda name, options: data.draw(st.integers(0, options - 1), name))
    again = GENERATOR.again(scenario.name)
    assert (again.bounds, again.faults, again.properties) == (scenario.bounds, scenario.faults, scenario.properties)
    assert GENERATOR.drawn(replayed(draws.text))[1].text == draws.text
    if isinstance(scenario.program, IcebergRace):
        work = scenario.program.workload
        done = [one for _, todo in work.writers for one in todo] + list(work.history)
        assert all(describe(one)[0] for one in done)
        values = [value for one in done for _, value in getattr(one, "rows", ())]
        values += [one.value for one in done if hasattr(one, "value")]
        assert len(set(values)) == len(values)


def test_there_are_ten_configurations_beside_the_default():
    """Each pins every option to a value that it has."""
    assert len(GENERATOR.configurations) >= 11
    assert next(iter(GENERATOR.configurations)) == "default"
    for settings in GENERATOR.configurations.values():
        assert GENERATOR.checked(settings).keys() == {option.key for option in GENERATOR.options}


@pytest.mark.parametrize("name", [name for name in GENERATOR.configurations if "PyIceberg" not in name])
def test_a_configuration_shows_nothing_new_within_a_few_seeds(name):
    """Known findings aside, which have tests of their own."""
    for seed in range(3):
        swept = sweep(GENERATOR.make(seeded(seed), GENERATOR.configurations[name]), SHORT)
        new = [key for key, run in swept.failures.items() if not any(one.property in key for one in KNOWN)]
        assert new == []
        assert not swept.endless


def test_every_page_of_defects_has_a_row():
    """What it is about is looked for, or it is said why not."""
    assert {defect.scenario for defect in DEFECTS} <= {one.name for one in planted()}
