"""Operations and faults that a scenario file names must exist."""

import pytest

from lakeproof.errors import BadInput
from lakeproof.operations import require_grain, require_known
from lakeproof.scenarios import built_in
from tests.unit.lakeproof.stories import counter_file

FAULTS = 'faults=FaultSpace({{"{}": ("{}",)}}, {})'


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (
            'grain=("nonsense",)',
            "test/counter: grain: expected operations of test/counter (commit, load), got 'nonsense'",
        ),
        ('grain=("load", "comit")', "got 'comit'; did you mean commit?"),
        ('grain=("put",)', "expected an operation that test/counter makes (commit, load), got only put"),
        ('grain="load"', "expected several names of operations, as in ('load', 'commit'), got 'load'"),
        ("grain=()", "expected several names of operations"),
        (
            FAULTS.format("nonsense", "late", 1),
            "faults: expected operations of test/counter (commit, load), got 'nonsense'",
        ),
        (FAULTS.format("commit", "lat", 1), "ValueError: faults: commit: expected a kind such as"),
        (FAULTS.format("commit", "late", -1), "ValueError: faults: limit: expected a number from 0, got -1"),
    ],
)
def test_operations_and_faults_that_do_not_exist_are_blamed_on_the_scenarios_file(call, tmp_path, extra, said):
    """They would make no step or never strike, and any property would hold."""
    result = call("run", counter_file(tmp_path, checked=False, extra=extra, head="from lakeproof import FaultSpace"))
    assert result.exit_code == 65
    assert said in result.stderr
    assert "counter.py: " in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("scenario", built_in().values(), ids=list(built_in()))
def test_what_built_in_scenarios_name_exists(scenario):
    """Also what happens on few of their paths only."""
    require_grain(scenario, "grain", BadInput)
    require_known(scenario, tuple(scenario.faults.kinds), "faults", BadInput)
