"""Why a run failed: what it has in common with others that fail for the same reason.

Choices: the cause of a run is read off the smallest one that fails as it does, so shrink first: operations and faults
that a run merely has are gone then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from checkers.histories.history import SETUP
from sim.search.run import Run


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """A cause of failures.

    Args: `property` is what broke and `anomaly` how; `operations` are what actors did, each once, in order of name
    ("delete", "update"); `faults` are the kinds that were injected, each once.
    """

    property: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        faults = f", {' and '.join(self.faults)}" if self.faults else ""
        return f"{self.property} ({self.anomaly}): {' and '.join(self.operations)}{faults}"


def cause_of(run: Run) -> Cause:
    """Returns: the cause of a failing run. Raises: `ValueError` if it does not fail."""
    if run.failure is None:
        raise ValueError(f"run of {run.scenario.name}: expected one that violates a property, got one that does not")
    broken, _, anomaly = run.failure.partition("/")
    return Cause(broken, anomaly, operations_of(run), tuple(sorted({fault for fault, _, _ in run.injected})))


def operations_of(run: Run) -> tuple[str, ...]:
    """Returns: the kinds of what its actors did ("delete", "update"), each once, in order of name."""
    acted = run.events[: run.acted]
    return tuple(sorted({event.f for event in acted if event.process != SETUP and "/" not in event.process}))


@dataclass(frozen=True, slots=True)
class Known:
    """A finding that is known, as generated failures meet it.

    Args: `scenario` names the built-in scenario that shows it ("iceberg/delete-update-snapshot"), or the issue upstream
    that reports it; `property` is what breaks and `anomaly` how ("": in any way); `operations` are those that it can be
    made of, `faults` the kinds that it needs one of (empty: none), each as the beginning of names ("503-after"), and
    `beside` those that may only make room for them: no finding alone;
    `where` are parameters of the scenario and the values with which it can happen (those not named may be anything);
    `rules` names those that have it (empty: the shipped ones), so that no other rules are excused by it; `needs` are
    operations of each of which groups one must be there; `has`: parameters that the scenario must have.
    """

    scenario: str
    property: str
    anomaly: str
    operations: tuple[str, ...]
    faults: tuple[str, ...] = ()
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rules: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    needs: tuple[tuple[str, ...], ...] = ()
    has: tuple[tuple[str, str], ...] = ()

    def explains(self, cause: Cause, parameters: Iterable[tuple[str, str]] = ()) -> bool:
        """Returns: whether a failure of this cause, in a scenario with these `parameters`, is this finding."""
        allowed, there = dict(self.where), tuple(parameters)
        return (
            all(value in allowed.get(name, (value,)) for name, value in there)
            and set(self.has) <= set(there)
            and cause.property == self.property
            and self.anomaly in ("", cause.anomaly)
            and set(cause.operations) <= set(self.operations)
            and all(set(cause.operations) & set(group) for group in self.needs)
            and any(fault.startswith(self.faults) for fault in cause.faults) == bool(self.faults)
            and all(fault.startswith((*self.faults, *self.beside)) for fault in cause.faults)
        )
