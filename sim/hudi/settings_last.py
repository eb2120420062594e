"""What a user of Hudi can set that is drawn when all else has been; see `sim.hudi.settings`."""

from model.hudi.keys import ALLOW_UPDATES, CONFLICT_RETRIES, REJECT_UPDATES, UPDATES
from sim.generation.generator import Option
from sim.hudi.setting_names import UNSET

LAST_OPTIONS = (
    Option(UPDATES, (UNSET, REJECT_UPDATES, ALLOW_UPDATES), "HoodieClusteringConfig"),
    Option(CONFLICT_RETRIES, (UNSET, "1", "2"), "HoodieWriteConfig"),
)
