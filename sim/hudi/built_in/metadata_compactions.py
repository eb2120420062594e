"""Hudi scenarios in which the metadata table is compacted: who begins to write does it, within the data table's lock.

What it lists must be the same before and after, also for commits that come while a compaction is under way, and for
those that are rolled back later.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import KEEP_MAX, KEEP_MIN, METADATA_COMPACT_AFTER
from model.hudi.variants import NAMED_FILES_CLEANED
from sim.hudi.build import EVERYTHING, HIT, OPTIMISTIC, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.built_in.metadata_tables import DIES, EACH, LISTED_BY
from sim.hudi.built_in.rollbacks import BEATING
from sim.hudi.listed import LISTING
from sim.hudi.statements import Archive, Clean, DeletePartition, Insert, Read, Statement, Upsert
from sim.hudi.workload import Options

ASKED = (*EVERYTHING, *LISTING)
EVERY_FOURTH = (METADATA_COMPACT_AFTER, "4")
REFILLED: tuple[Statement, ...] = (
    DeletePartition("p1"), Upsert(((2, "B"),)), Upsert(((2, "C"),)), Clean(), Insert(((5, "e"),)), Upsert(((2, "D"),)),
    Archive(),
)  # fmt: skip
"""A partition is deleted, and cleaned when commits have followed; rows are inserted there; the deletion is archived."""
ALONE: Writers = {"w1": REFILLED}
REFILLING: Options = (*OPTIMISTIC, ONE_RETAINED, LISTED_BY, EVERY_FOURTH, (KEEP_MIN, "1"), (KEEP_MAX, "2"))
METADATA_COMPACTIONS = (
    race(
        "metadata-compacted",
        "One client deletes a partition, cleans, inserts rows into the partition again, and archives. The metadata "
        "table was compacted before the clean: it lists again what the partition had then, which is gone; and when the "
        "deletion is archived, nobody can read the table.",
        ALONE,
        rules=SHIPPED,
        options=REFILLING,
        properties=ASKED,
        groups=TWO_GROUPS,
        partitions=("p1", "p2"),
        yield_points=("create",),
        broken="readable",
        but={"listed-files-exist": "readable says it of the table that nobody can read then"},
        pair="metadata-compacted-files-only",
    ),
    race(
        "metadata-compacted-files-only",
        "The same where a clean deletes the files alone that it has planned to delete.",
        ALONE,
        rules=NAMED_FILES_CLEANED,
        options=REFILLING,
        properties=ASKED,
        groups=TWO_GROUPS,
        partitions=("p1", "p2"),
        yield_points=("create",),
        counters=(coverage.METADATA_COMPACTED, coverage.CLEANED, coverage.ARCHIVED),
        pair="metadata-compacted",
    ),
    race(
        "metadata-compacting",
        "Two writers of two partitions, each of whose writes begins with a compaction of the metadata table, also "
        "while the other one is at work: it says what files say.",
        {"w1": [Upsert(((1, "A"),)), Read()], "w2": [Upsert(((2, "B"),)), Upsert(((1, "C"),))]},
        rules=SHIPPED,
        options=(*PREFERRING, LISTED_BY, EACH),
        properties=ASKED,
        groups=TWO_GROUPS,
        partitions=("p1", "p2"),
        counters=(coverage.METADATA_COMPACTED, coverage.CONFLICT_FOUND),
        yield_points=("try_lock",),
    ),
    race(
        "metadata-compacting-read",
        "A reader beside a compaction of the metadata table, and the commit after it: it sees a commit as a whole.",
        {"w1": [Upsert(((1, "A"),))], "r1": [Read()]},
        rules=SHIPPED,
        options=(*PREFERRING, LISTED_BY, EACH),
        properties=ASKED,
        groups=TWO_GROUPS,
        counters=(coverage.METADATA_COMPACTED,),
        yield_points=("create", "list", "read"),
    ),
    race(
        "metadata-compacting-crash",
        "A writer dies between any two of its files, those of a compaction of the metadata table as well: the next one "
        "carries that out, and a cleaner rolls back the write, with what there is of it in the metadata table.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Clean(3000)]},
        rules=SHIPPED,
        options=(*BEATING, LISTED_BY, EACH),
        properties=ASKED,
        but=HIT,
        faults=DIES,
        counters=(
            coverage.METADATA_COMPACTED,
            coverage.METADATA_COMPACTION_RESUMED,
            coverage.METADATA_BEFORE_PENDING,
            coverage.METADATA_TAKEN_BACK,
            coverage.ROLLED_BACK,
        ),
        yield_points=("create", "try_lock", "sleep"),
        groups=TWO_GROUPS,
    ),
)
