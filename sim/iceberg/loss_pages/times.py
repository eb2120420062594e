"""The losses of Iceberg 1.11.0 that have to do with ages and clocks, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
SEARCHED_ON = "2026-11-25"

TIMED_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An expiry takes snapshots that a branch says it keeps",
        named(DEFECTS, "iceberg/retain-expire"),
        "Any catalog. An expiry (`expireSnapshots`, Spark's `expire_snapshots`) that has chosen what goes, and "
        "`setMinSnapshotsToKeep` or `setMaxSnapshotAgeMs` of a branch (Spark: `WITH SNAPSHOT RETENTION`) that is "
        "committed before the expiry is. Over REST the expiry need not even be "
        "tried again: nothing is required of refs.",
        "Rare: who keeps more from now on says so seldom. No fault, no error; both are told that they succeeded, and "
        "the snapshots' files are deleted.",
        "Say what a branch keeps while no expiry runs, and look at `snapshots` before relying on it. Nothing mends it.",
        (f"{FOUND}[iceberg/retain-expire]",),
        Upstream(
            "",
            (("apache/iceberg#4578", "how the expiry came to choose by what each branch keeps (merged)"),),
            (
                "RemoveSnapshots retry idsToRemove accumulates concurrent commit branch retention "
                "setMinSnapshotsToKeep expired snapshot",
            ),
            SEARCHED_ON,
        ),
        "`RemoveSnapshots.internalApply` loads the table anew each time and computes what is kept, but adds what goes "
        "to a set that it never empties: so what the first attempt has chosen goes with the second. With a set of "
        "its own for each attempt (`iceberg/retain-expire-anew`) nothing is lost, if a catalog compares all metadata.",
    ),
    Loss(
        "An append over REST takes back what a branch says it keeps",
        named(DEFECTS, "iceberg/rest-retain-append"),
        "A REST catalog whose server checks the requirements that clients send, and no more, as Iceberg's own "
        "`CatalogHandlers` do; `setMinSnapshotsToKeep`, `setMaxSnapshotAgeMs` or `setMaxRefAgeMs` of a branch while "
        "somebody commits to it who had loaded the table before.",
        "Likely where a branch is written to all the time: any commit that was begun before and ends after it. No "
        "fault, no error; both are told that they succeeded, and the next expiry goes by its own defaults.",
        "Set it again, and look whether it is there (`refs`), when no commit is under way. A catalog that compares the "
        "whole table keeps it (`iceberg/retain-append`).",
        (f"{FOUND}[iceberg/rest-retain-append]",),
        Upstream(
            "",
            (
                ("apache/iceberg-go#1600", "the same loss without any race, in Go: mended since (closed)"),
                ("apache/iceberg-python#3770", "the same in PyIceberg, which sends no retention at all (closed)"),
                ("apache/iceberg#3612", "a review that fears two policies of one branch overwrite each other (closed)"),
            ),
            (
                "REST set-snapshot-ref overwrites retention max-ref-age-ms min-snapshots-to-keep lost by concurrent "
                "append; UpdateRequirements assert-ref-snapshot-id does not check retention",
            ),
            SEARCHED_ON,
        ),
        "An update `set-snapshot-ref` has the whole ref, ages and all, as its client had loaded it; what is required "
        "is that the ref is at the same snapshot, which a change of its ages does not move.",
    ),
    Loss(
        "A writer whose clock is ahead stops all others",
        named(DEFECTS, "iceberg/clock-ahead-append"),
        "A catalog whose clients write the metadata themselves (Hive, JDBC, Glue, Hadoop), and a writer whose clock is "
        "more than a minute ahead; over REST, a server whose clock is.",
        "Rare, with clocks that are kept right; it has been met in production. Nothing is lost that was committed, but "
        "no change is taken until everybody else's clock has come to that time: no append, no expiry, no property. "
        "Each try of an append leaves its manifest and its list of manifests.",
        "Wait; or have a writer whose clock is as far ahead commit what cannot wait. The metadata file before it can "
        "be registered again, at the cost of what was committed since.",
        (f"{FOUND}[iceberg/clock-ahead-append]",),
        Upstream(
            "apache/iceberg#17285",
            (
                ("apache/iceberg#1109", "commits refused for any difference of clocks; a minute since (closed)"),
                ("apache/iceberg#14504", "the time of metadata is no longer that of its snapshot (merged)"),
            ),
            ("Invalid update timestamp before last snapshot log entry clock skew commit fails",),
            SEARCHED_ON,
        ),
        "`IllegalArgumentException` is none of the errors after which a commit cleans up what it has written.",
    ),
)
