"""Mutants of clustering; see `tests.mutants.hudi`."""

from model.hudi import clustering
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.conflicts import ConflictStrategy, Lookup
from model.hudi.file_groups import CommitMetadata, Group
from model.hudi.names import CLUSTERING
from model.hudi.rules import NEWER_BASE_REFUSED, SHIPPED
from model.hudi.timeline import Instant, Timeline
from model.hudi.write import DataWriter, Written
from tests.mutants.mutant import Mutant

REWRITE, IS_CANDIDATE = DataWriter.rewrite, ConflictStrategy._is_pending_candidate


def beside(writer: DataWriter, plan: CommitMetadata, instant: int, start: Timeline) -> Written:
    """What is clustered stays visible."""
    return REWRITE(writer, plan, instant, start)._replace(replaced=())


def none_planned(timeline: ActiveTimeline, seen: Timeline) -> frozenset[Group]:
    """No file group is in a plan."""
    return frozenset()


def no_plans(strategy: ConflictStrategy, instant: Instant, own: int, lookup: Lookup) -> bool:
    """A plan conflicts with nobody."""
    return instant.action != CLUSTERING and IS_CANDIDATE(strategy, instant, own, lookup)


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
