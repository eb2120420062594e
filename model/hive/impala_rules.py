"""Impala's catalog daemon in a metastore's place, as rules: as it ships, with two of its flags, and repaired.

Source: hive/4.9; what its own options mean is `model.hive.catalogd_rules`.
"""

from dataclasses import replace

from model.hive.catalogd_rules import CatalogRules
from model.hive.rules import FIXED, ON_4_0

# Impala's catalog daemon as it ships, its flags as by default. It asks what 4.0.1 has, and looks for no gaps.
IMPALA = replace(
    ON_4_0,
    read_rule="lexicographic",
    null_list_on_managed="database",
    writes_name_table=False,
    looks_again=False,
    unfinished="ignored",
    entries_by="name",
    batch=1_000,
    bad_event="skip",
    checks_gaps=False,
    catalogd=CatalogRules(),
)
# With `enable_sync_to_latest_event_on_ddls` (IMPALA-10926) and `enable_skipping_older_events` (IMPALA-11535).
IMPALA_SYNCED = replace(IMPALA, catalogd=CatalogRules(own_changes="synced", older_events="skipped"))
# With what would make it right but for changes that are not committed: a load takes the list first and is the answer to
# who asked for it, own changes wait for their events, older events are skipped, events come one by one, ids are looked
# up, lists compared as sets.
IMPALA_REPAIRED = replace(
    FIXED,
    null_list_on_managed="database",
    looks_again=False,
    unfinished="ignored",
    batch=1_000,
    bad_event="skip",
    catalogd=CatalogRules(
        loads="list-first",
        answers="loaded",
        own_changes="followed",
        older_events="skipped",
        merges=False,
        unseen_ids="looked-up",
        renamed_partitions="moved",
    ),
)
