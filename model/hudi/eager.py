"""A writer that takes back, when it begins, whatever has not been completed: the default of one writer.

    client = EagerClient(world, config)            as `HudiClient`

Nobody asks whether who has begun that is alive: there are no heartbeats then. A rollback goes by the timeline that was
loaded first, and without a lock, for one writer has none. Where failed writes are never taken back (`NEVER`) there are
no heartbeats, either, and what is left stays. A cleaner takes nothing back under either policy.

Source: `BaseHoodieWriteClient.startCommit`, `CleanerUtils.rollbackFailedWrites`,
`BaseHoodieTableServiceClient.getInstantsToRollback` (1.2.0).

Choices: copy-on-write tables without table services but cleaning.
"""

from model.hudi.client import HudiClient
from model.hudi.rollback import Cleaner


class EagerClient(HudiClient):
    """A client of the one writer of a table."""

    def start_commit(self, action: str | None = None) -> int:
        """Roll back what is pending, and begin a write. Raises: as `HudiClient`; as a cleaner."""
        cleaner = Cleaner(self._world, self.config, self.rules, observer=self._observer, client=self)
        cleaner.rollback_pending()
        return super().start_commit(action)
