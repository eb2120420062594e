"""What the bounds of a race on an Iceberg table say of what is left out: properties, and faults."""

from __future__ import annotations

from sim.iceberg.ages import RollBackToTime
from sim.iceberg.managing import AppendTo, CherryPick, ManageSnapshots, OfRefs, OverwriteIn, RollBack, Stage
from sim.iceberg.workload import IcebergWorkload
from sim.world.scenario import FaultSpace

BESIDE_MAIN = Stage | AppendTo | OverwriteIn | RollBack | RollBackToTime
"""What leaves a snapshot that main does not have."""
UNSEEN = AppendTo | OverwriteIn | Stage
CHANGES_REFS = OfRefs | ManageSnapshots


def left_out(faults: FaultSpace) -> dict[str, str]:
    """What Iceberg does not promise where these faults may happen, and why."""
    hit = faults.kinds.get("delete") or faults.kinds.get("get_table")
    return {"no-leaks": "what a clean-up leaves that fails stays, J04"} if hit else {}


def nothing_to_pick(workload: IcebergWorkload) -> dict[str, str]:
    """What is not promised where a cherry-pick may find nothing that main does not have, and why."""
    there = sum(isinstance(one, BESIDE_MAIN) for one in workload.history)
    picks = [sum(isinstance(one, CherryPick) for one in todo) for _, todo in workload.writers]
    return {"no-spurious-refusal": "a cherry-pick of nothing is refused"} if max(picks, default=0) > there else {}


def refused_beside_main(workload: IcebergWorkload) -> dict[str, str]:
    """What is not promised where somebody changes refs, and another one commits beside main, and why.

    Source: `UpdateSnapshotReferencesOperation.commit`, `BaseTransaction.applyUpdates` of 1.11.0: it is committed on the
    metadata that it was made on, or not at all. What comes beside main is no version of the history.
    """
    sent = [(name, one) for name, todo in workload.writers for one in todo]
    refused = {name for name, one in sent if isinstance(one, CHANGES_REFS)}
    beside = {name for name, one in sent if isinstance(one, CHANGES_REFS | UNSEEN)}
    if not refused or len(beside) < 2:
        return {}
    return {"no-spurious-refusal": "who changes refs is refused for any commit meanwhile, one beside main, too"}


def without_faults(workload: IcebergWorkload, broken: str | None) -> str:
    """Why a race has no faults: it breaks without them, or one breaks it for a reason that has a row of its own."""
    if broken is not None:
        return "no faults"
    if workload.catalog == "hive-lock":
        return "no faults: a pause breaks any such race, see iceberg/hive-lock-pause"
    return "no faults: a misreported commit breaks any such race, see iceberg/insert-insert-misreported"
