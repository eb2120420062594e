"""Which generated race shows which mutant of Impala's catalog daemon, and on what property; or which vector does."""

from typing import NamedTuple

from tests.mutants import hive_catalogd, hive_catalogd_loads


class Kill(NamedTuple):
    """The scenario of a seed in a configuration breaks a property with the mutant, and does not without it."""

    mutant: str
    configuration: str
    seed: int
    broken: str


KILLS = (
    Kill("impala-gone-is-kept", "external", 1, "convergence"),
    Kill("impala-new-name-unknown", "external", 1, "convergence"),
    Kill("impala-drop-passed-over", "external", 1, "convergence"),
    Kill("impala-old-name-kept", "external", 5, "convergence"),
    Kill("impala-renamed-unknown", "external", 5, "convergence"),
    Kill("impala-rebuilt-over-old", "external", 37, "convergence"),
    Kill("impala-change-not-loaded", "external-one-metastore", 14, "convergence"),
    Kill("impala-mark-stays", "external", 17, "convergence"),
    Kill("impala-older-applied", "external-one-metastore", 34, "read-your-writes"),
    Kill("impala-newer-skipped", "external-one-metastore", 6, "convergence"),
    Kill("impala-added-over", "both", 123, "monotonic-reads"),
    Kill("impala-partition-not-added", "external", 85, "convergence"),
    Kill("impala-partition-not-dropped", "default", 68, "convergence"),
    Kill("impala-partition-not-changed", "external-one-metastore", 6, "convergence"),
    Kill("impala-old-partition-kept", "external-one-metastore", 13, "convergence"),
    Kill("impala-new-partition-name-unknown", "external-one-metastore", 21, "convergence"),
    Kill("impala-allocation-committed", "default", 8, "no-dirty-reads"),
    Kill("impala-abort-unheard", "both", 31, "convergence"),
    Kill("impala-abort-is-commit", "default", 44, "no-dirty-reads"),
    Kill("impala-own-drop-kept", "external-one-metastore", 14, "read-your-writes"),
    Kill("impala-own-change-kept", "both", 31, "monotonic-reads"),
    Kill("impala-own-partition-kept", "external-one-metastore", 30, "convergence"),
    Kill("impala-own-rename-unknown", "external-one-metastore", 14, "convergence"),
    Kill("impala-sync-from-now", "external-one-metastore", 14, "read-your-writes"),
    Kill("impala-sync-without-ends", "both", 123, "convergence"),
    Kill("impala-sync-unmarked", "external-one-metastore", 34, "read-your-writes"),
    Kill("impala-own-not-loaded", "default", 8, "convergence"),
    Kill("impala-own-rename-kept", "external", 5, "convergence"),
    Kill("impala-newer-replaced", "external-one-metastore", 108, "monotonic-reads"),
    Kill("impala-older-kept", "default", 16, "freshness"),
    Kill("impala-gap-passed-over", "short-log", 5, "convergence"),
    Kill("impala-position-first", "external-one-metastore", 54, "convergence"),
    Kill("impala-load-not-repeated", "external", 17, "convergence"),
    Kill("impala-content-without-list", "both", 31, "convergence"),
    Kill("impala-list-without-content", "external-one-metastore", 14, "convergence"),
    Kill("impala-table-before-list", "default", 44, "monotonic-reads"),
    Kill("impala-answered-with-kept", "default", 68, "read-your-writes"),
    Kill("impala-noted-after", "default", 44, "convergence"),
    Kill("impala-older-events", "external-one-metastore", 34, "read-your-writes"),
    Kill("impala-ids-unknown", "both", 79, "convergence"),
    Kill("impala-late-load-kept", "external", 171, "convergence"),
    Kill("impala-last-id-only", "default", 176, "convergence"),
    Kill("impala-own-name-kept", "external-one-metastore", 14, "read-your-writes"),
    Kill("impala-one-table-of-commit", "default", 55, "convergence"),
    Kill("impala-load-for-old-entry", "both", 243, "convergence"),
    Kill("impala-partitions-not-loaded", "default", 136, "convergence"),
)
VECTORS = {
    "impala-allocation-unheard": "test_alloc_write_id_event_for_part_table",
    "impala-commit-unheard": "test_commit_event",
    "impala-commit-is-abort": "test_commit_event",
}
"""What costs a load and nothing else: who asks has the table loaded anew. A test of `test_catalogd` tells each."""
BY_NAME = {mutant.name: mutant for mutant in (*hive_catalogd.MUTANTS, *hive_catalogd_loads.MUTANTS)}
