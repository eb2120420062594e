"""Apache Hudi's multi-writer protocol on one table of either type, and RFC-56 early conflict detection.

    client = HudiClient(world, config, rules)      start_commit, upsert, insert, commit, close
    eager = EagerClient(world, config, rules)      the same, of one writer that rolls back what is pending
    client = SpecifiedClient(world, config, rules) the same, with what the TLA+ specification has besides
    clustering = ClusteringClient(world, config)   schedule, cluster, commit, close
    compaction = CompactionClient(world, config)   schedule, compact, commit, close
    logs = LogCompactionClient(world, config)      schedule, compact, commit, close
    cleaner = Cleaner(world, config, rules)        rollback_failed_writes, close
    savepoints = SavepointClient(world, config)    savepoint, delete_savepoint, close
    restores = RestoreClient(world, config)        restore, close
    archiver = TimelineArchiver(world, config)     archive, close
    view = Reader(world, config).read()
    news = Consumer(world, config, rules, since)   read, and read again
    past = TimeTravel(world, config, rules, as_of) read

`config` is what a user sets (`config.py`), `rules` which variant of the protocol runs (`rules.py`,
`variants.py`).
"""

from model.hudi.archiving import TimelineArchiver
from model.hudi.client import HudiClient
from model.hudi.clustering import ClusteringClient
from model.hudi.compaction import CompactionClient
from model.hudi.config import HudiConfig
from model.hudi.eager import EagerClient
from model.hudi.executing import ExecutingClient
from model.hudi.incremental import Consumer
from model.hudi.log_compaction import LogCompactionClient
from model.hudi.options import parse_options
from model.hudi.reader import Reader
from model.hudi.restoring import RestoreClient
from model.hudi.retries import retried
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED, Rules
from model.hudi.savepoints import SavepointClient
from model.hudi.specified import SpecifiedClient
from model.hudi.time_travel import TimeTravel
from model.hudi.variants import VARIANTS
from model.hudi.written import Written

__all__ = [
    "SHIPPED", "VARIANTS", "Cleaner", "ClusteringClient", "CompactionClient", "Consumer", "EagerClient",
    "ExecutingClient", "HudiClient", "HudiConfig", "LogCompactionClient", "Reader", "RestoreClient", "Rules",
    "SavepointClient", "SpecifiedClient", "TimeTravel", "TimelineArchiver", "Written", "parse_options", "retried",
]  # fmt: skip
