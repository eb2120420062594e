"""How a known finding about Hudi is written down: a row for each way in which it shows first; see `sim.hudi.known`."""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import VARIANTS
from sim.generation.causes import Known
from sim.hudi.statements import READ_AS_OF, READ_FIRST, READ_NEWS

Where = tuple[str, tuple[str, ...]]
OVERWRITING, DELETING = ("insert_overwrite", "insert_overwrite_table"), ("delete_partition",)
CLUSTERING, CLEANING, SAVING, RESTORING = ("cluster",), ("clean",), ("savepoint",), ("restore",)
SAVED = (*SAVING, "delete_savepoint")
COMPACTING, ARCHIVING, DAMAGING = ("compact",), ("archive",), ("damage_markers",)
COMPACTING_LOGS, PLANNING = ("log_compact",), ("plan_clustering",)
CONSUMING = (READ_NEWS, READ_FIRST, READ_AS_OF)
ANY = (
    "clean", *RESTORING, *ARCHIVING, *COMPACTING, *SAVED, "insert", "read", "upsert", "update", "delete", "bulk_insert",
    *CLUSTERING, *OVERWRITING, *DELETING, *DAMAGING, *COMPACTING_LOGS, *PLANNING, *CONSUMING,
)  # fmt: skip
LOST: tuple[str, ...] = ("crash", "drop", "late", "partition", "pause")
NONE: tuple[str, ...] = ()
NEW_IDS, SEVERAL = "ids that no file holds", "a write marks several file groups"
SURVIVE, INVARIANTS, LOST_UPDATE = "acknowledged-writes-survive", "table-invariants", "no-lost-update"
OWN, KEPT = "read-your-writes", "savepoint-kept"
BLOOMS = ("bloom-first", "bloom-first-or-markers")

SKIPPING = ("lost-plans-skipped", "log-plans-taken-back", "replacements-listed", "fixed")
FENCED = ("restore-fenced", "readers-fenced", "metadata-remade", *SKIPPING)
"""What repairs a restore's plan that goes, and what a restore does to writers."""
NEWER_BASES = tuple([name for name, rules in VARIANTS.items() if not rules.refuses_newer_merge_base])
"""The rules under which a write is merged with what is newer than its instant."""


def without(*repaired: str) -> tuple[str, ...]:
    """The rules but for those in which a finding is repaired."""
    return tuple([name for name in VARIANTS if name not in repaired])


def rows(
    scenario: str,
    shows: Mapping[str, tuple[str, ...]],
    *where: Where,
    rules: tuple[str, ...] = tuple(VARIANTS),
    faults: tuple[tuple[str, ...], ...] = (NONE, LOST),
    beside: tuple[str, ...] = (),
    needs: tuple[tuple[str, ...], ...] = (),
) -> tuple[Known, ...]:
    """A finding's rows: each property with its anomalies, with each set of `faults`; no rules repair it unless it says
    which have it."""
    return tuple([
        Known(f"hudi/{scenario}", broken, anomaly, ANY, kinds, where, rules, beside, needs)
        for broken, anomalies in shows.items()
        for anomaly in anomalies
        for kinds in faults
    ])  # fmt: skip
