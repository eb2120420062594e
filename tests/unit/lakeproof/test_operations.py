"""Operations and faults that a scenario file names must exist."""

import pytest

from lakeproof.errors import BadInput
from lakeproof.operations import require_known, require_yield_points
from lakeproof.protocols import generator_of, generators, operations
from lakeproof.scenarios import built_in
from sim.generation.draws import seeded
from sim.search.operations import OPERATIONS
from tests.unit.lakeproof.scenario_files import counter_file

FAULTS = 'faults=FaultSpace({{"{}": ("{}",)}}, {})'


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (
            'yield_points=("nonsense",)',
            "test/counter: yield points: expected operations of test/counter (commit, load), got 'nonsense'",
        ),
        ('yield_points=("load", "comit")', "got 'comit'; did you mean commit?"),
        ('yield_points=("put",)', "expected an operation that test/counter makes (commit, load), got only put"),
        ('yield_points="load"', "expected several names of operations, as in ('load', 'commit'), or None, got 'load'"),
        ("yield_points=()", "expected several names of operations"),
        (
            FAULTS.format("nonsense", "late", 1),
            "faults: expected operations of test/counter (commit, load), got 'nonsense'",
        ),
        (FAULTS.format("commit", "lat", 1), "ValueError: faults: commit: expected a kind such as"),
        (FAULTS.format("commit", "late", -1), "ValueError: faults: limit: expected a number from 0, got -1"),
    ],
)
def test_operations_and_faults_that_do_not_exist_are_blamed_on_the_scenarios_file(call, tmp_path, extra, said):
    """They would make no step or never be injected, and any property would hold."""
    result = call("run", counter_file(tmp_path, checked=False, extra=extra, head="from lakeproof import FaultSpace"))
    assert result.exit_code == 65
    assert said in result.stderr
    assert "counter.py: " in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("scenario", built_in().values(), ids=list(built_in()))
def test_what_built_in_scenarios_name_exists(scenario):
    """Also what happens on few of their paths only."""
    require_yield_points(scenario, "yield_points", BadInput)
    require_known(scenario, tuple(scenario.faults.kinds), "faults", BadInput)


@pytest.mark.parametrize("protocol", sorted(generators()))
def test_generated_scenarios_name_operations_that_there_are(protocol):
    """Else a campaign finds what `lakeproof run` refuses to show."""
    generator = generator_of(protocol)
    assert generator is not None
    drawn = [generator.make(seeded(seed), generator.configurations["default"]).yield_points for seed in range(200)]
    named = {name for steps in drawn for name in steps or ()}
    assert named
    assert named - OPERATIONS - operations() == set()
