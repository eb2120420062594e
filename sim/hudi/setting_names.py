"""What an option of Hudi may be called by a user: RFC-56's names, and a default that is written out."""

from dataclasses import replace

from model.hudi.keys import (
    BATCH_THREADS,
    COMMIT_TIME,
    CONFLICT_RETRIES,
    COPY_ON_WRITE,
    DETECTOR_DELAY,
    DETECTOR_PERIOD,
    EARLY_STRATEGY,
    FAIL_AT_HOLES,
    HOLES,
    INDEX,
    LATEST_COMMITS,
    MERGE_MODE,
    METADATA,
    QUERY_TYPE,
    RENEWAL,
    SIMPLE_INDEX,
    SLICES_POLICY,
    SNAPSHOT,
    TABLE_TYPE,
    USING_MARKERS,
    VALIDITY,
)
from model.hudi.options import DOCUMENT, KEYS
from sim.generation.generator import Option

UNSET = "unset"
"""The value of an option that a user leaves alone, where Hudi has no default or infers one."""
_EXPLICIT = {
    TABLE_TYPE: COPY_ON_WRITE, INDEX: SIMPLE_INDEX, MERGE_MODE: COMMIT_TIME, SLICES_POLICY: LATEST_COMMITS,
    METADATA: "false", USING_MARKERS: "true", DETECTOR_DELAY: "0", DETECTOR_PERIOD: "30000", BATCH_THREADS: "20",
    RENEWAL: "30", VALIDITY: "300", CONFLICT_RETRIES: "0",
    QUERY_TYPE: SNAPSHOT, HOLES: FAIL_AT_HOLES,
}  # fmt: skip
"""What an option is where a draw has it not."""


def named(option: Option) -> Option:
    """The option with the document's names, and with the default that may be written out."""
    also = tuple([key for key, name in KEYS.items() if name == KEYS.get(option.key, "") and key != option.key])
    explicit = {_EXPLICIT[option.key]: UNSET} if option.key in _EXPLICIT else {}
    return replace(option, also=also, called=DOCUMENT | explicit if option.key == EARLY_STRATEGY else explicit)
