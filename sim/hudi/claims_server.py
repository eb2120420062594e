"""What RFC-56 claims of its default strategy: markers of the timeline server, checked once a period."""

from model.hudi import coverage
from model.hudi.variants import ALL_INSTANTS, FIXED
from sim.hudi.build import ASYNC, Writers, race
from sim.hudi.built_in.server_markers import LONG_MS
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Upsert
from sim.search.claims import Claim
from sim.world.scenario import Scenario

_BY_NAME = {scenario.name: scenario for scenario in HUDI}
ASYNCHRONOUS = "RFC-56, AsyncTimelineMarkerEarlyConflictDetectionStrategy"
TOGETHER = (
    "only looks at the instants smaller than the current writer ... to avoid two writers discovering conflicts with "
    "each other at the same time and failing together"
)
MADE_UP_FOR = (
    "we return empty result of markers when catching any exception during reading specific MARKER and let the "
    "subsequent checker to make up for it"
)
UNTIL_THE_NEXT_ROUND = (
    "Both writers may still write the data files of the same file slice, until the conflict is detected in the next "
    "round of checking"
)
NO_IMPACT = "There is a feature flag ... and have no impact on existing users"
NECESSARY = "it is necessary to add the steps of checking commit conflict during the detection"
SHIPPED_FINDS_NONE = "as shipped (1.2.0), with check commit conflict and markers of the timeline server"
TWO_SLOW_TRIES: Writers = {
    "w1": [Upsert(((1, "A"),), attempts=2, work_ms=LONG_MS)],
    "w2": [Upsert(((1, "B"),), attempts=2, work_ms=LONG_MS)],
}
STEPS = ("try_lock", "overwrite", "close", "sleep")


def named(name: str) -> tuple[Scenario, ...]:
    """A built-in scenario."""
    return (_BY_NAME[f"hudi/{name}"],)


OF_SERVER_MARKERS: tuple[Claim, ...] = (
    Claim(
        TOGETHER,
        ASYNCHRONOUS,
        "somebody-finishes",
        "smaller instants only",
        (
            race(
                "claim-not-together",
                "Two writers whose tasks run twice, with a pass in between that finds the other's markers.",
                TWO_SLOW_TRIES,
                rules=FIXED,
                options=ASYNC,
                properties=("somebody-finishes",),
                counters=(coverage.EARLY_CONFLICT_BY_MARKER,),
                yield_points=STEPS,
            ),
        ),
    ),
    Claim(
        TOGETHER,
        ASYNCHRONOUS,
        "somebody-finishes",
        "looking at all instants",
        (
            race(
                "claim-together",
                "The same, looking at larger instants as well.",
                TWO_SLOW_TRIES,
                rules=ALL_INSTANTS,
                options=ASYNC,
                properties=("somebody-finishes",),
                yield_points=STEPS,
                broken="somebody-finishes",
            ),
        ),
        predicts="violated",
        note="The danger that the rule is there for is real.",
    ),
    Claim(
        MADE_UP_FOR,
        ASYNCHRONOUS,
        "prompt-early-aborts",
        "as the document says",
        named("async-prompt"),
    ),
    Claim(
        MADE_UP_FOR,
        ASYNCHRONOUS,
        "prompt-early-aborts",
        "as shipped (1.2.0)",
        named("async-unreadable"),
        note="F-9: the exception leaves the checker's `run`, and the schedule is over: no subsequent checker comes.",
    ),
    Claim(
        UNTIL_THE_NEXT_ROUND,
        "RFC-56, Abstract",
        "no-late-refusals",
        "as shipped (1.2.0)",
        named("async-late"),
        predicts="violated",
    ),
    Claim(
        NECESSARY,
        "RFC-56, Check Commit Conflict",
        "prompt-early-aborts",
        SHIPPED_FINDS_NONE,
        named("async-check-commit"),
        note="F-5: `partition/file id` is compared with file ids, so it never finds a commit of a partitioned table.",
    ),
    Claim(
        NECESSARY,
        "RFC-56, Check Commit Conflict",
        "prompt-early-aborts",
        "as the document says, with markers of the timeline server",
        named("async-check-commit-document"),
    ),
    Claim(
        NO_IMPACT,
        "RFC-56, Rollout/Adoption Plan",
        "",
        "as shipped (1.2.0), detection off, markers of the timeline server",
        named("server-markers"),
    ),
)
