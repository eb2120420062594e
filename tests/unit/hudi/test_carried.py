"""Whatever an option is pinned to, every scenario that is judged has, or none is made."""

import pytest

from model.hudi.keys import HOURS, INDEX, LOCK_PROVIDER, MERGE_MODE, MODE, OCC, TABLE_TYPE, VERSIONS
from sim.generation.draws import PinError
from sim.hudi.generate import GENERATOR
from sim.hudi.race import HudiRace
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import OPTIONS, config_of

DEFAULTS = GENERATOR.configurations["default"]
PINS = [(option.key, value) for option in OPTIONS for value in option.values if value != UNSET]
SEEDS = 6


def made(pinned, seeds=SEEDS):
    """The options of the scenarios of these seeds, and why there is none of the others."""
    scenarios, refused = [], []
    for seed in range(seeds):
        try:
            scenarios.append(GENERATOR.make(GENERATOR.source(seed, pinned), pinned).program)
        except PinError as error:
            refused.append(str(error))
    return [dict(one.workload.options) for one in scenarios if isinstance(one, HudiRace)], refused


@pytest.mark.parametrize("base", [{}, {MODE: OCC, LOCK_PROVIDER: "InProcessLockProvider"}, DEFAULTS], ids=str)
def test_every_scenario_has_every_pinned_value(base):
    """Given to its clients, or what they do without it: to set it once more changes nothing."""
    for key, value in PINS:
        pinned = {**base, key: value}
        for given in made(pinned)[0]:
            for asked, wanted in pinned.items():
                if wanted != UNSET:
                    assert config_of({**given, asked: wanted}) == config_of(given), (key, value, asked)


@pytest.mark.parametrize(
    ("pinned", "said"),
    [
        ({INDEX: "BUCKET", MODE: "SINGLE_WRITER"}, f"option {INDEX}: expected several writers for BUCKET, got"),
        ({VERSIONS: "1"}, f"option {VERSIONS}: expected unset unless hoodie.clean.policy is KEEP_LATEST_FILE_VERSIONS"),
        ({HOURS: "1"}, f"option {HOURS}: expected unset unless hoodie.clean.policy is KEEP_LATEST_BY_HOURS"),
        ({TABLE_TYPE: "MERGE_ON_READ", MERGE_MODE: "EVENT_TIME_ORDERING"}, f"option {MERGE_MODE}: expected unset"),
    ],
)  # fmt: skip
def test_what_needs_another_option_is_refused_and_says_which(pinned, said):
    """In every draw."""
    scenarios, refused = made(DEFAULTS | pinned, 12)
    assert scenarios == []
    assert all(said in one for one in refused)


@pytest.mark.parametrize("name", GENERATOR.configurations)
def test_every_configuration_has_scenarios(name):
    """They carry what it sets."""
    assert made(GENERATOR.configurations[name], 5)[0]
