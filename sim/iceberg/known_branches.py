"""Findings in PyIceberg's branches that are no news, as generated failures meet them."""

from __future__ import annotations

from model.iceberg import VARIANTS
from sim.generation.causes import Known

IN_PYTHON = (("catalog", ()),)
"""PyIceberg's scenarios name no catalog, all others do."""
OF_ONE_WRITER = ("acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
"""What breaks where two statements change what one of them may."""
SEVERAL = ("transaction of branches",)
CHANGES = (
    "change in branch",
    "copy in branch",
    "delete in branch",
    "overwrite to branch",
    "upsert in branch",
    *SEVERAL,
)
MOVES = ("create branch", "publish", "remove branch")
ADDS = ("add file in branch", "append to branch")
ALL = (
    *CHANGES, *MOVES, *ADDS, "append", "change", "create tag", "expire",
    "read in branch",
)  # fmt: skip


def _known(name: str, broken: str, anomaly: str, *needs: tuple[str, ...]) -> Known:
    return Known(f"pyiceberg/{name}", broken, anomaly, ALL, (), IN_PYTHON, tuple(VARIANTS), needs=needs)


IN_BRANCHES: tuple[Known, ...] = (
    _known("branch-append-tag", "readable", "unreadable-table", ("create tag",), (*CHANGES, *ADDS)),
    *[_known("branch-upsert-absent", broken, anomaly, ("upsert in branch",))
      for broken, anomaly in (
          ("no-aborted-reads", ""), ("snapshot-isolation", "stale-read@stated"),
          ("snapshot-isolation", "future-read@stated"),
      )],
    _known("tag-expire", "acknowledged-writes-survive", "lost-row", ("create branch", "publish"), ("expire",)),
    _known("upsert-upsert", "acknowledged-writes-survive", "duplicated-row", ("upsert in branch",)),
    *[_known("branch-add-file-again", broken, "", ("add file in branch",)) for broken in OF_ONE_WRITER],
    *[_known("branches-at-once-change", broken, "", SEVERAL, CHANGES[:-1]) for broken in OF_ONE_WRITER],
    *[_known("branch-change-remove", broken, "", CHANGES, ("create tag", "remove branch")) for broken in OF_ONE_WRITER],
    *[_known("branches-at-once-remove", broken, "", SEVERAL, MOVES) for broken in OF_ONE_WRITER],
    *[_known("branches-at-once-change", broken, "", SEVERAL) for broken in OF_ONE_WRITER],
)  # fmt: skip
