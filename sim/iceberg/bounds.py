"""What the bounds of a race on an Iceberg table say of what is left out: properties, and faults."""

from __future__ import annotations

from sim.iceberg.ages import RollBackToTime
from sim.iceberg.managing import AppendTo, CherryPick, OverwriteIn, RollBack, Stage
from sim.iceberg.workload import IcebergWorkload
from sim.world.scenario import FaultSpace

BESIDE_MAIN = Stage | AppendTo | OverwriteIn | RollBack | RollBackToTime
"""What leaves a snapshot that main does not have."""


def left_out(faults: FaultSpace) -> dict[str, str]:
    """What Iceberg does not promise where these faults may happen, and why."""
    hit = faults.kinds.get("delete") or faults.kinds.get("get_table")
    return {"no-leaks": "what a clean-up leaves that fails stays, J04"} if hit else {}


def nothing_to_pick(workload: IcebergWorkload) -> dict[str, str]:
    """What is not promised where a cherry-pick may find nothing that main does not have, and why."""
    there = sum(isinstance(one, BESIDE_MAIN) for one in workload.history)
    picks = [sum(isinstance(one, CherryPick) for one in todo) for _, todo in workload.writers]
    return {"no-spurious-refusal": "a cherry-pick of nothing is refused"} if max(picks, default=0) > there else {}


def without_faults(workload: IcebergWorkload, broken: str | None) -> str:
    """Why a race has no faults: it breaks without them, or one breaks it for a reason that has a row of its own."""
    if broken is not None:
        return "no faults"
    if workload.catalog == "hive-lock":
        return "no faults: a pause breaks any such race, see iceberg/hive-lock-pause"
    return "no faults: a misreported commit breaks any such race, see iceberg/insert-insert-misreported"
