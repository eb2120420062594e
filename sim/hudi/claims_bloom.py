"""What RFC-56 claims of its two Bloom strategies, which Hudi never shipped.

All are judged as the document says, and in both of the orders that it leaves open.
"""

from model.hudi import coverage
from model.hudi.variants import AS_DOCUMENT
from sim.hudi.build import BLOOM, DIRECT, ONE_GROUP, SERVER_WRITES, race
from sim.hudi.claims_server import named
from sim.search.claims import Claim

BLOOM_DIRECT = "RFC-56, BloomDirectMarkerBasedEarlyConflictDetectionStrategy"
BLOOM_ASYNC = "RFC-56, BloomAsyncTimelineMarkerEarlyConflictDetectionStrategy"
SAME_AS_SIMPLE = "Same as `SimpleDirectMarkerBasedEarlyConflictDetectionStrategy` which has no transaction"
SAME_AS_ASYNC = "Same as `AsyncTimelineMarkerEarlyConflictDetectionStrategy`"
PICKS_OUT = (
    "Conflict detection read these bloom files firstly to pick out potentially conflicting marker files as quick as "
    "possible"
)
POTENTIALLY = "potentially conflicting marker files"
MARKER_FIRST = "as the document says, a marker first and then its Bloom file"
BLOOM_FIRST = "as the document says, a Bloom file first and then its marker"
OR_MARKERS = "a Bloom file first, and a look at the markers where none can be read"
OF_BLOOM_FILES: tuple[Claim, ...] = (
    Claim(
        SAME_AS_SIMPLE,
        BLOOM_DIRECT,
        "early-conflicts-noticed",
        "as the document says: detection may be delayed",
        (
            race(
                "claim-bloom-delayed",
                "Bloom detection can miss a living writer.",
                ONE_GROUP,
                rules=AS_DOCUMENT,
                options=BLOOM,
                properties=("early-conflicts-noticed",),
                yield_points=SERVER_WRITES,
                broken="early-conflicts-noticed",
            ),
        ),
        predicts="violated",
    ),
    Claim(
        SAME_AS_SIMPLE,
        BLOOM_DIRECT,
        "",
        "as the document says: what is delayed is found at the commit, with the option that prefers writers",
        named("bloom-direct-safe"),
    ),
    Claim(
        PICKS_OUT,
        BLOOM_DIRECT,
        "made-markers-noticed",
        "without Bloom files, for comparison",
        (
            race(
                "claim-simple-notices",
                "Simple detection notices every marker that is there when it begins to look.",
                ONE_GROUP,
                rules=AS_DOCUMENT,
                properties=("made-markers-noticed",),
                options=DIRECT,
                counters=(coverage.EARLY_CONFLICT_BY_MARKER,),
                yield_points=SERVER_WRITES,
            ),
        ),
    ),
    Claim(
        PICKS_OUT,
        BLOOM_DIRECT,
        "made-markers-noticed",
        MARKER_FIRST,
        named("bloom-after-marker"),
        note="Between the two a marker is there that its Bloom file does not tell of: the simple strategy finds it.",
    ),
    Claim(PICKS_OUT, BLOOM_DIRECT, "made-markers-noticed", BLOOM_FIRST, named("bloom-first")),
    Claim(
        PICKS_OUT,
        BLOOM_DIRECT,
        "made-markers-noticed",
        f"{BLOOM_FIRST}, and a second one",
        named("bloom-rewritten"),
        note="A Bloom file that is written over cannot be read, and hides the marker that it told of.",
    ),
    Claim(PICKS_OUT, BLOOM_DIRECT, "made-markers-noticed", OR_MARKERS, named("bloom-rewritten-or-markers")),
    Claim(
        POTENTIALLY,
        BLOOM_DIRECT,
        "sound-early-aborts",
        "as the document says, with a filter that takes every name for a member",
        named("bloom-false-positive"),
        note="The markers decide: a filter that errs costs a listing, and refuses nobody.",
    ),
    Claim(SAME_AS_ASYNC, BLOOM_ASYNC, "", "as the document says", named("bloom-async-safe")),
    Claim(
        PICKS_OUT,
        BLOOM_ASYNC,
        "prompt-early-aborts",
        f"{MARKER_FIRST}, on a timeline server",
        named("bloom-async-after-marker"),
    ),
    Claim(
        PICKS_OUT,
        BLOOM_ASYNC,
        "prompt-early-aborts",
        f"{BLOOM_FIRST}, on a timeline server",
        named("bloom-async-first"),
    ),
)
