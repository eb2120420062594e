"""What the design document "Synchronized Metastore Cache" claims, each judged on the variant that it is about.

Impala's own sentences about its cache follow (`sim.hive.claims_impala`).

Source: hive/4.8; the document's sections are named at the claims.
"""

from __future__ import annotations

from collections.abc import Callable

from model.hive import RULES, compare, short_list
from model.hive.comparison import ReadRule
from sim.hive import claims_impala
from sim.hive.scenarios import HIVE
from sim.search.claims import Claim, Evidence

DOCUMENT = "Synchronized Metastore Cache"
REFERENCE, LITERAL = "the reference (inclusion of committed ids)", "the document's words"
SHIPPED = "CachedStore 4.0 with metastore.cache.can.use.event on"
BY_NAME = {scenario.name.removeprefix("hive/"): scenario for scenario in HIVE}
MONOTONIC = "the cache provides monotonic reads"
OWN_WRITES = "This approach also provide read your own writes guarantee"
FRESH = "Fresh or newer means no transaction committed between two states"
OUTDATED = "If ValidTxnList is outdated ... There's no correctness issue, only impact performance in some cases"
CHANGED = "the entry changes after we fetches ValidWriteIdList ... there's no correctness issue"
SEMANTIC = "it provide right semantic even if a transaction consists of more than one HMS write request"
OPTIMISATION = "we will use this optimization unless we saw the open transaction event as well"
REPLAYS = "tests/live/hive/test_replays.py"
FOUND = f"{REPLAYS}::test_violation_that_the_search_finds_is_real_and_a_matter_of_order"
EVERY_PARTITION = (
    "Every add/remove/alter/rename partition request will increment the table writeid. HMS will mark cached table "
    "entry invalid ... and mark it valid and tag with the right writeid upon processing the commit message"
)
STEP_5 = ("[12:7,12]", "[12:7,8,12]")


def _claim(
    text: str, section: str, broken_property: str, variant: str, *names: str, note: str = "", live: str = ""
) -> Claim:
    scenarios = tuple([BY_NAME[name] for name in names])
    return Claim(text, f"{DOCUMENT}, {section}", broken_property, variant, scenarios, live=live, note=note)


def _step_5(rule: ReadRule) -> Callable[[], Evidence]:
    """Whether a rule refuses the cache of step 5, in which write 8 was committed since the request's list was taken."""

    def evidence() -> Evidence:
        cached, request = (short_list(text) for text in STEP_5)
        served = RULES[rule](cached, request)
        shown = f"cache {cached.short}, request {request.short}: compare says {compare(cached, request)}"
        return Evidence(not served, "the two lists of step 5", f"{shown}, and the request is served" if served else "")

    return evidence


def _read_rule(variant: str, rule: ReadRule, note: str) -> Claim:
    source = f"{DOCUMENT}, Read (steps 4 and 5)"
    live = "tests/live/hive/test_vectors.py::test_vectors_on_the_real_classes"
    return Claim(FRESH, source, "", variant, evidence=_step_5(rule), live=live, note=note)


CLAIMS: tuple[Claim, ...] = (
    _claim(MONOTONIC, "Consistency Guarantee", "monotonic-reads-per-replica", f"{REFERENCE}, one replica",
           "one-replica-two-writers", "one-replica-own-abort",
           live=f"{REPLAYS}::test_reads_of_one_replica_go_back_from_the_database_to_the_cache",
           note="A read that falls through sees an open or aborted change, the caught-up cache is behind it."),
    _claim(MONOTONIC, "Consistency Guarantee", "monotonic-reads-per-replica", f"{LITERAL}: prewarm, one replica",
           "design-prewarm", note="The log is applied to entries that have its effects already."),
    _claim(MONOTONIC, "Consistency Guarantee", "monotonic-reads", f"{REFERENCE}, across replicas",
           "failover-by-design", live=f"{REPLAYS}::test_read_that_falls_through_is_ahead_of_the_next_replicas_cache",
           note="A read of the database sees open transactions; no cache rule can undo that."),
    _claim(MONOTONIC, "Consistency Guarantee", "monotonic-reads", f"{SHIPPED}, across replicas", "shipped-failover",
           live=f"{FOUND}[shipped-failover]"),
    _claim(OWN_WRITES, "Consistency Guarantee", "read-your-writes", REFERENCE, "own-writes",
           live=f"{REPLAYS}::test_reading_rule_on_the_clients_side_keeps_the_guarantee"),
    _claim(OWN_WRITES, "Consistency Guarantee", "read-your-writes", f"{LITERAL}: TxnIdUtils.compare",
           "design-own-write",
           live=f"{REPLAYS}::test_upstreams_comparison_on_the_clients_side_loses_the_clients_own_write",
           note="The list is not newer than the cache's: each has a write that the other lacks."),
    _claim(OWN_WRITES, "Consistency Guarantee", "read-your-writes", SHIPPED, "shipped-own-write",
           live=f"{FOUND}[shipped-own-write]"),
    _read_rule(f"{LITERAL}: TxnIdUtils.compare >= 0", "lexicographic",
               "Step 4 serves a newer cache, step 5 calls the same comparison a failure."),
    _read_rule("equivalence", "equivalent", "Then nothing newer is ever served, against step 4's words."),
    _read_rule(REFERENCE, "superset", 'The reference follows "fresh or newer" and serves it.'),
    _claim(EVERY_PARTITION, "Read (list queries)", "freshness", f"{REFERENCE}, a rename", "partition-rename",
           "partition-rename-own",
           live="tests/live/hive/test_partition_renames.py"
                "::test_the_reading_rule_sends_who_knows_of_the_rename_to_the_database"),
    _claim(EVERY_PARTITION, "Read (list queries)", "no-dirty-reads", f"{REFERENCE}, a rename", "partition-rename",
           "partition-rename-own"),
    _claim(EVERY_PARTITION, "Read (list queries)", "no-dirty-reads",
           "events as in 4.0: that of a partition's drop has no write id", "reference-without-drop-write-id",
           note="Nobody can tell that the entry is invalid until the drop's transaction has ended."),
    _claim(OUTDATED, "Bootstrap", "freshness", LITERAL, "design-outdated-list"),
    _claim(OUTDATED, "Bootstrap", "convergence", LITERAL, "design-outdated-list",
           note="Commits between the list and the first event are never heard of: every read misses, for ever."),
    _claim(CHANGED, "Bootstrap", "freshness", LITERAL, "design-prewarm"),
    _claim(CHANGED, "Bootstrap", "freshness", f"{REFERENCE}: events up to the load are skipped", "prewarm"),
    _claim(SEMANTIC, "Consistency Guarantee", "all-or-nothing", REFERENCE, "two-replicas-one-transaction"),
    _claim(SEMANTIC, "Consistency Guarantee", "all-or-nothing", SHIPPED, "shipped-half-a-transaction"),
    _claim(OPTIMISATION, "Maintain WriteId", "convergence", f'{LITERAL}: "unless"', "design-unless"),
    _claim(OPTIMISATION, "Maintain WriteId", "convergence", f'{REFERENCE}: "only if"', "cold-start-two-tables"),
    _claim("the entry is not immediately usable until the commit message of the corresponding writes is processed",
           "Cache update", "no-dirty-reads", REFERENCE, "read-after-commit", "abort"),
    _claim("If it does not match, HMS will fetch the table from db instead", "Deal with Rename", "right-incarnation",
           REFERENCE, "rename"),
    _claim("If it does not match, HMS will fetch the table from db instead", "Deal with Rename", "right-incarnation",
           SHIPPED, "shipped-wrong-table", live=f"{FOUND}[shipped-wrong-table]"),
    _claim("if validWriteIdList=null for managed table, HMS will throw exception", "Changes in Other Components",
           "freshness", REFERENCE, "old-client", live=f"{REPLAYS}::test_client_without_lists_is_told_so_by_the_rule"),
    _claim("if validWriteIdList=null for managed table, HMS will throw exception", "Changes in Other Components",
           "freshness", SHIPPED, "shipped-old-client"),
    _claim("HMS will serve the request from cache since then", "Read (step 6)", "convergence", REFERENCE,
           "own-writes", "read-after-own-abort", "rename", "replica-restart"),
    _claim("HMS will serve the request from cache since then", "Read (step 6)", "convergence",
           "hive.txn.xlock.write off, and events as in 4.0: a conflict's abort is not logged",
           "reference-without-conflict-event",
           live=f"{REPLAYS}::test_conflict_is_refused_and_no_event_says_so"),
    _claim("we can eventually get updates from external changes", "External Table", "convergence", REFERENCE,
           "external", "log-gap"),
    _claim("we can eventually get updates from external changes", "External Table", "convergence", SHIPPED,
           "shipped-rename-freezes", live=f"{REPLAYS}::test_rename_freezes_the_caches_for_good"),
    *claims_impala.CLAIMS,
)  # fmt: skip
"""Every claim of the document that a schedule or a comparison can answer, and every one of Impala's."""
