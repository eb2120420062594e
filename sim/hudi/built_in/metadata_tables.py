"""Hudi scenarios with a metadata table, which Hudi has by default: readers and writers list files by it.

It is told of a commit before the commit is completed, and of a clean when files and folders are gone. It merges what it
is told in the order of instants, whenever that came.
"""

from dataclasses import replace

from model.hudi import SHIPPED, coverage
from model.hudi.keys import METADATA, METADATA_COMPACT_AFTER
from model.hudi.variants import NAMED_FILES_CLEANED, ROLLBACK_AWARE
from sim.hudi.build import EVERYTHING, HIT, OLDER, ONE_GROUP, OPTIMISTIC, PAUSE_MS, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.built_in.archiving import OUTDATED, ROLLED_BACK
from sim.hudi.built_in.cleaning import CLEANING, FILLED, ONE_RETAINED
from sim.hudi.built_in.rollbacks import BEATING, ZOMBIE
from sim.hudi.listed import LISTING
from sim.hudi.statements import Clean, Upsert
from sim.world.scenario import FaultSpace, Scenario

LISTED_BY = (METADATA, "true")
EACH = (METADATA_COMPACT_AFTER, "1")
ASKED = (*EVERYTHING, *LISTING)
DIES = FaultSpace(
    {"create": ("crash-after",)}, limit=1, actors=("w1",),
    words="a writer that dies when it has made a file (what others leave is hudi/any-fault's)",
)  # fmt: skip
STANDS_STILL = FaultSpace(
    {"create": ("pause",)}, limit=1, actors=("w1",), pause_ms=PAUSE_MS,
    words="a writer that stands still for a while (it alone, so that the search ends)",
)  # fmt: skip
CLEANED: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean()], "w2": [Upsert(((2, "C"),))]}
PHYSICAL = dict.fromkeys(
    ("acknowledged-writes-survive", "table-invariants", "listed-files-exist", "readable", "snapshot-isolation"),
    "hudi/clean-partition breaks them, by a file that is gone",
)
TAKEN_FOR_DEAD = dict.fromkeys(
    ("acknowledged-writes-survive", "table-invariants", "snapshot-isolation"),
    "hudi/zombie and hudi/zombie-completed break them",
)
STANDS = "expected faults that a gate can inject, got a process that stands still for a while"


def _standing(scenario: Scenario) -> Scenario:
    """A scenario that no live gate can play: a live test has a second client roll back what is pending instead."""
    return replace(scenario, live=None, not_live=STANDS)


METADATA_TABLES = (
    race(
        "metadata",
        "Two writers of one file group, who list files by the metadata table: it says what files say.",
        ONE_GROUP,
        rules=SHIPPED,
        options=(*OPTIMISTIC, LISTED_BY),
        properties=ASKED,
        but=OLDER,
        counters=(coverage.METADATA_WRITTEN, coverage.CONFLICT_FOUND),
        yield_points=("list", "try_lock"),
    ),
    race(
        "metadata-crash",
        "A writer dies between any two of its files, those of the metadata table's delta commit as well: a cleaner "
        "rolls back the write, and what there is of it there.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),)), Clean(3000)]},
        rules=SHIPPED,
        options=(*BEATING, LISTED_BY),
        properties=ASKED,
        but=HIT,
        faults=DIES,
        counters=(coverage.METADATA_TAKEN_BACK, coverage.ROLLED_BACK),
        yield_points=("create", "try_lock", "sleep"),
        groups=TWO_GROUPS,
    ),
    race(
        "metadata-clean",
        "A client that cleans, and another one that writes: by the metadata table all is as by files.",
        CLEANED,
        rules=SHIPPED,
        options=(*OPTIMISTIC, ONE_RETAINED, LISTED_BY),
        properties=ASKED,
        counters=(coverage.METADATA_WRITTEN, coverage.CLEANED),
        yield_points=("create",),
        groups=TWO_GROUPS,
        partitions=("p1", "p2"),
    ),
    race(
        "metadata-partition",
        "A clean deletes the folder of a partition that was deleted before, and takes it out of the metadata table "
        "with all that writes of smaller instants add to it, be it later: rows that were inserted there are "
        "acknowledged, their file is there, and no reader is told of it.",
        FILLED,
        rules=SHIPPED,
        broken="committed-files-listed",
        but=PHYSICAL,
        pair="metadata-partition-files-only",
        **{**CLEANING, "options": (*OPTIMISTIC, ONE_RETAINED, LISTED_BY), "properties": ASKED},
    ),
    race(
        "metadata-partition-files-only",
        "The same where a clean deletes the files alone that it has planned to delete.",
        FILLED,
        rules=NAMED_FILES_CLEANED,
        counters=(coverage.CLEANED, coverage.COMMITTED, coverage.METADATA_WRITTEN),
        pair="metadata-partition",
        **{
            **CLEANING,
            "options": (*OPTIMISTIC, ONE_RETAINED, LISTED_BY),
            "properties": ASKED,
            "yield_points": ("try_lock",),
        },
    ),
    _standing(
        race(
            "metadata-refused",
            "A writer stands still, is taken for dead and rolled back. It goes on, and tells the metadata table of its "
            "file, which is gone, before it finds that its instant is; and nobody takes that back.",
            ZOMBIE,
            rules=SHIPPED,
            options=(*BEATING, LISTED_BY),
            properties=ASKED,
            but=TAKEN_FOR_DEAD | HIT,
            faults=STANDS_STILL,
            yield_points=WRITES,
            broken="listed-files-exist",
            pair="metadata-refused-aware",
        ),
    ),
    race(
        "metadata-refused-aware",
        "The same where the commit looks for a rollback of its own instant, and the rollback looks again, each locked.",
        ZOMBIE,
        rules=ROLLBACK_AWARE,
        options=(*BEATING, LISTED_BY),
        properties=ASKED,
        but=HIT,
        faults=STANDS_STILL,
        yield_points=("create", "write", "try_lock", "sleep"),
        counters=(coverage.OWN_ROLLBACK_FOUND, coverage.ROLLED_BACK),
        pair="metadata-refused",
    ),
    _standing(
        race(
            "metadata-archived",
            "The same, and then others commit and archive: everybody takes the file for committed that the metadata "
            "table lists and that is gone, and the table cannot be read.",
            ROLLED_BACK,
            rules=SHIPPED,
            broken="readable",
            but=TAKEN_FOR_DEAD | HIT | {"listed-files-exist": "hudi/metadata-refused breaks it"},
            pair="metadata-archived-aware",
            **{
                **OUTDATED,
                "options": (*OUTDATED["options"], LISTED_BY, EACH),
                "properties": ASKED,
                "faults": STANDS_STILL,
            },
        ),
    ),
)
