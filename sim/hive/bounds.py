"""The bounds of a metastore scenario in words, read off its workload and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from model.hive import FIXED, SHIPPED, Rules
from model.hive.cached_objects import EVERYTHING
from model.hive.catalogd_rules import CatalogRules
from model.hive.impala_rules import IMPALA, IMPALA_REPAIRED, IMPALA_SYNCED
from model.hive.rules import PATCH_51, SHIPPED_CAS, SHIPPED_CAS_NO_REPLAY, SHIPPED_HANGING, SHIPPED_REFRESH, UNCACHED
from sim.hive.workload import HiveWorkload, Update
from sim.world.words import counted

EVENT_MODE = "CachedStore 4.0 with metastore.cache.can.use.event on"
REFRESHED = "CachedStore 4.0 as by default, with metastore.cache.can.use.event off"
PATCH = "the unmerged patch 51 of HIVE-21637"
NO_CACHE = "no cache (metastore.rawstore.impl is ObjectStore)"
DAEMON = "Impala's catalog daemon"
SYNCED = "enable_sync_to_latest_event_on_ddls and enable_skipping_older_events"
VARIANTS: Mapping[str, Rules] = {
    "the reference": FIXED,
    EVENT_MODE: SHIPPED,
    f"{EVENT_MODE}, whose replayed drops wait": SHIPPED_HANGING,
    f"{EVENT_MODE}, whose prewarm passes over what is gone (shipped by nobody)": replace(
        SHIPPED, prewarm_ends_at_gone=False
    ),
    REFRESHED: SHIPPED_REFRESH,
    PATCH: PATCH_51,
    DAEMON: IMPALA,
    f"{DAEMON} with {SYNCED}": IMPALA_SYNCED,
    f"{DAEMON}, repaired (shipped by nobody)": IMPALA_REPAIRED,
    NO_CACHE: UNCACHED,
    f"{NO_CACHE}, which gives no lock to a transaction that has committed (shipped by nobody)": replace(
        UNCACHED, locks_need_open_txn=True
    ),
    f"{EVENT_MODE}, expected parameters passed on (shipped by nobody)": SHIPPED_CAS,
    f"{EVENT_MODE}, expected parameters passed on, no alter replayed (shipped by nobody)": SHIPPED_CAS_NO_REPLAY,
}


def variant_of(rules: Rules) -> str:
    """The rules by their name, or by how they differ from the reference."""
    for name, known in VARIANTS.items():
        if rules == known:
            return name
    if rules.catalogd is not None:
        return _daemon_of(rules, rules.catalogd)
    changed = [f"{one.name}={getattr(rules, one.name)}" for one in fields(rules) if _differs(rules, one.name)]
    return f"the reference but for {', '.join(changed)}"


def _daemon_of(rules: Rules, options: CatalogRules) -> str:
    """How a catalog daemon differs from what Impala ships as by default."""
    ships = CatalogRules()
    names = [one.name for one in fields(CatalogRules) if getattr(options, one.name) != getattr(ships, one.name)]
    changed = [f"{name}={getattr(options, name)}" for name in names]
    changed += ["requests without a table id"] if not rules.checks_table_id else []
    return f"{DAEMON} but for {', '.join(changed)}"


def _differs(rules: Rules, name: str) -> bool:
    return bool(getattr(rules, name) != getattr(FIXED, name))


def bounds_of(workload: HiveWorkload, rules: Rules, *, drains: bool) -> str:
    """What a scenario is limited to. `drains`: the update threads see to the whole log."""
    longest = max(len(session.statements) for session in workload.sessions)
    parts = [
        counted(len(workload.replicas), "replica"),
        counted(len(workload.sessions), "session"),
        f"at most {counted(longest, 'statement')} each",
        f"{counted(len(workload.tables), 'table')} at the start",
    ]
    if workload.earlier:
        behind = f", {' and '.join(workload.lagging)} behind" if workload.lagging else ""
        parts.append(f"{counted(len(workload.earlier), 'session')} before the race{behind}")
    if workload.cold:
        parts.append(f"{' and '.join(workload.cold)} started in the race")
    old = [session.actor for session in workload.everybody if not session.sends_lists]
    if old:
        parts.append(f"no lists from {' and '.join(old)}")
    again = [session.actor for session in workload.everybody if session.asks_again]
    if again:
        parts.append(f"{' and '.join(again)} with metastore.failure.retries=1")
    if workload.cached != EVERYTHING:
        allowed, denied = workload.cached
        parts.append(f"cached: {allowed}{f' but {denied}' if denied else ''}")
    if workload.has(Update):
        parts.append(f"hive.txn.xlock.write {'on, the default' if rules.exclusive_writes else 'off'}")
    if not drains and workload.pollers:
        parts.append(f"{' and '.join(workload.pollers)} may stop before the log's end")
    return f"{', '.join(parts)}; {variant_of(rules)}"
