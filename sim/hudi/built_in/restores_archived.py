"""Hudi scenarios: a restore beside a writer, and then archiving. Who is taken back goes on, and is refused in the end.

What it has written since stays: files that come after the restore's list of them, and, with a metadata table, the names
of all its files. When its instant is older than the active timeline everybody takes it for completed.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import FIXED, RESTORE_FENCED
from sim.hudi.build import EVERYTHING, PREFERRING, Writers, race
from sim.hudi.built_in.archiving import SMALLEST
from sim.hudi.built_in.metadata_compactions import EVERY_FOURTH
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.built_in.restores import LEFT
from sim.hudi.listed import LISTING
from sim.hudi.statements import Archive, DeleteSavepoint, Insert, Restore, Savepoint, Statement, Upsert

GOING_ON: tuple[Statement, ...] = (
    Savepoint(), Restore(), DeleteSavepoint(), Insert(((3, "C"),)), Insert(((4, "D"),)), Archive(),
)  # fmt: skip
"""Nothing is older than the last insert then."""
ONE_FILE: Writers = {"w1": GOING_ON, "w2": [Upsert(((1, "B"),))]}
TWO_FILES: Writers = {"w1": GOING_ON, "w2": [Upsert(((1, "B"), (5, "E")))]}
"""The restore may come between the two files."""
BESIDE = LEFT | dict.fromkeys(("acknowledged-writes-survive", "snapshot-isolation"), "hudi/restore-beside breaks them")
ABORTED = ("no-aborted-reads", "acknowledged-writes-survive", "snapshot-isolation")
READ = dict.fromkeys(ABORTED, "hudi/restore-archived breaks them")
ARCHIVING: dict[str, Any] = {"properties": EVERYTHING, "options": (*PREFERRING, *SMALLEST), "yield_points": ("create",)}
LISTED: dict[str, Any] = {
    "properties": (*EVERYTHING, *LISTING), "options": (*PREFERRING, LISTED_BY, EVERY_FOURTH, *SMALLEST),
    "yield_points": ("create",),
}  # fmt: skip
RESTORES_ARCHIVED = (
    race(
        "restore-archived",
        "A restore takes back a write that then writes its file, and is refused; when others have committed and "
        "archived, everybody reads that file.",
        ONE_FILE,
        rules=SHIPPED,
        broken="no-aborted-reads",
        but=BESIDE,
        pair="restore-archived-fixed",
        **ARCHIVING,
    ),
    race(
        "restore-archived-fixed",
        "The same where whoever commits looks for restores, and of files older than the active timeline those of "
        "archived commits are read alone.",
        ONE_FILE,
        rules=FIXED,
        but=LEFT,
        counters=(coverage.ARCHIVED, coverage.LEFT_OUT, coverage.PENDING_TAKEN_BACK, coverage.RESTORE_RESPECTED),
        pair="restore-archived",
        **{**ARCHIVING, "yield_points": ("create", "try_lock")},
    ),
    race(
        "metadata-restore-archived",
        "A restore takes back a write of which one file is there. It goes on, and tells the metadata table of its "
        "files, before it is refused; when others have committed and archived, nobody can read the table, for the file "
        "is gone.",
        TWO_FILES,
        rules=SHIPPED,
        broken="readable",
        but=BESIDE | READ | {"listed-files-exist": "readable says it of the table that nobody can read then"},
        pair="metadata-restore-archived-fenced",
        **LISTED,
    ),
    race(
        "metadata-restore-archived-fenced",
        "The same where whoever commits looks for restores before it tells the metadata table.",
        TWO_FILES,
        rules=RESTORE_FENCED,
        but=LEFT | READ,
        counters=(
            coverage.ARCHIVED,
            coverage.METADATA_RESTORED,
            coverage.PENDING_TAKEN_BACK,
            coverage.RESTORE_RESPECTED,
        ),
        pair="metadata-restore-archived",
        **{**LISTED, "yield_points": ("try_lock",)},
    ),
)
