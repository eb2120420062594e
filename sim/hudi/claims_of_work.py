"""What RFC-56 claims of the work that early detection saves and costs, and of its settings.

Each is answered by the runs of a race of two writers of one file group, or by our settings beside the document's.
"""

from __future__ import annotations

from typing import Any

from checkers.histories.history import FAIL
from model.hudi.config import HudiConfig
from model.hudi.keys import SERVER_MARKERS
from model.hudi.options import DOCUMENT, KEYS
from model.hudi.rules import SHIPPED
from sim.hudi.build import (
    ASYNC,
    DIRECT,
    ONE_GROUP,
    OPTIMISTIC,
    SERVER_WRITES,
    TRANSACTIONAL,
    TWO_GROUPS,
    race,
)
from sim.hudi.built_in.partitions import ACROSS, LEVELS
from sim.hudi.claims_server import ASYNCHRONOUS
from sim.hudi.workload import Options
from sim.kernel.schedule import steps_of
from sim.search.claim_answers import Answer, each_run, some_run
from sim.search.claims import Claim, Evidence
from sim.search.run import Run, Runner
from sim.world.scenario import Scenario
from sim.world.words import counted

ABSTRACT, BACKGROUND, CONFIGURATION = "RFC-56, Abstract", "RFC-56, Background", "RFC-56, Configuration"
DIRECT_SIMPLE = "RFC-56, SimpleDirectMarkerBasedEarlyConflictDetectionStrategy"
DIRECT_TRANSACTIONS = "RFC-56, SimpleTransactionDirectMarkerBasedEarlyConflictDetectionStrategy"
AS_SHIPPED, OFF = "as shipped (1.2.0)", "as shipped (1.2.0), detection off"
SIMPLE, TRANSACTIONS = "as shipped (1.2.0), simple strategy", "as shipped (1.2.0), transactional strategy"
WASTED = "job2 has to be aborted and re-run after failure ... a lot of computing resources and time are wasted"
ON_THE_SERVER = "as shipped (1.2.0), markers of the timeline server"
EARLIER = "Hoodie can stop writing earlier because of early conflict detection"
FASTER = "The advantages are that the checking speed is faster"
APART = "multiple writers do not affect each other"
EXTRA = "all these direct based early conflict detection strategy need extra FS calls"
SUFFICIENT = (
    "Listing marker files under ... instantTime/2022/07/01 and checking if fileID existed or not are sufficient"
)
CONSISTENT = "logic based on the instant time is consistent with the existing pre-commit conflict detection"
TEMP = ".hoodie/.temp/"
PREFIX = "hoodie.write.lock.early.conflict"
DEFAULTS: dict[str, Any] = {
    f"{PREFIX}.detection.enable": False,
    f"{PREFIX}.async.checker.batch.interval": 30_000,
    f"{PREFIX}.async.checker.period": 30_000,
    f"{PREFIX}.detection.strategy": "AsyncTimelineMarkerEarlyConflictDetectionStrategy",
    f"{PREFIX}.check.commit": False,
}
"""The document's settings, with its defaults."""


def _raced(name: str, summary: str, options: Options) -> Scenario:
    return race(
        f"claim-{name}", summary, ONE_GROUP, rules=SHIPPED, options=options, properties=("somebody-finishes",),
        yield_points=SERVER_WRITES,
    )  # fmt: skip


LATE = _raced("late", "Two writers of one file group, nothing but the check before the commit.", OPTIMISTIC)
EARLY = _raced("early", "The same with the simple strategy.", DIRECT)
LOCKING = _raced("locking", "The same with the transactional strategy.", TRANSACTIONAL)
IN_PARTITIONS = race(
    "claim-partitions", "Two writers of two partitions, the name of one of which begins with the other's.", ACROSS,
    rules=SHIPPED, options=DIRECT, properties=("somebody-finishes",), partitions=LEVELS, groups=TWO_GROUPS,
    yield_points=("create", "try_lock"),
)  # fmt: skip
ON_SERVER = _raced("on-server", "The same with markers of the timeline server.", ASYNC)


def _data_files(run: Run, actor: str) -> int:
    return len([row for row in run.trace if row[1] == actor and row[2] == "create" and row[3].endswith(".parquet")])


def refused_before_it_writes(run: Run) -> str:
    """Whether a writer is refused that has written no data file."""
    refused = [event for event in run.events if event.type == FAIL and not _data_files(run, event.process)]
    return f"{refused[0].process} is refused before it has written: {refused[0].error}" if refused else ""


def refused_after_it_has_written(run: Run) -> str:
    """Whether a writer is refused that has written data files."""
    refused = [event for event in run.events if event.type == FAIL and _data_files(run, event.process)]
    return f"{refused[0].process} is refused after it has written: {refused[0].error}" if refused else ""


def _instants(run: Run) -> dict[str, str]:
    """The instant of each writer's only try."""
    requested = [row for row in run.trace if row[2] == "create" and row[3].endswith(".requested")]
    return {row[1]: row[3].rpartition("/")[2].partition(".")[0] for row in requested}


def refused_for_a_larger_instant(run: Run) -> str:
    """Whether the check before a commit refuses a writer for somebody whose instant is larger."""
    instants = _instants(run)
    for event in run.events:
        if event.type == FAIL and (event.error or "").startswith("WriteConflict"):
            own, *others = sorted(instants, key=lambda actor: actor != event.process)
            if all(instants[other] > instants[own] for other in others):
                return f"{own}, instant {instants[own]}, is refused: {event.error}"
    return ""


def group_in_two_places(run: Run) -> str:
    """Whether files or markers of one file group are in two partitions, so that listing one's folder is too little."""
    places: dict[str, str] = {}
    for row in run.trace:
        if row[2] == "create" and ".parquet" in row[3]:
            partition, _, name = row[3].removeprefix(TEMP).rpartition("/")
            place = partition.partition("/")[2] if row[3].startswith(TEMP) else partition
            if places.setdefault(name.partition("_")[0], place) != place:
                return f"{row[3]}: its file group is in {places[name.partition('_')[0]]} as well"
    return ""


def takes_a_group_lock(run: Run) -> str:
    """Whether a writer asks for the lock of a file group, for which another one has to wait."""
    taken = [row for row in run.trace if row[2] == "try_lock" and "/" in row[3]]
    return f"{taken[0][1]} takes the lock of {taken[0][3]}" if taken else ""


def _calls(scenario: Scenario) -> int:
    """How many calls two writers make, one after the other, of storage and of locks."""
    run = Runner(scenario).play(steps_of("w1:end w2:end"))
    return len([row for row in run.trace if row[2] != "sleep"])


def costs_more(one: Scenario, other: Scenario) -> Answer:
    """Whether two writers, one after the other, make more calls in one race than in the other."""

    def evidence() -> Evidence:
        more, fewer = _calls(one), _calls(other)
        return Evidence(
            more > fewer, f"{one.bounds}; one after the other", f"{counted(more, 'call')}, {fewer:,} without"
        )

    return evidence


def default_is(key: str) -> Answer:
    """Whether Hudi's default of a setting is the document's."""

    def evidence() -> Evidence:
        field = KEYS[key]
        ours = HudiConfig(marker_type=SERVER_MARKERS)
        shipped = ours.detection if field == "early_strategy" else getattr(ours, field)
        said = DOCUMENT.get(DEFAULTS[key], "") if isinstance(DEFAULTS[key], str) else DEFAULTS[key]
        return Evidence(
            shipped == said, "our settings, read as Hudi 1.2.0 does", "" if shipped == said else f"{shipped}"
        )

    return evidence


OF_WORK: tuple[Claim, ...] = (
    Claim(WASTED, BACKGROUND, "", OFF, evidence=some_run(LATE, refused_after_it_has_written)),
    Claim(EARLIER, ABSTRACT, "", OFF, evidence=some_run(LATE, refused_before_it_writes)),
    Claim(EARLIER, ABSTRACT, "", SIMPLE, evidence=some_run(EARLY, refused_before_it_writes)),
    Claim(EARLIER, ABSTRACT, "", TRANSACTIONS, evidence=some_run(LOCKING, refused_before_it_writes)),
    Claim(EARLIER, ABSTRACT, "", ON_THE_SERVER, evidence=some_run(ON_SERVER, refused_before_it_writes)),
    Claim(FASTER, DIRECT_SIMPLE, "", "as shipped (1.2.0), in calls of storage and of locks",
          evidence=costs_more(LOCKING, EARLY)),
    Claim(APART, DIRECT_SIMPLE, "", SIMPLE, evidence=each_run(EARLY, takes_a_group_lock)),
    Claim(APART, DIRECT_SIMPLE, "", TRANSACTIONS, evidence=each_run(LOCKING, takes_a_group_lock), predicts="violated"),
    Claim(EXTRA, DIRECT_SIMPLE, "", SIMPLE, evidence=costs_more(EARLY, LATE)),
    Claim(EXTRA, DIRECT_SIMPLE, "", TRANSACTIONS, evidence=costs_more(LOCKING, LATE)),
    Claim(SUFFICIENT, DIRECT_TRANSACTIONS, "", AS_SHIPPED, evidence=each_run(IN_PARTITIONS, group_in_two_places)),
    Claim(CONSISTENT, ASYNCHRONOUS, "", "as shipped (1.2.0), the check before the commit",
          evidence=each_run(ON_SERVER, refused_for_a_larger_instant),
          note="Markers of larger instants are passed over; the check before the commit goes by who has committed."),
    *(Claim(f"`{key}` default {str(said).lower() if isinstance(said, bool) else said}", CONFIGURATION, "", AS_SHIPPED,
            evidence=default_is(key)) for key, said in DEFAULTS.items()),
)  # fmt: skip
