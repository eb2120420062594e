"""The name of a drawn race makes it again, whatever was asked for when it was drawn: a replay has the name alone."""

import pytest

from lakeproof.protocols import PROTOCOLS, generator_of
from sim.generation.draws import PinError, seeded

SEEDS = 12
CASES = [
    (protocol.name, name)
    for protocol in PROTOCOLS
    if (generator := generator_of(protocol.name)) is not None
    for name in generator.configurations
]


@pytest.mark.search
@pytest.mark.parametrize(("protocol", "configuration"), CASES, ids=lambda value: value)
def test_a_name_makes_its_race_again(protocol, configuration):
    """In every configuration: a draw that is left out where something is asked for shifts all that come after it."""
    generator, made = generator_of(protocol), 0
    assert generator is not None
    for seed in range(SEEDS):
        try:
            scenario = generator.make(seeded(seed), generator.configurations[configuration])
        except PinError:
            continue
        made += 1
        again = generator.again(scenario.name)
        assert (again.program, again.faults) == (scenario.program, scenario.faults), f"seed {seed}"
    assert made
