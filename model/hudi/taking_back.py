"""What takes back a commit that has completed, a restore and a rollback alike, has to know of it.

Source: `ListingBasedRollbackStrategy.getRollbackRequests`, `BaseRollbackPlanActionExecutor.getRollbackStrategy`,
`BaseRollbackActionExecutor.validateSavepointRollbacks` (1.2.0).
"""

from model.hudi.active_timeline import ActiveTimeline
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import CommitMetadata
from model.hudi.names import text
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline


def committed_paths(target: Instant, timeline: ActiveTimeline, storage: TableStorage) -> tuple[str, ...]:
    """The files that a commit names and that exist. Raises: StorageFailed."""
    metadata = timeline.read_completed(target)
    if not isinstance(metadata, CommitMetadata):
        raise StorageFailed(f"read {text(target.requested)}: expected what it wrote, its file is gone")
    return tuple([stat.path for stat in metadata.stats if storage.exists(stat.path)])


def is_saved(target: Instant, seen: Timeline) -> bool:
    """Whether there is a savepoint of a commit: then nobody takes it back."""
    return any(each.requested == target.requested for each in seen.savepoints)
