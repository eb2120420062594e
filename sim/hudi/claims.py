"""What RFC-56 and Hudi's documentation claim of multi-writer and early conflict detection, as far as it is built here.

Judged by `sim.search.claims`; the live tests named here play the same schedules on Hudi 1.2.0.
"""

from model.hudi.rules import SHIPPED
from sim.hudi.build import DIRECT, ONE_GROUP, race
from sim.hudi.claims_bloom import OF_BLOOM_FILES
from sim.hudi.claims_of_work import ABSTRACT, DIRECT_SIMPLE, DIRECT_TRANSACTIONS, OF_WORK
from sim.hudi.claims_server import OF_SERVER_MARKERS, named
from sim.search.claims import Claim

RFC = "RFC-56"
ONLY_ONE = (
    "for the same partitionPath/fileId, only one writer can check and create the corresponding marker file "
    "at the same time"
)
NOT_MISSED = "to make sure no conflict is missed in race conditions"
MISSES = "Other writers miss the conflict detection if solely based on the markers"
SAME_KEYS = (
    "OCC for multiple writers cannot detect the conflict if two concurrent writers perform INSERT operations for the "
    "same set of record keys"
)
DETECTED = "two concurrent writers updating the same file group are detected as a conflict"
ISOLATED = "snapshot isolation between writers, table services and readers"
FILE_LOCK_WORKS = "This only works for DFS with atomic create/delete operation"
FIGURE_4_LIVE = "tests/live/hudi/test_found.py::test_check_commit_finds_figure_4_early"
ALIVE = "Heartbeat mechanism that can track all active writers to a Hudi table"


def _live(name: str) -> str:
    """The live test that plays this scenario's schedule."""
    return f"tests/live/hudi/test_found.py::test_found_schedule_does_the_same_to_the_real_hudi[{name}]"


_OF_DIRECT_MARKERS: tuple[Claim, ...] = (
    Claim(
        ONLY_ONE,
        DIRECT_TRANSACTIONS,
        "marker-checks-exclusive",
        "as the document says: lock, check, create, unlock",
        named("early-transactional-document"),
    ),
    Claim(
        ONLY_ONE,
        DIRECT_TRANSACTIONS,
        "marker-checks-exclusive",
        "as shipped (1.2.0): lock, check, unlock, create",
        named("early-transactional-shipped"),
        live=_live("early-transactional-shipped"),
        note="F-4: the lock is released before the caller makes the marker.",
    ),
    Claim(
        NOT_MISSED,
        DIRECT_TRANSACTIONS,
        "early-conflicts-noticed",
        "as the document says, smaller instants only",
        named("early-larger-instant"),
        note="A writer with a smaller instant that comes second does not look at the larger one (F-15).",
    ),
    Claim(
        NOT_MISSED,
        DIRECT_TRANSACTIONS,
        "early-conflicts-noticed",
        "as the document says, but looking at all instants",
        named("early-all-instants"),
    ),
    Claim(
        "The downside is that the conflict detection may be delayed till pre-commit stage",
        DIRECT_SIMPLE,
        "early-conflicts-noticed",
        "as shipped (1.2.0)",
        (
            race(
                "claim-delayed",
                "Simple detection can miss a living writer.",
                ONE_GROUP,
                rules=SHIPPED,
                options=DIRECT,
                properties=("early-conflicts-noticed",),
                broken="early-conflicts-noticed",
            ),
        ),
        predicts="violated",
    ),
    Claim(
        "This leads to waste of resources, but don't compromise the correctness of the data",
        DIRECT_SIMPLE,
        "",
        "as shipped (1.2.0), with the option that prefers writers",
        named("early-direct-safe"),
        live=_live("early-direct-race"),
        note="Detection changes nothing about correctness: under the default strategy an older instant is lost with it "
        "as without it.",
    ),
    Claim(
        MISSES,
        f"{RFC}, Check Commit Conflict, figure 4",
        "visible-conflicts-found-early",
        "as shipped (1.2.0), without check commit conflict",
        named("figure-4"),
        live=_live("figure-4"),
        predicts="violated",
    ),
    Claim(
        "it is necessary to add the steps of checking commit conflict during the detection",
        f"{RFC}, Check Commit Conflict",
        "visible-conflicts-found-early",
        "as shipped (1.2.0), with check commit conflict",
        named("figure-4-check-commit"),
        live=FIGURE_4_LIVE,
    ),
    Claim(
        SAME_KEYS,
        ABSTRACT,
        "no-lost-update",
        "two upserts of a new key, as shipped (1.2.0)",
        named("same-new-key"),
        live=_live("same-new-key"),
        predicts="violated",
        note="Out of the document's scope, and contrary to the documentation's \"UPSERT never duplicates\" (G-1).",
    ),
    Claim(
        ALIVE,
        ABSTRACT,
        "sound-early-aborts",
        "as shipped (1.2.0)",
        named("dead-marker-retry"),
        live=_live("dead-marker-retry"),
        note="F-12: the markers of a writer that has given up count until its heartbeat expires.",
    ),
    Claim(
        ALIVE,
        ABSTRACT,
        "sound-early-aborts",
        "a loser deletes its heartbeat file",
        named("dead-marker-retry-fixed"),
    ),
    Claim(
        DETECTED,
        ABSTRACT,
        "",
        "as shipped (1.2.0), default conflict strategy",
        named("older-instant"),
        live=_live("older-instant"),
        note="A writer whose instant is older than the slice that it merges commits, and is not seen.",
    ),
    Claim(
        DETECTED,
        ABSTRACT,
        "",
        "as shipped (1.2.0), with the option that prefers writers",
        named("prefer-writer"),
        live="tests/live/hudi/test_found.py::test_the_strategy_that_prefers_writers_refuses_the_older_instant",
    ),
    Claim(
        DETECTED,
        ABSTRACT,
        "",
        "a slice that is not older than the instant is refused",
        named("older-instant-refused"),
    ),
    Claim(
        ISOLATED,
        "Hudi documentation, concurrency control",
        "acknowledged-writes-survive",
        "as shipped (1.2.0), with a cleaner and one heartbeat write that fails",
        named("zombie"),
        live=_live("zombie"),
        note="G-6: the failure ends the heartbeat's timer; the writer waits for the lock past its expiry, and rollback "
        "deletes the files of its acknowledged commit.",
    ),
    Claim(
        ISOLATED,
        "Hudi documentation, concurrency control",
        "acknowledged-writes-survive",
        "the same with the option that prefers writers",
        named("zombie-prefer-writer"),
        live=_live("zombie-prefer-writer"),
    ),
    Claim(
        ISOLATED,
        "Hudi documentation, concurrency control",
        "",
        "commit and rollback look for each other under the lock",
        named("zombie-fixed"),
    ),
    Claim(
        FILE_LOCK_WORKS,
        "Hudi, FileSystemBasedLockProvider",
        "no-lost-update",
        "as shipped (1.2.0)",
        named("file-lock-failed-client"),
        live=_live("file-lock-failed-client"),
        note="F-1: closing a client that failed to take the lock deletes the holder's.",
    ),
    Claim(
        FILE_LOCK_WORKS,
        "Hudi, FileSystemBasedLockProvider",
        "",
        "a client deletes only a lock that it holds",
        named("file-lock-owned"),
    ),
)
CLAIMS: tuple[Claim, ...] = (*_OF_DIRECT_MARKERS, *OF_SERVER_MARKERS, *OF_BLOOM_FILES, *OF_WORK)
