"""Generated races with consumers do on the real Hudi 1.2.0 what they do in the simulator: who reads again and again
what has come since, and who reads what was there at first, each in one step."""

from itertools import islice

import pytest

from sim.hudi.generate import GENERATOR
from sim.hudi.statements import ReadFirst, ReadNews
from tests.live.hudi.test_generated import PLAIN, playable, same

pytestmark = pytest.mark.live
EACH = 3
CONFIGURATIONS = [name for name in GENERATOR.configurations if name.startswith("incremental")]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_with_consumers_do_the_same_to_the_real_hudi(hudi, configuration):
    """Step by step, and what each is told."""
    asked = GENERATOR.configurations[configuration]
    found = list(islice(playable(asked, ReadNews, ReadFirst, **PLAIN), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        same(hudi, scenario, run)
