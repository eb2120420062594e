"""What goes together with a table's version and type, of what a workload's actors do."""

from model.hudi import HudiConfig
from model.hudi.config import MERGE_ON_READ, RETAINED, TABLE_TYPE, TABLE_VERSION
from model.hudi.errors import ConfigError
from sim.hudi.statements import HIDING, Archive, Clean, Cluster, Compact, DeleteSavepoint, Savepoint, Write
from sim.hudi.workload import HudiWorkload

NOT_MERGED = (Cluster, Savepoint, DeleteSavepoint, Archive, *HIDING)
"""What is modelled on copy-on-write tables alone."""


def check_table(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that a workload's table can be of this version and type. Raises: ConfigError."""
    if config.layout == 1 and workload.has(Cluster, Archive):
        raise ConfigError(TABLE_VERSION, config.table_version, "8 or 9 where somebody clusters or archives")
    if not config.merge_on_read and workload.has(Compact):
        raise ConfigError(TABLE_TYPE, config.table_type, f"{MERGE_ON_READ} where somebody compacts")
    if config.merge_on_read and workload.has(*NOT_MERGED):
        raise ConfigError(
            TABLE_TYPE, config.table_type, "COPY_ON_WRITE where somebody clusters, replaces, archives or saves"
        )
    commits = 1 + len(workload.history) + sum(isinstance(each, Write) for each in workload.statements)
    if config.merge_on_read and workload.has(Clean) and commits > config.commits_retained:
        raise ConfigError(
            RETAINED, config.commits_retained, f"at least {commits}, for no slices of {MERGE_ON_READ} are cleaned here"
        )
