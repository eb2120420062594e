"""The HTTP layer of a REST catalog's client: what it sends again, and what it makes of the answer to a commit.

Source: iceberg/3.3; `core/rest/ExponentialHttpRequestRetryStrategy.java`, `core/rest/ErrorHandlers.java`
(`CommitErrorHandler`), `core/rest/RESTUtil.java` (`idempotencyHeaders`) of 1.11.0.
"""

from collections.abc import Callable
from typing import TypeVar

from model.iceberg import coverage
from model.iceberg.backoff import sleep
from model.iceberg.errors import CommitStateUnknown, IcebergError, RestError
from model.iceberg.meanings import Commits, Renames
from model.iceberg.rules import Rules
from model.ports import PortError, Refused, Status, World

MAX_RESENDS = 5  # rest.client.max-retries
SERVER_ERRORS = (500, 502, 503, 504)
Answer = TypeVar("Answer")


class RestClient:
    """Sends the requests of one client about `name`: a table, or several."""

    __slots__ = ("_max_resends", "_name", "_rules", "_world")

    def __init__(self, world: World, name: str, rules: Rules, max_resends: int = MAX_RESENDS) -> None:
        self._world, self._name, self._rules, self._max_resends = world, name, rules, max_resends

    def sent(
        self, ask: Callable[[str | None], Answer], meaning: Commits | Renames, *, idempotent: bool = False
    ) -> Answer:
        """Send a change until its answer is not one after which the HTTP layer sends it again.

        Args: `ask` sends it, with its idempotency key if there is one; `idempotent`: its method is one that may be sent
        again after any server error and lost connection.
        """
        key = self._key() if self._rules.idempotency_key else None
        resends = 0
        while True:
            self._world.notes.intend(meaning._replace(key=key))
            try:
                return ask(key)
            except Refused:
                raise
            except PortError as error:
                if resends == self._max_resends or not (idempotent or self._resends(error)):
                    raise
                resends += 1
                self._wait(error, resends)
                self._world.coverage.hit(coverage.RESENT)

    def loaded(self, ask: Callable[[], Answer]) -> Answer:
        """Send a GET: it is idempotent, and sent again after any server error or lost connection."""
        resends = 0
        while True:
            try:
                return ask()
            except Refused:
                raise
            except PortError as error:
                if resends == self._max_resends:
                    raise
                resends += 1
                self._wait(error, resends)
                self._world.coverage.hit(coverage.LOAD_RESENT)

    def _key(self) -> str | None:
        """A new idempotency key: the same for all sendings of one commit. Source: #14740."""
        return f"{self._name}-{self._world.chance.fresh('idempotency-key')}"

    def _resends(self, error: PortError) -> bool:
        """Source: iceberg/3.3; `ExponentialHttpRequestRetryStrategy`; never after 502 or 504 (J23)."""
        if not isinstance(error, Status):
            return False
        return error.code == 429 or (error.code == 503 and error.retry_after_ms is not None)

    def _wait(self, error: PortError, resends: int) -> None:
        if isinstance(error, Status) and error.retry_after_ms is not None and error.retry_after_ms > 0:
            self._world.clock.sleep_ms(error.retry_after_ms)
        else:
            sleep(self._world, int(1000 * min(2 ** (resends - 1), 64)))

    def commit_error(self, error: PortError) -> IcebergError:
        """Source: iceberg/3.3, J22, J24; `CommitErrorHandler`: a server error leaves the outcome open."""
        text = f"commit {self._name}: expected an answer, got {error}"
        if isinstance(error, Status) and error.code in SERVER_ERRORS:
            return CommitStateUnknown(text)
        return RestError(text)
