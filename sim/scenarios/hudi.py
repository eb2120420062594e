"""The Hudi scenarios that come with the product."""

from sim.scenario import Scenario
from sim.scenarios.hudi_conflicts import CONFLICTS
from sim.scenarios.hudi_early import EARLY_DETECTION, POISONED, RETRIES
from sim.scenarios.hudi_locks import LOCKS
from sim.scenarios.hudi_rollbacks import ROLLBACKS

HUDI: tuple[Scenario, ...] = (*CONFLICTS, *EARLY_DETECTION, *POISONED, *RETRIES, *LOCKS, *ROLLBACKS)
