"""What answers a claim that is about each of a scenario's runs, or about one of them.

each_run(scenario, lambda run: "" if ... else "w1 is refused: ...")
"""

from __future__ import annotations

from collections.abc import Callable

from sim.search.claims import Evidence
from sim.search.explore import exhaustive
from sim.search.run import Run
from sim.world.scenario import Scenario
from sim.world.words import counted

ONE_RUN = "one run on the model, nobody else acts"
Answer = Callable[[], Evidence]


def each_run(scenario: Scenario, wrong: Callable[[Run], str]) -> Answer:
    """Whether no run of the scenario is wrong. Args: `wrong` says what is wrong with a run ("": nothing)."""

    def evidence() -> Evidence:
        found: list[str] = []

        def note(run: Run) -> None:
            if not found and (said := wrong(run)):
                found.append(said)

        result = exhaustive(scenario, each=note)
        bounds = f"{scenario.bounds}; {counted(result.schedules, 'schedule')}" + (
            "; complete" if result.complete else ""
        )
        return Evidence(not found if result.complete or found else None, bounds, "".join(found))

    return evidence


def some_run(scenario: Scenario, shows: Callable[[Run], str]) -> Answer:
    """Whether some run shows what is claimed. Args: `shows` says what a run shows of it ("": nothing)."""
    never = each_run(scenario, shows)

    def evidence() -> Evidence:
        found = never()
        return Evidence(None if found.holds is None else not found.holds, found.bounds, found.example)

    return evidence


def one_run(look: Callable[[], str]) -> Answer:
    """Whether nothing is wrong in a run. Args: `look` plays it, and says what is wrong ("": nothing)."""

    def evidence() -> Evidence:
        found = look()
        return Evidence(not found, ONE_RUN, found)

    return evidence
