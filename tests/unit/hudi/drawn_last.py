"""What of generated Hudi races is drawn when all else has been, and sources that draw none of it."""

from sim.generation.draws import Source
from sim.hudi.draw.buckets import IN_BUCKETS
from sim.hudi.draw.clustering_faults import STRUCK
from sim.hudi.draw.clustering_logs import CLUSTERING_LOGS
from sim.hudi.draw.damage import DAMAGE
from sim.hudi.draw.damage import LISTS as LISTS_FILES
from sim.hudi.draw.executors import EXECUTORS, LISTED
from sim.hudi.draw.last import CUT
from sim.hudi.draw.log_compactions import LOG_COMPACTIONS
from sim.hudi.draw.metadata import LISTS_SAVED
from sim.hudi.draw.metadata_compactions import METADATA_COMPACTIONS
from sim.hudi.draw.more import BEFORE, CLUSTERS_TOO, OVERWRITTEN
from sim.hudi.draw.replacing_logs import REPLACING_LOGS
from sim.hudi.draw.restores import OF_LOGS, SAVED_LATER
from sim.hudi.draw.restores_archived import ARCHIVED
from sim.hudi.draw.services import SHAPE
from sim.hudi.draw.unwritten import UNWRITTEN
from sim.hudi.draw.updates import TRIED_AGAIN, UPDATES

OF_UPDATES = (TRIED_AGAIN, UPDATES, IN_BUCKETS)
LAST_OF_ALL = (
    SHAPE, SAVED_LATER, LISTS_SAVED, METADATA_COMPACTIONS, EXECUTORS, UNWRITTEN, STRUCK, ARCHIVED, LISTED, *OF_UPDATES,
)  # fmt: skip
LAST = (
    CLUSTERS_TOO, BEFORE, OVERWRITTEN, REPLACING_LOGS, OF_LOGS, CLUSTERING_LOGS, LOG_COMPACTIONS, *LAST_OF_ALL,
)  # fmt: skip
"""What comes after all else."""


def without(source: Source, *names: str) -> Source:
    """A source that answers draws of these names with 0."""
    return lambda name, options: 0 if name in names else source(name, options)


def before_last(source: Source, *names: str) -> Source:
    """The same, of what comes last of all as well."""
    return without(source, *names, CUT, DAMAGE, LISTS_FILES, *LAST)


def earlier(source: Source) -> Source:
    """A source that draws nothing of what comes after all that merge-on-read tables have."""
    return without(source, *LAST_OF_ALL)
