"""A defect of shipped software that loses data: a built-in scenario, and what the page of verdicts says of it."""

from __future__ import annotations

from dataclasses import dataclass

from sim.world.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect.

    Args: `scenario` names the built-in scenario whose search finds it ("iceberg/overwrite-overwrite"); `lost` and
    `needs` are half sentences; `real` says on which real system it was seen, or "simulated only"; `helps` names
    scenarios that hold with what helps.
    """

    scenario: str
    lost: str
    needs: str
    real: str
    helps: tuple[str, ...]


def hints_of(scenario: Scenario) -> tuple[str, ...]:
    """What a scenario tells its search beforehand.

    Returns: in words, what was chosen by somebody who knew what to look for: one property of many, the kinds of faults,
    whom they hit, at which operations the scheduler may switch; none if the search was given no hint.
    """
    faults, hints = scenario.faults, []
    if len(scenario.properties) == 1:
        hints.append("the property")
    if faults.limit and not faults.words:
        hints.append("the fault")
    if faults.limit and faults.actors:
        hints.append("whom it hits")
    if scenario.yield_points is not None:
        hints.append("its steps")
    return tuple(hints)
