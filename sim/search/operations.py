"""The names of operations: those that the simulated services give their steps, and those that a scenario's runs show.

Databases and memories are told the name by their caller, and so is a user's own service: such a name is known if a run
makes it. yield points of which no run has any would make no step at all, and "holds" would mean nothing.

Choices: a name that happens on few paths only is looked for in seeded runs, and only if the first run lacks it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain

from sim.kernel.choices import Strategy
from sim.kernel.errors import SimulationError
from sim.search.run import Run, Runner
from sim.search.strategies import Deviations, RandomWalk
from sim.world.scenario import Scenario

OPERATIONS = frozenset(
    "alter_table check_lock close commit create create_table delete drop_table exists get get_table heartbeat hint "
    "list load lock look mtime next_value open-w overwrite prune put read rename rename_table select select_for_update "
    "show_locks sleep try_lock unlock update write".split()
)
"""Of the services in `sim.services` and of the kernel."""
SEEDS = range(50)


def operations_of(run: Run) -> set[str]:
    """The operations that a run made, as steps or between two steps."""
    return {row[2].removesuffix("/reply") for row in run.trace}


def seen_operations(scenario: Scenario, names: Collection[str]) -> set[str]:
    """What the scenario's first run makes and, while some of `names` are known from nowhere, what others make."""
    seen: set[str] = set()
    for run in _some_runs(scenario):
        seen |= operations_of(run)
        if OPERATIONS.union(seen).issuperset(names):
            break
    return seen


def steps_at_all(scenario: Scenario) -> bool:
    """Whether the first run at the scenario's yield points makes a step: if not, no run does, and there is only one."""
    return scenario.yield_points is None or bool(
        operations_of(Runner(scenario).run(Deviations())).intersection(scenario.yield_points)
    )


def _some_runs(scenario: Scenario) -> Iterator[Run]:
    """The first run at the scenario's own yield points; then, at every port call, the first and some seeded ones."""
    yield Runner(scenario).run(Deviations())
    fine = Runner(replace(scenario, yield_points=None))
    strategies: Iterator[Strategy] = chain([Deviations()], map(RandomWalk, SEEDS))
    for strategy in strategies:
        try:
            yield fine.run(strategy)
        except SimulationError:  # of the search, which says it better
            return
