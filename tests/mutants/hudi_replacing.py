"""Mutants of overwrites and deletions of partitions; see `tests.mutants.hudi`."""

from model.hudi import precommit
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.conflicts import Lookup, Operation
from model.hudi.file_groups import CommitMetadata, Group
from model.hudi.names import COMMIT
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED, Rules
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import REPLACED_COMPARED
from tests.mutants.mutant import Mutant


def none_hidden(timeline: ActiveTimeline, seen: Timeline, partition: str) -> frozenset[str]:
    """No file group is hidden."""
    return frozenset()


def own_files_only(metadata: CommitMetadata, rules: Rules) -> frozenset[Group]:
    """What a commit has written, and not what it takes out."""
    return frozenset([stat.group for stat in metadata.stats])


def others_files_only(instant: Instant, lookup: Lookup) -> Operation:
    """What another has written, and not what it took out."""
    metadata = lookup(instant)
    groups = frozenset([stat.group for stat in metadata.stats]) if metadata else frozenset()
    return Operation(instant.requested, instant.action, metadata.operation if metadata else "unknown", groups)


def strangers(this: Operation, other: Operation) -> list[Group]:
    """Two overwrites never meet."""
    return []


def commits_only(cleaner: Cleaner, timeline: Timeline) -> tuple[list[int], Timeline]:
    """Failed writes but for overwrites and deletions."""
    beats = cleaner._client.heartbeats
    failed = [i.requested for i in timeline.pending if i.action == COMMIT and beats.is_expired(i.requested)]
    return failed, timeline


REPLACING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("hides-nothing", "what is overwritten is read again", ((ActiveTimeline, "replaced", none_hidden),), SHIPPED),
    Mutant(
        "overwrite-compares-its-files-only", "shipped, of deletions: an update of what it takes out is lost",
        ((precommit, "own_groups", own_files_only),), REPLACED_COMPARED,
    ),
    Mutant(
        "overwrites-others-files-only", "an upsert writes into a file group that is hidden by then",
        ((precommit, "operation_of", others_files_only),), SHIPPED,
    ),
    Mutant(
        "overwrites-by-file-group", "shipped: two overwrites of an empty partition have nothing in common",
        ((precommit, "overwritten_by_both", strangers),), REPLACED_COMPARED,
    ),
    Mutant(
        "overwrites-never-rolled-back", "a rollback looks at commits only",
        ((Cleaner, "_failed", commits_only),), SHIPPED,
    ),
)  # fmt: skip
