"""Mutants that break no promise: found when a drawn schedule goes otherwise than under the model's own rules.

What the live systems are compared in is compared here with the model: what actors are told and readers see, what is
left in the end, which calls are made. So a row shows that what is drawn reaches its rule, and that a comparison with
the real system, which is of the same draws, would meet it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.search.run import Run, Runner
from sim.search.strategies import RandomWalk, walk_of
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant
from tests.search.planted import MISTAKES, MOST_CPU_S, MOST_SCHEDULES, Found, Planted, search

WALKS = 16
"""Schedules of each scenario."""
STEPS = 40
FAULT_RATES = (0.2, 0.2, 0.03, 0.03)
"""How often a call is hit, walk by walk, of random ones and of such by priorities: late calls are hit, too."""
ANSWERS, LEFT, CALLS = "agreement/other-answers", "agreement/other-left-overs", "agreement/other-calls"


def is_compared(one: Planted) -> bool:
    """Whether a row is looked for by comparison: a mutant that no property would show."""
    return bool(one.missing and one.mutant and one.mutant.patches)


def find_difference(
    one: Planted, number: int, most: int = MOST_SCHEDULES, cpu_s: float = MOST_CPU_S
) -> Found | None:  # fmt: skip
    """Play generated scenarios with the mutant and without it, until a schedule goes otherwise.

    Args, Returns: as `search`; a schedule counts once, though it is played twice.
    """
    mutant = one.mutant
    assert mutant is not None

    def look(scenario: Scenario) -> tuple[int, str]:
        found = enumerate(differences(scenario, mutant), 1)
        return next(((count, different) for count, different in found if different), (WALKS, ""))

    return search(one, look, number, most, cpu_s)


def differences(scenario: Scenario, mutant: Mutant) -> Iterator[str]:
    """For each of some walks, in what the mutant goes otherwise ("": in nothing)."""
    usual = Runner(scenario)
    damaged: Runner | None = None
    for seed in range(WALKS):
        try:
            with mutant.alive():
                damaged = damaged or Runner(scenario)
                run = damaged.run(_walk(seed))
        except MISTAKES:
            raise
        except Exception as error:
            usual.run(_walk(seed))  # which raises, too, if it is not the mutant's fault
            yield f"{type(error).__name__} (it cannot be run)"
        else:
            yield _difference(usual.run(_walk(seed)), run)


def _walk(seed: int) -> RandomWalk:
    return walk_of(seed, STEPS, FAULT_RATES[seed % len(FAULT_RATES)])


def _difference(usual: Run, run: Run) -> str:
    if run.events != usual.events:
        return ANSWERS
    if run.left != usual.left:
        return LEFT
    return CALLS if list(run.trace) != list(usual.trace) else ""
