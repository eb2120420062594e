"""Mutants of Hudi that vectors kill: where they show, known findings break the same properties; see
`tests.mutants.hudi`."""

from model.hudi import metadata_table
from model.hudi.locks import FileSystemLockProvider
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import LOCK
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import FIXED
from tests.mutants.mutant import Mutant


def left_completed(cleaner: Cleaner, target: Instant) -> None:
    """What has completed stays so, without its files."""


def deleted(provider: FileSystemLockProvider) -> bool:
    """Whoever gives the lock back deletes its file, and leaves nothing with its name."""
    return bool(provider._files.delete(LOCK))


def none_known(instant: int, own: Timeline) -> list[Instant]:
    """Of an instant that is carried out nobody has made a delta commit."""
    return []


def no_logs(table: MetadataTable, instant: int) -> tuple[str, ...]:
    """A delta commit has no log file yet, whoever writes another one."""
    return ()


FINDS_NO_EXECUTOR = Mutant(
    "finds-no-executor", "what another executor has announced stays",
    ((metadata_table, "_delta_commit", none_known),), SHIPPED,
)  # fmt: skip
ONE_LOG_FOR_ALL = Mutant(
    "one-log-for-all", "two executors write one log file", ((MetadataTable, "_logs", no_logs),), SHIPPED
)
COMMIT_STAYS = Mutant(
    "rolled-back-commit-stays", "a completed instant has no files", ((Cleaner, "_unpublish", left_completed),), SHIPPED
)
DELETES_ON_RELEASE = Mutant(
    "deletes-lock-on-release", "the next holder's file is moved in its place",
    ((FileSystemLockProvider, "_give_back", deleted),), FIXED,
)  # fmt: skip
OF_VECTORS = (COMMIT_STAYS, DELETES_ON_RELEASE, FINDS_NO_EXECUTOR, ONE_LOG_FOR_ALL)
