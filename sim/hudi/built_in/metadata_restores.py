"""Hudi scenarios: a restore beside a metadata table, which is taken back as well, or deleted and made anew.

It is taken back if it has a slice that is not later than the savepoint, and deleted if its first compaction is not
earlier; cleaning deletes slices, while compactions stay on the timeline.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import METADATA_COMPACT_AFTER, SLICES_POLICY, VERSIONS
from model.hudi.variants import METADATA_REMADE, READERS_FENCED, RESTORE_FENCED
from sim.hudi.build import EVERYTHING, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.built_in.metadata_compactions import EVERY_FOURTH
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.built_in.restores import LEFT
from sim.hudi.listed import LISTING
from sim.hudi.statements import Read, Restore, Savepoint, Statement, Upsert

ASKED = (*EVERYTHING, *LISTING, "savepoint-kept")
AFTER_TWO = (METADATA_COMPACT_AFTER, "2")
ONE_SLICE = ((SLICES_POLICY, "KEEP_LATEST_FILE_VERSIONS"), (VERSIONS, "1"))
"""Of the metadata table two slices are kept."""


def updates(count: int, first: int = 0) -> list[Statement]:
    """So many updates of row 1."""
    return [Upsert(((1, f"v{number}"),)) for number in range(first, first + count)]


ANEW: tuple[Statement, ...] = (Savepoint(), *updates(1), Restore(), Upsert(((1, "after"),)))
LATE: Writers = {"w1": (*updates(4), Savepoint(), *updates(10, 4), Restore(), Upsert(((1, "after"),)))}
"""The savepoint is later than the first compaction, and all slices that are left are later than the savepoint."""
TWICE: Writers = {
    "w1": (Savepoint(), *updates(3), Restore(), Upsert(((1, "after"),)), Restore(), Upsert(((1, "last"),)))
}
"""The first restore makes the metadata table anew, and nobody compacts that before the second one."""
RESTORING: dict[str, Any] = {"options": (*PREFERRING, LISTED_BY), "properties": ASKED}
COMPACTING: dict[str, Any] = {**RESTORING, "options": (*RESTORING["options"], AFTER_TWO)}
SELDOM: dict[str, Any] = {
    **RESTORING, "options": (*RESTORING["options"], EVERY_FOURTH), "yield_points": ("create",),
}  # fmt: skip
PENDING = {
    "clean-at-quiescence": "what the restore leaves pending",
    "listed-files-exist": "the metadata table lists what has been taken back",
}
CLEANING: dict[str, Any] = {
    **RESTORING, "options": (*RESTORING["options"], EVERY_FOURTH, *ONE_SLICE), "yield_points": ("create",),
}  # fmt: skip
METADATA_RESTORES = (
    race(
        "metadata-restored",
        "A client makes two updates after a savepoint, restores, and goes on: the metadata table is taken back, too.",
        {"w1": (Savepoint(), *updates(2), Restore(), Upsert(((1, "after"),)), Read())},
        rules=SHIPPED,
        counters=(coverage.METADATA_RESTORED, coverage.TAKEN_BACK),
        yield_points=("create", "list", "try_lock"),
        **RESTORING,
    ),
    race(
        "metadata-restored-fenced",
        "A writer beside that, where whoever starts, or commits, looks for restores under the lock.",
        {"w1": (Savepoint(), Upsert(((1, "A"),)), Restore(2)), "w2": [Upsert(((2, "B"),))]},
        rules=RESTORE_FENCED,
        but=LEFT,
        counters=(
            coverage.METADATA_RESTORED,
            coverage.RESTORE_RESPECTED,
            coverage.TAKEN_BACK,
            coverage.PENDING_TAKEN_BACK,
        ),
        groups=TWO_GROUPS,
        partitions=("p1", "p2"),
        yield_points=("try_lock",),
        **RESTORING,
    ),
    race(
        "metadata-made-anew",
        "A client restores to a savepoint from before the first compaction of the metadata table, and goes on: that is "
        "deleted, and made anew of the files.",
        {"w1": ANEW},
        rules=SHIPPED,
        counters=(coverage.METADATA_DELETED, coverage.METADATA_MADE, coverage.METADATA_RESTORED),
        yield_points=("create", "list", "try_lock"),
        **COMPACTING,
    ),
    race(
        "metadata-made-anew-read",
        "A reader beside that, who finds a metadata table or lists files, and looks for a restore when he has read.",
        {"w1": ANEW[:-1], "r1": [Read()]},
        rules=READERS_FENCED,
        counters=(coverage.METADATA_DELETED, coverage.METADATA_MADE, coverage.RESTORE_RESPECTED),
        yield_points=("list",),
        **COMPACTING,
    ),
    race(
        "metadata-restore-stuck",
        "One client, and nobody beside it, restores to a savepoint of which the metadata table has no slice any more, "
        "while its first compaction was earlier: when the restore has taken back all files it fails, as it will again; "
        "and nobody can begin to write.",
        LATE,
        rules=SHIPPED,
        broken="table-invariants",
        pair="metadata-restore-remade",
        but=PENDING,
        **CLEANING,
    ),
    race(
        "metadata-restore-remade",
        "The same where a metadata table is made anew that cannot be taken back.",
        LATE,
        rules=METADATA_REMADE,
        counters=(coverage.METADATA_CLEANED, coverage.METADATA_MADE, coverage.METADATA_UNRESTORABLE, coverage.RESTORED),
        pair="metadata-restore-stuck",
        **CLEANING,
    ),
    race(
        "metadata-restore-twice",
        "One client restores to a savepoint from before the first compaction of the metadata table, which is made "
        "anew; and soon it restores to it again: the metadata table knows nothing of the savepoint's commit, and when "
        "the restore has taken back all files it fails, as it will again; nobody can begin to write.",
        TWICE,
        rules=SHIPPED,
        broken="table-invariants",
        pair="metadata-restore-twice-remade",
        but=PENDING,
        **SELDOM,
    ),
    race(
        "metadata-restore-twice-remade",
        "The same where a metadata table is made anew that cannot be taken back.",
        TWICE,
        rules=METADATA_REMADE,
        counters=(coverage.METADATA_MADE, coverage.METADATA_UNRESTORABLE, coverage.RESTORED),
        pair="metadata-restore-twice",
        **SELDOM,
    ),
)
