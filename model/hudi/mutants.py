"""Protocols that must fail: a variant that keeps its property, with one check of the write path broken.

A checker that does not notice a mutant proves nothing about the check that the mutant lacks. Each row names the rules
that hold without the damage; where shipped Hudi is the mutant, or once was, it says so.

Source: hudi/2 to hudi/4, hudi/6.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from model.hudi.rules import (
    ABORT_IS_DEATH,
    AS_DOCUMENT,
    FIXED,
    LEASED,
    NEWER_BASE_REFUSED,
    OWNED_LOCK,
    ROLLBACK_AWARE,
    SHIPPED,
    Rules,
)


class Mutant(NamedTuple):
    """A broken variant. `base` is the variant without the damage."""

    name: str
    rules: Rules
    base: Rules
    damage: str


def _broken(name: str, base: Rules, damage: str, **changes: Any) -> Mutant:
    return Mutant(name, replace(base, **changes), base, damage)


COMMIT: tuple[Mutant, ...] = (
    _broken("no-conflict-check", NEWER_BASE_REFUSED, "commits never look for others", checks_conflicts=False),
    _broken("conflict-check-before-lock", NEWER_BASE_REFUSED, "others commit after the check", checks_under_lock=False),
    _broken(
        "conflict-check-on-old-timeline",
        NEWER_BASE_REFUSED,
        "the check sees what the write began with",
        checks_reloaded_timeline=False,
    ),
    _broken(
        "forgets-who-was-pending",
        NEWER_BASE_REFUSED,
        "an older instant that completes meanwhile is missed (HUDI-3355)",
        checks_pending_at_start=False,
    ),
    _broken(
        "completes-after-unlock", NEWER_BASE_REFUSED, "check and commit are two sections", completes_under_lock=False
    ),
    _broken("conflicts-by-partition", NEWER_BASE_REFUSED, "disjoint writes are refused", checks_file_groups=False),
    _broken(
        "merges-with-newer-slice",
        NEWER_BASE_REFUSED,
        "shipped: an older slice is never read",
        refuses_newer_merge_base=False,
    ),
    _broken(
        "requested-after-unlock",
        NEWER_BASE_REFUSED,
        "1.0.x: late requested file (G-4)",
        start_is_one_critical_section=False,
    ),
    _broken(
        "completes-without-inflight",
        SHIPPED,
        "a rolled-back instant is completed",
        next_state_needs_present_one=False,
        aborts_when_expired=False,
    ),
)
HEARTBEATS: tuple[Mutant, ...] = (
    _broken(
        "commits-when-expired",
        LEASED,
        "a writer that is taken for dead commits",
        aborts_when_expired=False,
        checks_heartbeat_under_lock=False,
    ),
    _broken("late-beat-is-life", LEASED, "up to 1.2.0: a lapse is forgotten", remembers_late_beat=True),
    _broken("rolls-back-the-living", SHIPPED, "heartbeats are not looked at", rollback_needs_expired_heartbeat=False),
    _broken(
        "loser-keeps-heartbeat",
        ABORT_IS_DEATH,
        "a refused commit's markers refuse others",
        loser_deletes_heartbeat=False,
    ),
    _broken("heartbeat-left-behind", SHIPPED, "a committed instant looks alive", deletes_heartbeat_after_commit=False),
)
MARKERS: tuple[Mutant, ...] = (
    _broken("data-without-marker", NEWER_BASE_REFUSED, "a rollback finds no file", marks_before_data=False),
    _broken("no-reconciliation", SHIPPED, "files of failed attempts stay", reconciles_markers=False),
    _broken("markers-left-behind", SHIPPED, "markers of a commit stay", deletes_markers_after_commit=False),
)
ROLLBACK: tuple[Mutant, ...] = (
    _broken(
        "rolls-back-what-completed",
        SHIPPED,
        "completion looks like expiry (HUDI-5675)",
        rollback_rechecks_timeline=False,
    ),
    _broken(
        "no-recheck-under-lock", ROLLBACK_AWARE, "shipped: decided before the lock", rollback_rechecks_under_lock=False
    ),
    _broken(
        "own-rollback-ignored", ROLLBACK_AWARE, "shipped: a commit over its rollback", own_rollback_is_conflict=False
    ),
    _broken(
        "rollback-without-lock", ROLLBACK_AWARE, "decided while others commit", rollback_scheduled_under_lock=False
    ),
    _broken("rollback-keeps-data", NEWER_BASE_REFUSED, "data files stay", rollback_deletes_data=False),
    _broken("rollback-keeps-markers", NEWER_BASE_REFUSED, "markers stay", rollback_deletes_markers=False),
)
EARLY: tuple[Mutant, ...] = (
    _broken("looks-at-larger-instants", FIXED, "two writers refuse each other", early_smaller_instants_only=False),
    _broken("dead-markers-count", ABORT_IS_DEATH, "heartbeats are not looked at", early_needs_live_heartbeat=False),
    _broken("early-loser-looks-alive", ABORT_IS_DEATH, "shipped: F-12", early_loser_deletes_heartbeat=False),
    _broken("marker-after-unlock", AS_DOCUMENT, "shipped: F-4", marker_lock_covers_creation=False),
    _broken("file-id-by-substring", FIXED, "shipped: F-8", early_matches_substring=True),
)
LOCK: tuple[Mutant, ...] = (
    _broken("closes-what-others-hold", OWNED_LOCK, "shipped: F-1", deletes_lock_it_does_not_hold=True),
    _broken("lock-file-overwritten", OWNED_LOCK, "two contenders both create it", creates_lock_exclusively=False),
    _broken("no-wait-for-skew", OWNED_LOCK, "two hosts draw one instant", waits_out_clock_skew=False),
)
MUTANTS: tuple[Mutant, ...] = (*COMMIT, *HEARTBEATS, *MARKERS, *ROLLBACK, *EARLY, *LOCK)
