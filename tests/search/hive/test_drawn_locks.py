"""Generated sessions that lock: the lock manager keeps its promises to them, whatever is a step and whatever fails."""

from dataclasses import replace
from itertools import islice

import pytest

from lakeproof.protocols import known_properties
from sim.generation.draws import replayed, seeded
from sim.generation.sweep import Plan, sweep
from sim.hive.generate import GENERATOR

pytestmark = pytest.mark.search
EACH = 10
PLAN = Plan(first=12, most=12)
MET = {
    "a holder that ends while another one gives up, each database statement a step": (
        "no-conflict-event",
        "000000012011001001101100101104110000110011100100111110120103011010100100101110004100050111000108111",
    ),
    "a daemon of Impala that has processed more than the log says that there is (2.3)": (
        "impala-repaired",
        "00001001712120110212100000001202102011113111311021110041111040100010110010100121201100101120001"
        "11011000110201111010182",
    ),
    "a commit that is asked for after a time-out, and not answered": (
        "reference",
        "00100001501110012010011110001000010200111100010311200111112001011121110111110110822",
    ),
}
"""Races in which the model once said that nobody would ever make way, or did not come to an end; and one in which the
checker took a transaction that had timed out for open."""


@pytest.mark.parametrize("rules", ["reference", "shipped", "impala-repaired"])
def test_locks_keep_out_and_are_given_back(rules: str) -> None:
    """In scenarios with locks alone, of every configuration in turn."""
    known_properties()
    names = list(GENERATOR.configurations)
    made = (
        GENERATOR.make(seeded(seed), GENERATOR.configurations[names[seed % len(names)]], rules) for seed in range(5_000)
    )
    locking = list(islice((one for one in made if "locks-exclude" in one.properties), EACH))
    assert len(locking) == EACH
    for scenario in locking:
        asked = tuple([name for name in scenario.properties if name in ("locks-exclude", "calls-answered")])
        swept = sweep(replace(scenario, properties=asked), PLAN)
        assert (swept.failures, swept.endless) == ({}, 0), scenario.name


@pytest.mark.parametrize("met", MET)
def test_races_that_were_once_misjudged_are_not_any_more(met: str) -> None:
    """The race comes to its end, and everybody is answered."""
    known_properties()
    rules, draws = MET[met]
    scenario = GENERATOR.make(replayed(draws), rules=rules)
    swept = sweep(replace(scenario, properties=("locks-exclude", "calls-answered")), Plan(first=24, most=96))
    assert (swept.failures, swept.endless) == ({}, 0)
