"""From what a Hudi client threw to "ExceptionName: message", by the deepest exception of Hudi's own.

Hudi wraps: a conflict that a task finds comes as SparkException <- HoodieUpsertException <- ... <-
HoodieEarlyConflictDetectionException <- ConcurrentModificationException. The deepest of Hudi's names what happened.
"""

import re

from real_backend.errors import BackendError
from real_backend.jvm.java_errors import causes, describe, in_words

_HUDI = "org.apache.hudi"
_UNKNOWN = "invalid action name"  # which a restore wraps without saying it
_FOLDER = re.compile(r"\S*/warehouse/hudi/[^/\s]+/[^/\s]+/")  # of this session only


class NothingPlanned(BackendError):
    """Hudi found nothing to cluster or to compact. Nothing was written."""


def root_cause(error: BaseException) -> str:
    """The name and the message's first line of the deepest exception of Hudi, else of the deepest of all."""
    hudi = [java for java in causes(error) if str(java.getClass().getName()).startswith(_HUDI)]
    deepest = describe(error)
    return _FOLDER.sub("", in_words(hudi[-1]) if hudi and _UNKNOWN not in deepest else deepest)
