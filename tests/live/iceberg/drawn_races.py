"""Generated races of some kind, that nothing befalls, each with a run that a live system can make."""

from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import workload_of


def drawn(configuration, asked, count, first=0):
    """Seed and run of each of the first races from a seed on. Args: `asked`: what is asked of a live workload."""
    found = []
    for seed in range(first, first + 100_000):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        if scenario.live is None or scenario.faults.limit or not asked(workload_of(scenario)):
            continue
        played = projection(Runner(scenario).run(RandomWalk(seed)))
        if played is not None:
            found.append((seed, played))
        if len(found) == count:
            return found
    raise AssertionError(f"expected {count} races, got {len(found)}")


def done_in(work):
    """All that is done, before the race and in it."""
    return [*work.history, *[one for _, todo in work.writers for one in todo]]
