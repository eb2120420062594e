"""The findings of CachedStore 4.0.1 as generated failures meet them. No other rules have any that is known.

Choices: reads, transactions, locks, evictions, restarts, and changes of partitions and of rows may be part of any
failure: they are what sessions are made of, and a cause that has been shrunk has few of them. What makes a finding is
the changes of tables. A fault that moves the moment at which a replay, a poll or a read happens makes no other finding
of it; nor does, of a loss by a replay, one that moves the order of events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.hive.variants import VARIANTS
from sim.generation.causes import Known

Needs = tuple[tuple[str, ...], ...]
SESSION = ("begin", "commit", "abort", "get-table", "list-partitions", "write", "update", "put-partition",
           "drop-partition", "rename-partition", "lock", "time-out", "evict", "restart", "clean-history",
           "analyze", "delete-statistics", "get-statistics", "rename-database", "add-key", "drop-key", "get-key",
           "truncate", "insert")  # fmt: skip
LOST_CONTENT = ("lost-write", "row-from-nowhere")
BEHIND = ("stale-entry", "never-served", "phantom-table", "dead-table-kept")
LOG = ("log",)
FAULTS = ("crash", "drop", "late", "partition", "pause")
READS = (
    ("monotonic-reads-per-replica", "non-monotonic-read"), ("read-your-writes", "missed-own-write"),
    ("freshness", "stale-read"), ("freshness", "own-write-missed"), ("right-incarnation", "dead-table-served"),
)  # fmt: skip
REPLAYS = ("shipped", "shipped-cas", "shipped-by-document")
"""The rules that write an alter to the database again when they replay it."""
CACHED_STORE = (*REPLAYS, "shipped-cas-no-replay")
DATABASE = (*CACHED_STORE, "shipped-refresh")
"""The rules whose database is 4.0.1's, whatever the cache."""


def _known(
    scenario: str, broken: tuple[tuple[str, str], ...], *changes: str, rules: tuple[str, ...] = CACHED_STORE,
    needs: Needs = (),
) -> tuple[Known, ...]:  # fmt: skip
    operations = (*SESSION, *changes)
    return tuple([Known(scenario, name, anomaly, operations, rules=rules, needs=needs) for name, anomaly in broken])


def _lost(scenario: str, anomalies: tuple[str, ...], *changes: str, needs: Needs = ()) -> tuple[Known, ...]:
    broken = tuple([("acknowledged-writes-survive", anomaly) for anomaly in anomalies])
    return _known(scenario, broken, *changes, rules=REPLAYS, needs=needs)


def _or_hit(known: Sequence[Known]) -> tuple[Known, ...]:
    """These, and the same where something fails."""
    return (*known, *[replace(one, faults=FAULTS) for one in known])


def _frozen(*anomalies: str) -> tuple[tuple[str, str], ...]:
    return tuple([("convergence", anomaly) for anomaly in anomalies])


_ANALYZES: Needs = (("analyze",),)
ANALYZED = (
    *_lost("hive/shipped-analyzed-reverts", ("lost-write",), "alter", needs=_ANALYZES),
    *_known("hive/shipped-analyzed-reverts", (*_frozen(*BEHIND), *READS), "alter", "create", "drop", needs=_ANALYZES),
)
"""An alter of an analyzed table that cannot be replayed."""
DELETED = _known("hive/shipped-deleted-statistics", _frozen("stale-entry"), "alter", "create", "drop", "rename",
                 needs=(("delete-statistics",),))  # fmt: skip
"""A partition's statistics that were deleted, and of which no column was named."""
EVICTED = _known("hive/evicted-partitions", (*_frozen(*BEHIND), *READS), "alter", "create", "drop", "rename",
                 needs=(("evict",),))  # fmt: skip
"""What a read after an eviction leaves in the cache, whatever the log said meanwhile."""
SHIPPED: tuple[Known, ...] = (
    *DELETED,
    *EVICTED,
    *ANALYZED,
    *_lost("hive/shipped-replay-writes-back", ("lost-write",), "alter"),
    *_lost("hive/shipped-batch-reverts", ("lost-write",), "alter", "rename"),
    *_lost("hive/shipped-dead-content", LOST_CONTENT, "alter", "drop", "create"),
    *_lost("hive/shipped-rename-takes-another", ("lost-write", "lost-row", "row-from-nowhere", "resurrected-row"),
           "rename", "create", "alter", "drop"),
    *_known("hive/shipped-miss-hides-partitions", (*_frozen("stale-entry"), *READS), "create"),
    *_known("hive/shipped-drop-freezes", _frozen(*BEHIND), "alter", "drop", "create"),
    *_known("hive/shipped-rename-freezes", (*_frozen(*BEHIND), *READS), "rename", "create", "alter", "drop"),
)  # fmt: skip
"""What it breaks of its own promises."""
RENAMED = tuple([("no-dirty-reads", anomaly) for anomaly in ("open-id-in-list", "aborted-id-in-list")])
"""The write ids of a table that is under way to another name (R8), where no exclusive lock keeps others away."""
TWICE = ("lists-keep-their-snapshot", "list-of-another-snapshot")
"""The same beside cleaned history: whoever changes the table before it has its new name gets a write id that is given
already."""
CLEANED: tuple[Known, ...] = tuple([
    replace(one, needs=(("clean-history",), ("abort", "time-out", "update")))
    for one in _known("hive/cleaned-abort-as-shipped", (*RENAMED[1:], TWICE), "alter", "create", "drop", "rename",
                      rules=DATABASE)
])  # fmt: skip
"""The write id of a transaction that was aborted, and is forgotten before it, in lists of older snapshots, too."""
TORN = ("lists-keep-their-snapshot", "snapshot-torn")
UNLISTED = (("lists-have-the-committed", "committed-not-listed"), TORN)
UNSEEN = tuple([("updates-build-on-each-other", anomaly) for anomaly in ("update-not-seen", "write-id-too-low")])
GIVEN_TWICE = (("write-ids-given-once", "write-id-given-twice"), ("first-committer-wins", "both-committed"), TWICE,
               *RENAMED)  # fmt: skip
"""What comes of a write id that two transactions have."""
ASTRAY: tuple[Known, ...] = tuple([
    one
    for what, scenario, broken in (
        ("clean-history", "hive/cleaned-higher-id-as-shipped", UNLISTED),
        ("rename-database", "hive/database-renamed-unlisted", UNLISTED),
        ("rename-database", "hive/database-renamed-as-shipped", GIVEN_TWICE),
        ("rename-database", "hive/locks-database-renamed-as-shipped", (("locks-exclude", "both-hold-the-lock"),)),
        ("rename-database", "hive/updates-database-renamed-as-shipped", UNSEEN),
    )
    for one in _known(scenario, broken, "alter", "create", "drop", "rename", rules=DATABASE, needs=((what,),))
])  # fmt: skip
"""Write ids that are in no list any more, or are given anew."""
OVERTAKEN = _known("hive/insert-overtaken-as-shipped", (TORN,), rules=DATABASE,
                   needs=(("insert",), ("clean-history",)))  # fmt: skip
"""An insert without `MIN_HISTORY_LEVEL` whose commit a reader overtakes."""
GAPS: tuple[Known, ...] = tuple([
    replace(one, faults=("log-gap",))
    for one in _known("HIVE-25796", (*_frozen(*BEHIND), *READS), "alter", "create", "drop", "rename")
])  # fmt: skip
"""It does not look whether events are missing, which the document's clients do."""
NEVER_TOLD = _known("hive/refresh-statistics-stay", _frozen("stale-entry"), "alter", "create", "drop", "rename",
                    rules=("shipped-refresh", *CACHED_STORE), needs=_ANALYZES)  # fmt: skip
"""Statistics of which its caches are not told: a load brings none, and what has none is asked for nowhere else."""
KEYS: tuple[Known, ...] = tuple([
    one
    for name, rules in (("shipped-constraints", CACHED_STORE), ("refresh-constraints", ("shipped-refresh",)))
    for one in _known(f"hive/{name}", (*_frozen("stale-entry"), *READS), "alter", "create", "drop", "rename",
                      rules=rules, needs=(("add-key",),))
])  # fmt: skip
"""Constraints, which a load does not bring."""
AS_SHIPPED = (
    "shipped-by-document",
    *[name for name, rules in VARIANTS.items() if not (rules.catalogd or rules.truncates_what_is_there)],
)
TRUNCATES: tuple[Known, ...] = tuple([
    one
    for name, broken, rules in (
        ("truncate-read-before", (("acknowledged-writes-survive", "lost-write"),), AS_SHIPPED),
        ("refresh-truncate-partitions", (("truncates-as-told", "partition-left"),), AS_SHIPPED),
        ("shipped-truncate-refused",
         (("truncates-as-told", "refused-and-truncated"), ("refusals-are-true", "refused-and-made")), CACHED_STORE),
    )
    for one in _known(f"hive/{name}", broken, "alter", "create", "drop", "rename", rules=rules, needs=(("truncate",),))
])  # fmt: skip
"""What a truncate writes back, what it does not reach, and one of several partitions in event mode."""
TWO_NAMES = _known("hive/refresh-one-entry-two-names", _frozen("dead-table-kept", "stale-entry"),
                   "rename", "create", "alter", "drop", rules=("shipped-refresh",), needs=(("rename",),))  # fmt: skip
"""What its default mode, which follows no log, breaks of the one promise that it makes."""
SLOW_OPENS: tuple[Known, ...] = tuple([
    replace(one, faults=("pause",))
    for one in _known("hive/slow-open-as-shipped", (*RENAMED, ("freshness", "stale-read")), "alter", "create", "drop",
                      rules=DATABASE)
])  # fmt: skip
"""A transaction whose open takes so long that snapshots have passed it over, or seems to to one that waited."""
METASTORES = ("shipped-by-document", *[name for name, rules in VARIANTS.items() if rules.catalogd is None])
"""All rules of metastores."""
_AGAIN = ("alter", "create", "drop", "rename")
MADE_AGAIN: tuple[Known, ...] = tuple([
    replace(one, faults=lost, beside=(*LOG, "crash", "pause"), needs=(*needs, *cut_off))
    for name, broken, needs in (
        ("drop-made-again", ("changes-happen-once", "made-twice"),
         (("drop", "drop-partition"), ("create", "rename", "put-partition", "rename-partition"))),
        ("alter-made-again", ("changes-happen-once", "made-twice"), ()),
        ("create-made-again", ("refusals-are-true", "refused-and-made"), ()),
    )
    for one in _known(f"hive/{name}", (broken,), *_AGAIN,
                      rules=METASTORES)
    for lost, cut_off in ((("drop", "late", "partition"), ()), ((), (("restart",),)))
])  # fmt: skip
"""A call that Hive's own client makes again, whatever the rules: what a drop takes, or a create, belongs to others. It
got no answer, for that was lost, or its metastore was restarted."""
KNOWN: tuple[Known, ...] = (
    *_or_hit(KEYS),
    *_or_hit(SHIPPED),
    *[replace(one, faults=("log", *FAULTS)) for one in SHIPPED if one.property == "acknowledged-writes-survive"],
    *_or_hit(
        _known(
            "hive/reference-without-atomic-rename",
            (*RENAMED, TWICE),
            "rename",
            "create",
            "alter",
            "drop",
            rules=DATABASE,
            needs=(("rename",),),
        )
    ),
    *CLEANED,
    *[replace(one, faults=(*LOG, *FAULTS)) for one in CLEANED],
    *OVERTAKEN,
    *ASTRAY,
    *[replace(one, faults=("log", *FAULTS)) for one in ASTRAY],
    *GAPS,
    *_or_hit(NEVER_TOLD),
    *_or_hit(TRUNCATES),
    *_or_hit(TWO_NAMES),
    *MADE_AGAIN,
    *SLOW_OPENS,
)
