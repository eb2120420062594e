"""A defect of shipped software that loses data: a built-in scenario, and what the page of verdicts says of it."""

from __future__ import annotations

from dataclasses import dataclass


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
