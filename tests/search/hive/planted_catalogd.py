"""What was planted in Impala's catalog daemon, as rows of `tests.search.planted`.

Choices: each call of a load is a step in every scenario, and every log is read to its end. Whatever is said of a cache
is asked, also what this daemon promises to nobody: what fails without the mutant, too, is not the mutant's.
"""

from collections.abc import Iterator
from dataclasses import replace

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.hive.build import STEPS
from sim.hive.generate import GENERATOR, LOADS, Given
from sim.hive.live import RENAME_PARTITION
from sim.hive.promises import REPAIRED_DAEMON
from sim.hive.race import HiveRace
from sim.world.scenario import Scenario
from tests.mutants.hive_catalogd_loads import MENDED
from tests.mutants.hive_catalogd_races import BY_NAME, KILLS, VECTORS
from tests.search.guarantees import ASKED
from tests.search.planted import Planted, any_failure

NOT_ASKED = "a property of what is served without a load: who asks has the table loaded anew; a vector kills it"
FINE = (*STEPS, RENAME_PARTITION, "apply", *LOADS, "fill", "pull")


def planted() -> Iterator[Planted]:
    """Every mutant, in the configuration and on the property of its own race."""
    for kill in KILLS:
        yield row(kill.mutant, kill.configuration, kill.broken)
    for name in VECTORS:
        yield replace(row(name, "default", ""), missing=NOT_ASKED)


def row(name: str, configuration: str, broken: str) -> Planted:
    """A mutant that is looked for in scenarios that nobody made for it."""
    mutant = BY_NAME[name]
    variants = {"planted": _given(mutant.base)}
    if name in MENDED:
        variants["mended"] = _given(MENDED[name])
    generator = replace(GENERATOR, variants=variants, draw=_draw)
    repaired = "mended" if name in MENDED else None
    return Planted(name, generator, (configuration,), None, mutant, broken, any_failure, repaired=repaired)


def _given(rules: Rules) -> Given:
    return Given(rules, REPAIRED_DAEMON)


def _draw(draws: Draws, given: Given) -> Scenario:
    scenario = GENERATOR.draw(draws, given)
    race = scenario.program
    assert isinstance(race, HiveRace)
    managed = all(table.managed for table in race.workload.tables)
    asked = ASKED["managed" if managed else "external"]
    race = replace(race, drains=True, statements=False)
    return replace(scenario, program=race, yield_points=FINE, properties=tuple(asked))
