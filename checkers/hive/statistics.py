"""Whose statistics a session may be told of: those of a write that its list has. Source: hive/7 (row 49)."""

from checkers.finding import T1, T2, Finding
from checkers.hive.facts import Change, Reading

STATISTICS = "statistics:"
"""What the key of a table's statistics begins with."""


def not_listed(change: Change, reading: Reading) -> list[Finding]:
    """That a session was told of statistics of a write id which its list calls open or aborted, or does not have."""
    assert reading.writes is not None
    if reading.writes.has(change.write_id):
        return []
    says = f"{reading.at} told {T2} the statistics of write id {change.write_id} ({T1}), which {T2}'s list has not"
    return [
        Finding("unlisted-statistics", (change.position, reading.position), (), (says,))
        for seen in reading.reads
        if seen.key.startswith(STATISTICS) and seen.version == change.version
    ]
