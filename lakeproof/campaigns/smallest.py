"""The failures of a campaign, one smallest a cause. (Stand-in until the pipeline shrinks in tasks.)"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lakeproof.protocols import generator_of
from real_backend.pipeline.folder import Folder
from real_backend.pipeline.schema import SIMULATOR
from sim.generation.causes import Cause, cause_of
from sim.generation.shrink import shrink_all
from sim.generation.sweep import sweep
from sim.search.script import schedule_of


@dataclass(slots=True)
class Smallest:
    """A cause of failures: the smallest scenario that fails so, and the schedule that shows it ("" and an `error` if it
    could not be run); `failing` are the scenarios that fail so, as (configuration, seed)."""

    protocol: str
    cause: Cause
    scenario: str
    schedule: str
    error: str = ""
    failing: set[tuple[str, int]] = field(default_factory=set)


def smallest_of(folder: Folder) -> list[Smallest]:
    """One smallest failure a cause."""
    raw: dict[tuple[str, Cause], list[dict[str, Any]]] = {}
    for row in folder.read("failures").to_pylist():
        cause = Cause(row["property"], row["anomaly"], tuple(row["operations"]), tuple(row["faults"]))
        raw.setdefault((row["protocol"], cause), []).append(row)
    found: dict[tuple[str, Cause], Smallest] = {}
    for (protocol, cause), rows in sorted(raw.items()):
        best = min(rows, key=lambda row: (len(row["scenario"]), row["scenario"]))
        small = Smallest(protocol, cause, best["scenario"], best["schedule"], best["error"])
        if cause.property != SIMULATOR:
            small = _shrunk(small)
        kept = found.setdefault((protocol, small.cause), small)
        kept.failing |= {(row["configuration"], row["seed"]) for row in rows}
    return list(found.values())


def _shrunk(small: Smallest) -> Smallest:
    generator = generator_of(small.protocol)
    assert generator is not None
    run = sweep(generator.again(small.scenario)).failures[f"{small.cause.property}/{small.cause.anomaly}"]
    best = shrink_all(generator, run, budget=4_000)
    schedule = str(schedule_of(best.shrunk.run))
    return Smallest(small.protocol, cause_of(best.shrunk.run), best.scenario.name, schedule)
