"""Generated races of Hudi, made whatever is drawn, and made again from their names."""

import pytest

from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.hudi.race import HudiRace


@pytest.mark.parametrize("seed", [1141, 1574, 1663, 1731])
def test_nobody_cleans_slices_of_a_table_that_is_merge_on_read(seed):
    """Where one commit is retained, every write of the race leaves some."""
    assert GENERATOR.make(seeded(seed)).name


@pytest.mark.parametrize("name", GENERATOR.configurations)
def test_a_race_is_made_again_from_its_name(name):
    """Without the settings that its configuration pins."""
    for seed in range(20):
        made = GENERATOR.make(seeded(seed), GENERATOR.configurations[name])
        again = GENERATOR.again(made.name)
        assert (again.name, again.properties, again.faults) == (made.name, made.properties, made.faults)
        assert isinstance(again.program, HudiRace)
        assert isinstance(made.program, HudiRace)
        assert again.program.workload == made.program.workload
