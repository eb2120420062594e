"""What goes together with a table's version and type, of what a workload's actors do."""

from dataclasses import replace

from model.hudi import HudiConfig, parse_options
from model.hudi.errors import ConfigError
from model.hudi.keys import (
    BUCKET_INDEX,
    CLEAN_POLICY,
    EVENT_TIME,
    INDEX,
    LATEST_COMMITS,
    LAZY,
    MARKERS,
    MERGE_MODE,
    MERGE_ON_READ,
    METADATA,
    NON_BLOCKING,
    RETAINED,
    SERVER_MARKERS,
    SLICES_POLICY,
    TABLE_TYPE,
    TABLE_VERSION,
    USING_MARKERS,
)
from sim.hudi.bucket_checks import check_buckets
from sim.hudi.columns import check_evolved, evolves
from sim.hudi.consuming import check_consumers, consumes
from sim.hudi.live import shares_plans
from sim.hudi.statements import (
    HIDING,
    Archive,
    BulkInsert,
    Clean,
    Cluster,
    Compact,
    DamageMarkers,
    Delete,
    DeletePartition,
    Insert,
    Overwrite,
    PlanClustering,
    Read,
    Restore,
    Savepoint,
    Update,
    Upsert,
    Write,
)
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import ids_of

WITHOUT_HEARTBEATS = (Upsert, Delete, Insert, BulkInsert, Overwrite, DeletePartition, Clean, Read, DamageMarkers)
"""What is modelled where failed writes are taken back at once, or never."""
NOT_MERGED = (Archive,)
"""What is modelled on copy-on-write tables alone."""


def config_for(workload: HudiWorkload) -> HudiConfig:
    """What all clients of a race are given, with what they meet of others. Raises: ConfigError."""
    config = replace(
        parse_options(dict(workload.options)),
        restored=workload.has(Restore),
        unplanned=workload.has(Clean) and workload.has(*HIDING),
        cleaned=workload.has(Clean),
        plans_shared=shares_plans(workload),
        consumed=consumes(workload),
        archived=consumes(workload) and workload.has(Archive),
        evolved=evolves(workload),
    )
    check_table(workload, config)
    return config


def check_table(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that a workload's table can be of this version and type. Raises: ConfigError."""
    if config.layout == 1 and workload.has(Cluster, PlanClustering, Archive):
        raise ConfigError(TABLE_VERSION, config.table_version, "8 or 9 where somebody clusters or archives")
    if config.metadata and config.layout == 1:
        raise ConfigError(METADATA, "true", "false with table version 6: the model has none there")
    if any(past.ending == "cut" for past in workload.history) and config.marker_type != SERVER_MARKERS:
        raise ConfigError("history", "cut", f"others unless {MARKERS} is {SERVER_MARKERS}")
    types = any(isinstance(each, DamageMarkers) and each.what != "vanished" for each in workload.statements)
    if types and config.marker_type != SERVER_MARKERS:
        raise ConfigError("what", "a type", f"vanished unless {MARKERS} is {SERVER_MARKERS}")
    if config.plans_shared and not config.rollback_using_markers:
        raise ConfigError(USING_MARKERS, "false", "true where somebody takes pending clustering over")
    if workload.has(Restore):
        _check_restores(workload, config)
    if not config.merge_on_read and workload.has(Compact):
        raise ConfigError(TABLE_TYPE, config.table_type, f"{MERGE_ON_READ} where somebody compacts")
    if config.merge_on_read and workload.has(*NOT_MERGED):
        raise ConfigError(TABLE_TYPE, config.table_type, "COPY_ON_WRITE where somebody archives")
    if config.keeps_versions and (config.merge_on_read or workload.has(Archive)):
        allowed = f"{LATEST_COMMITS} where somebody archives, and on {MERGE_ON_READ} tables"
        raise ConfigError(SLICES_POLICY, config.slices_policy, allowed)
    check_consumers(workload, config)
    if workload.has(Update, Delete):
        _check_updates(workload, config)
    if config.clean_policy != LAZY:
        _check_policy(workload, config)
    if config.evolved:
        check_evolved(workload, config)
    if config.bucketed:
        check_buckets(workload, config)
    commits = 1 + len(workload.history) + sum(isinstance(each, Write) for each in workload.statements)
    if config.merge_on_read and workload.has(Clean) and commits > config.commits_retained:
        raise ConfigError(
            RETAINED, config.commits_retained, f"at least {commits}, for no slices of {MERGE_ON_READ} are cleaned here"
        )


def _check_restores(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check what is beside a restore, and that it does not go back behind the race. Raises: ConfigError."""
    if config.layout == 1 or workload.has(Clean, Cluster, PlanClustering):
        allowed = "others where the table has version 6, or somebody cleans or clusters"
        raise ConfigError("writers", Restore(), allowed)
    if workload.history and any(isinstance(each, Savepoint) and each.back for each in workload.statements):
        raise ConfigError("history", workload.history, "none where somebody goes back to commits from before the race")


def _check_updates(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that nobody else hides rows that are updated or deleted, and that writers are compared, or alone. Raises:
    ConfigError."""
    if config.mode == NON_BLOCKING or workload.has(Restore, *HIDING):
        allowed = f"others of {NON_BLOCKING} writers, and where somebody overwrites, deletes partitions or restores"
        raise ConfigError("writers", "Update or Delete", allowed)
    known = {key for key, _ in workload.rows}
    for key in [key for each in workload.statements if isinstance(each, Update | Delete) for key in ids_of(each)]:
        if key not in known:
            raise ConfigError("writers", key, f"an id that is there at first, for an update ({sorted(known)})")
    if workload.has(Delete) and (config.bucketed or config.by_event_time or config.consumed):
        allowed = f"others where {INDEX} is {BUCKET_INDEX}, {MERGE_MODE} {EVENT_TIME}, or somebody reads incrementally"
        raise ConfigError("writers", "Delete", allowed)


def _check_policy(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that nobody tells by heartbeats who is alive, where there are none. Raises: ConfigError."""
    others = [each for each in workload.statements if not isinstance(each, WITHOUT_HEARTBEATS)]
    if others or config.merge_on_read or config.metadata or config.layout == 1:
        allowed = f"{LAZY} beside services but cleaning, in tables of version 6, and with {MERGE_ON_READ} or {METADATA}"
        raise ConfigError(CLEAN_POLICY, config.clean_policy, allowed)
