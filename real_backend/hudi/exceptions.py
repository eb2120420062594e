"""From what a Hudi client threw to "ExceptionName: message", by the deepest exception of Hudi's own.

Hudi wraps: a conflict that a task finds comes as SparkException <- HoodieUpsertException <- ... <-
HoodieEarlyConflictDetectionException <- ConcurrentModificationException. The deepest of Hudi's names what happened.
"""

import re

from model.hudi.names import INFLIGHT
from real_backend.errors import BackendError
from real_backend.jvm.java_errors import causes, describe, in_words

_HUDI = "org.apache.hudi"
_UNKNOWN = "invalid action name"  # which a restore wraps without saying it
CONFLICT = "HoodieWriteConflictException"
"""Of a commit that is refused, after which a write of a data frame starts over (`HoodieSparkSqlWriterInternal`)."""
EXISTS = "FileAlreadyExistsException: "
"""Of an inflight file, of which Hudi itself says that it has failed to create it."""
_FOLDER = re.compile(r"\S*/warehouse/hudi/[^/\s]+/[^/\s]+/")  # of this session only


class NothingPlanned(BackendError):
    """Hudi found nothing to cluster or to compact. Nothing was written."""


def root_cause(error: BaseException) -> str:
    """The name and the message's first line of the deepest exception of Hudi, else of the deepest of all."""
    hudi = [java for java in causes(error) if str(java.getClass().getName()).startswith(_HUDI)]
    deepest = describe(error)
    return _FOLDER.sub("", in_words(hudi[-1]) if hudi and not _says_more(deepest) else deepest)


def _says_more(deepest: str) -> bool:
    return _UNKNOWN in deepest or (deepest.startswith(EXISTS) and deepest.endswith(INFLIGHT))
