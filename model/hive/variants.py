"""The rules by the names that users give them."""

from collections.abc import Mapping
from dataclasses import replace

from model.hive.impala_rules import IMPALA, IMPALA_REPAIRED, IMPALA_SYNCED
from model.hive.rules import (
    DESIGN,
    FIXED,
    PATCH_51,
    SHIPPED,
    SHIPPED_CAS,
    SHIPPED_CAS_NO_REPLAY,
    SHIPPED_REFRESH,
    Rules,
)

VARIANTS: Mapping[str, Rules] = {
    "shipped": SHIPPED,
    "shipped-cas": SHIPPED_CAS,
    "shipped-cas-no-replay": SHIPPED_CAS_NO_REPLAY,
    "reference": FIXED,
    "document": DESIGN,
    "document-comparison": replace(FIXED, read_rule=DESIGN.read_rule),
    "document-prewarm": replace(FIXED, prewarm=DESIGN.prewarm),
    "document-outdated-list": replace(FIXED, prewarm="outdated-list"),
    "document-unless": replace(FIXED, write_ids=DESIGN.write_ids),
    "equivalent-lists": replace(FIXED, read_rule="equivalent"),
    "no-conflict-event": replace(FIXED, conflict_abort_is_logged=False),
    "no-atomic-rename": replace(FIXED, rename_moves_write_ids_with_it=False),
    "no-drop-write-id": replace(FIXED, drop_tells_write_id=False),
    "shipped-refresh": SHIPPED_REFRESH,
    "patch-51": PATCH_51,
    "impala": IMPALA,
    "impala-synced": IMPALA_SYNCED,
    "impala-repaired": IMPALA_REPAIRED,
}
"""The rules by name: what 4.0.1 ships first, then the reference, and what differs from it in one thing."""
