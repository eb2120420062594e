"""Mutants of clustering; see `tests.mutants.hudi`."""

from collections.abc import Iterable

from model.hudi import clustering, compaction, write
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.conflicts import ConflictStrategy, Lookup
from model.hudi.file_groups import CommitMetadata, Group, WriteStat
from model.hudi.names import CLUSTERING, COMPACTION
from model.hudi.plans import groups_in_plans
from model.hudi.rollback import Cleaner, _Planned
from model.hudi.rules import SHIPPED
from model.hudi.slices import FileSlice, slices_named
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import NEWER_BASE_REFUSED
from model.hudi.write import DataWriter
from model.hudi.written import Written
from tests.mutants.mutant import Mutant

REWRITE, IS_CANDIDATE, EXECUTE = DataWriter.rewrite, ConflictStrategy._is_pending_candidate, Cleaner._execute


def beside(writer: DataWriter, plan: CommitMetadata, instant: int, start: Timeline) -> Written:
    """What is clustered stays visible."""
    return REWRITE(writer, plan, instant, start)._replace(replaced=())


def none_planned(timeline: ActiveTimeline, seen: Timeline, *actions: str) -> frozenset[Group]:
    """No file group is in a plan."""
    return frozenset()


def clusterings(timeline: ActiveTimeline, seen: Timeline, *actions: str) -> frozenset[Group]:
    """Of the services that plan, clustering alone is looked at."""
    return groups_in_plans(timeline, seen, CLUSTERING)


def compactions(timeline: ActiveTimeline, seen: Timeline, *actions: str) -> frozenset[Group]:
    """Of the services that plan, compaction alone is looked at."""
    return groups_in_plans(timeline, seen, COMPACTION)


def bases_named(stats: Iterable[WriteStat]) -> tuple[FileSlice, ...]:
    """The slices of a plan, without their log files."""
    return tuple([each._replace(logs=()) for each in slices_named(stats)])


def no_plans(strategy: ConflictStrategy, instant: Instant, own: int, lookup: Lookup) -> bool:
    """A plan conflicts with nobody."""
    return instant.action != CLUSTERING and IS_CANDIDATE(strategy, instant, own, lookup)


def as_it_is(cleaner: Cleaner, planned: _Planned, begun: Instant | None = None) -> None:
    """Files of clustering that is taken back stay."""
    left = planned.plan._replace(paths=()) if planned.plan.action == CLUSTERING else planned.plan
    EXECUTE(cleaner, planned._replace(plan=left), begun)


EXECUTORS_MUTANTS: tuple[Mutant, ...] = (
    Mutant("takes-clustering-as-it-is", "what another executor has written counts as well", (
        (Cleaner, "_execute", as_it_is),
    ), SHIPPED),
)  # fmt: skip
CLUSTERING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("clusters-beside", "each row is there twice", ((DataWriter, "rewrite", beside),), SHIPPED),
    Mutant("plans-what-is-planned", "two that cluster write a row each", (
        (clustering, "groups_in_plans", none_planned),
    ), NEWER_BASE_REFUSED),
    Mutant("clustering-looks-at-nobody", "shipped, by default: it is writers that are refused", (
        (ConflictStrategy, "services_look", False),
    ), SHIPPED),
    Mutant("plan-is-no-candidate", "an update that is allowed beside a plan is lost with it", (
        (ConflictStrategy, "_is_pending_candidate", no_plans),
    ), NEWER_BASE_REFUSED),
)  # fmt: skip
CLUSTERING_LOGS_MUTANTS: tuple[Mutant, ...] = (
    Mutant("clusters-without-logs", "what log files say is lost", ((write, "slices_named", bases_named),), SHIPPED),
    Mutant("clusters-what-is-compacted", "a compaction writes what is hidden by then", (
        (clustering, "groups_in_plans", clusterings),
    ), SHIPPED),
    Mutant("compacts-what-is-clustered", "the same, planned in the other order", (
        (compaction, "groups_in_plans", compactions),
    ), SHIPPED),
)  # fmt: skip
