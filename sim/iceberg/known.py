"""Findings that are no news, as generated failures meet them. Each is a built-in scenario, or an issue upstream."""

from __future__ import annotations

from sim.generation.causes import Known

SQL = ("delete", "insert", "read", "update")
JAVA = ("append", "delete", "overwrite", "replace")
ANY = tuple(sorted({*SQL, *JAVA}))
MISREPORTED = ("409-after", "429-after", "503-after-retry", "resend")
"""A commit is applied, and its client is told that it was not, or sends it again by itself."""
UNFENCED = ("pause", "partition", "late", "clock-slow")
"""An alter comes when its lock is gone."""
KNOWN: tuple[Known, ...] = (
    Known("iceberg/delete-update-snapshot", "acknowledged-writes-survive", "resurrected-row", SQL),
    Known("iceberg/delete-update-snapshot", "read-your-writes", "missed-own-write", SQL),
    Known("iceberg/delete-update-snapshot", "no-lost-update", "lost-update", SQL),
    Known("iceberg/update-reply-faults", "readable", "unreadable-table", ANY, MISREPORTED),
    Known("iceberg/update-reply-faults", "no-aborted-reads", "aborted-read", ANY, MISREPORTED),
    Known("iceberg/update-reply-faults", "no-aborted-reads", "refused-commit-visible", ANY, MISREPORTED),
    Known("iceberg/insert-insert-misreported", "acknowledged-writes-survive", "", ANY, MISREPORTED),
    Known("iceberg/insert-insert-misreported", "no-aborted-reads", "vanished-write-read", ANY, MISREPORTED),
    Known("iceberg/hive-lock-pause", "acknowledged-writes-survive", "", ANY, UNFENCED),
    Known("hive/iceberg-shipped-lock-two", "acknowledged-writes-survive", "", ANY, ("stale",)),
    Known("iceberg/replace-replace-old-delete", "no-needless-refusal", "needless-refusal", JAVA),
    Known("pyiceberg/append-resent", "readable", "unreadable-table", ("append", "delete"), MISREPORTED),
)
