"""The findings of CachedStore 4.0.1 as generated failures meet them.

Choices: reads, transactions and writes of rows may be part of any failure: they are what sessions are made of, and a
cause that has been shrunk has few of them. What makes a finding is the changes. A fault that moves the moment at which
a replay, a poll or a read happens makes no other finding of it; nor does, of a loss by a replay, one that moves the
order of events.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.causes import Known

SESSION = ("begin", "commit", "abort", "get-table", "list-partitions", "write", "update", "put-partition",
           "drop-partition")  # fmt: skip
LOST_CONTENT = ("lost-write", "row-from-nowhere")
BEHIND = ("stale-entry", "never-served", "phantom-table", "dead-table-kept")
FAULTS = ("crash", "drop", "late", "partition", "pause")
READS = (
    ("monotonic-reads-per-replica", "non-monotonic-read"), ("read-your-writes", "missed-own-write"),
    ("freshness", "stale-read"), ("freshness", "own-write-missed"), ("right-incarnation", "dead-table-served"),
)  # fmt: skip


def _known(scenario: str, broken: tuple[tuple[str, str], ...], *changes: str) -> list[Known]:
    return [Known(f"hive/{scenario}", name, anomaly, (*SESSION, *changes)) for name, anomaly in broken]


def _lost(*anomalies: str) -> tuple[tuple[str, str], ...]:
    return tuple([("acknowledged-writes-survive", anomaly) for anomaly in anomalies])


def _frozen(*anomalies: str) -> tuple[tuple[str, str], ...]:
    return tuple([("convergence", anomaly) for anomaly in anomalies])


SHIPPED: tuple[Known, ...] = (
    *_known("shipped-replay-writes-back", _lost("lost-write"), "alter"),
    *_known("shipped-batch-reverts", _lost("lost-write"), "alter", "rename"),
    *_known("shipped-dead-content", _lost(*LOST_CONTENT), "alter", "drop", "create"),
    *_known("shipped-rename-takes-another", _lost("lost-write", "lost-row", "row-from-nowhere", "resurrected-row"),
            "rename", "create", "alter", "drop"),
    *_known("shipped-miss-hides-partitions", (*_frozen("stale-entry"), *READS), "create"),
    *_known("shipped-drop-freezes", _frozen(*BEHIND), "alter", "drop", "create"),
    *_known("shipped-rename-freezes", (*_frozen(*BEHIND), *READS), "rename", "create", "alter", "drop"),
)  # fmt: skip
"""What it breaks of its own promises."""
GAPS: tuple[Known, ...] = tuple([
    Known("HIVE-25796", name, anomaly, (*SESSION, "alter", "create", "drop", "rename"), ("log-gap",))
    for name, anomaly in (*_frozen(*BEHIND), *READS)
])  # fmt: skip
"""It does not look whether events are missing, which the document's clients do."""
KNOWN: tuple[Known, ...] = (
    *SHIPPED,
    *[replace(one, faults=FAULTS) for one in SHIPPED],
    *[replace(one, faults=("log", *FAULTS)) for one in SHIPPED if one.property == "acknowledged-writes-survive"],
    *GAPS,
)
