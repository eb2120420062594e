"""What a user of Hudi can set that is drawn when all else has been; see `sim.hudi.settings`."""

from model.hudi.keys import (
    ALLOW_UPDATES,
    ANY_COMMIT,
    AS_OF,
    BLOCK_AT_HOLES,
    CONFLICT_RETRIES,
    HOLES,
    INCREMENTAL,
    PREPPED,
    QUERY_TYPE,
    REJECT_UPDATES,
    SCHEMA_CONFLICTS,
    SESSION_TIMEOUT,
    TRANSITION_TIME,
    UPDATES,
)
from sim.generation.generator import Option
from sim.hudi.setting_names import UNSET

LAST_OPTIONS = (
    Option(UPDATES, (UNSET, REJECT_UPDATES, ALLOW_UPDATES), "HoodieClusteringConfig"),
    Option(CONFLICT_RETRIES, (UNSET, "1", "2"), "HoodieWriteConfig"),
    Option(QUERY_TYPE, (UNSET, INCREMENTAL), "DataSourceReadOptions"),
    Option(HOLES, (UNSET, BLOCK_AT_HOLES, TRANSITION_TIME), "HoodieCommonConfig"),
    Option(SCHEMA_CONFLICTS, (UNSET, "true", "false"), "HoodieWriteConfig, RFC-82"),
    Option(AS_OF, (UNSET, ANY_COMMIT), "DataSourceReadOptions"),
    Option(SESSION_TIMEOUT, (UNSET, "1000"), "HoodieLockConfig"),
    Option(PREPPED, (UNSET, "true", "false"), "DataSourceWriteOptions, HUDI-6315"),
)
