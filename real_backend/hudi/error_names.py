"""What a live client was told, in the model's names of errors: one refusal has one name on both sides.

Choices: what Hudi has no name for is that the storage failed it.
"""

import re

from real_backend.hudi.exceptions import EXISTS

MODEL_NAMES = {
    "HoodieWriteConflictException": "WriteConflict",
    "HoodieEarlyConflictDetectionException": "EarlyConflict",
    "HoodieLockException": "LockFailed",
    "HoodieClusteringUpdateException": "PlanPending",
    "HoodieDeletePartitionPendingTableServiceException": "PlanPending",
    "HoodieSavepointException": "SavepointRefused",
    "HoodieLogCompactException": "LogCompactionRefused",
    "HoodieTimeTravelException": "TimeTravelRefused",
    "HoodieSchemaEvolutionConflictException": "SchemaConflict",
}
DEFINITE = (
    "InstantGone",
    "InstantExists",
    "RestorePending",
    "PlanPending",
    "NothingPlanned",
    "LogCompactionRefused",
    "ClusteringRefused",
    "WriteConflict",
    "SchemaConflict",
    "SchemaRefused",
    "EarlyConflict",
    "LockFailed",
    "HeartbeatExpired",
)
_HEARTBEAT = "HoodieException: Heartbeat for instant"
_SAVEPOINT = "IllegalArgumentException: Could not savepoint commit"
_UNKNOWN_PLAN = 'NullPointerException: Cannot invoke "org.apache.hudi.avro.model.HoodieActionInstant.getTimestamp()"'
_RESTORE_PENDING = "IllegalArgumentException: Found pending restore"
_SAVED = "HoodieRollbackException: Could not rollback a savepointed commit"
_RESTORE_UNLIKE = "is not the last commit after restoring to savepoint"
_BEGUN = "HoodieException: Execution is aborted since it found an Inflight logcompaction"
_STUCK = "IllegalArgumentException: invalid action name logcompaction"
_UNPLANNED = "HoodieRollbackException: Generating rollback requests failed"
_HOLLOW = "HoodieException: Found hollow commit"
_CLEANED = "IllegalArgumentException: Cleaner cleaned up the timestamp of interest"
_MISSING = "MissingSchemaFieldException: Schema validation failed"
_UNLISTED = ("HoodieMetadataException: Can't restore to", "HoodieException: Unable to find completion time")
_GONE = re.compile(r"IllegalArgumentException: File \S+ does not exist!")
"""The file of the state before: it is looked for before that of the next one is made."""
_EMPTY_CLEAN = "IllegalArgumentException: For empty cleans"
_NOT_INFLIGHT = "NoSuchElementException: No value present in Option"
"""Of whoever carries out clustering, its instant is not pending any more, or not inflight."""
_UNCOMPACTED = "HoodieException: Requested compaction instant"
_UNCLUSTERED = "UnsupportedOperationException: Executor SparkExecuteClustering"

BY_WORDS = {
    _HEARTBEAT: "HeartbeatExpired",
    _SAVEPOINT: "SavepointRefused",
    _UNKNOWN_PLAN: "SavepointRefused",
    _NOT_INFLIGHT: "InstantGone",
    _UNCOMPACTED: "InstantGone",
    EXISTS: "InstantExists",
    _EMPTY_CLEAN: "CleanUnended",
    _UNCLUSTERED: "ClusteringRefused",
    _RESTORE_PENDING: "RestorePending",
    _BEGUN: "LogCompactionRefused",
    _UNPLANNED: "RollbackUnplanned",
    _HOLLOW: "HollowCommit",
    _CLEANED: "TimeTravelRefused",
    _MISSING: "SchemaRefused",
}
"""What begins with these words has this name."""


def error_of(outcome: str) -> str:
    """A live outcome with the model's name of the error, if it has one: "WriteConflict: ..."."""
    name, _, message = outcome.partition(":")
    begins = next((told for words, told in BY_WORDS.items() if outcome.startswith(words)), None)
    if begins is not None:
        name = begins
    elif _GONE.match(outcome):
        name = "InstantGone"
    elif _RESTORE_UNLIKE in outcome or outcome.startswith((_SAVED, _STUCK, *_UNLISTED)):
        name = "RestoreFailed"
    elif name.startswith("Hoodie"):
        name = MODEL_NAMES.get(name, "StorageFailed")
    return f"{name}:{message}"
