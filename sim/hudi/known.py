"""Findings about Hudi that are known, as failures of generated scenarios meet them.

Most are what a built-in scenario is about, but generated ones ask more properties of longer races: so one finding has a
row for each way in which it shows first.
"""

from __future__ import annotations

from sim.generation.causes import Known

ANY = ("clean", "insert", "read", "upsert")
LOST, PAUSES = ("crash", "drop", "late", "pause"), ("pause",)
SURVIVE, INVARIANTS = "acknowledged-writes-survive", "table-invariants"


def _rows(scenario: str, shows: dict[str, tuple[str, ...]], *faults: tuple[str, ...]) -> tuple[Known, ...]:
    """A finding's rows: each property with its anomalies, without a fault or with each set of `faults`."""
    return tuple([
        Known(f"hudi/{scenario}", broken, anomaly, ANY, kinds)
        for broken, anomalies in shows.items()
        for anomaly in anomalies
        for kinds in faults or ((),)
    ])  # fmt: skip


KNOWN: tuple[Known, ...] = (
    *_rows(
        "older-instant",
        {SURVIVE: ("lost-write",), "read-your-writes": ("missed-own-write",)},
        (), LOST,
    ),
    *_rows("same-new-key", {SURVIVE: ("duplicated-row",), "no-lost-update": ("lost-update",)}),
    *_rows("file-lock", {"one-lock-holder": ("two-lock-holders",)}, (), LOST),
    *_rows("early-transactional-shipped", {"marker-checks-exclusive": ("two-in-marker-check",)}, (), LOST),
    *_rows("dead-marker", {"sound-early-aborts": ("aborted-by-dead-instant",)}, (), LOST),
    *_rows("similar-names", {"sound-early-aborts": ("aborted-without-marker",)}, (), LOST),
    *_rows("finished-marker", {"sound-early-aborts": ("aborted-by-finished-instant",)}, (), LOST),
    *_rows("check-commit-older", {"visible-conflicts-found-early": ("visible-conflict-found-late",)}, (), LOST),
    *_rows("retry-too-soon", {"tries-do-not-stop-each-other": ("refused-by-lonely-try",)}, (), LOST),
    *_rows("zombie-completed", {INVARIANTS: ("completed-and-rolled-back", "missing-file")}, LOST),
    *_rows("late-completion", {"no-lost-update": ("lost-update",)}, ("late",)),
)  # fmt: skip
