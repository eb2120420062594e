"""What live systems stand on: Spark, servers, a JVM; each is started when first wanted and ends with its owner.

A live system says how it is started, in a function of the backends; two that stand on the same thing share it:

    def servers(backends: Backends) -> Servers:
        return backends.started("PostgreSQL and metastores", hive_servers, preflight.check_java)

    def sessions(backends: Backends) -> HiveLive:
        return backends.kept(HiveLive(backends.of(servers)))

Choices: nothing of Spark is imported before it is needed. There is one Spark session for all, for a process can have no
second one; it begins with what every protocol brings into it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from real_backend.jvm import preflight

if TYPE_CHECKING:
    from real_backend.jvm.session import Additions, Session


class Closable(Protocol):
    """What has to be ended."""

    def close(self) -> None:
        """End it."""
        ...


C = TypeVar("C", bound=Closable)
T = TypeVar("T")


class Backends:
    """What live systems stand on, each started when it is first wanted. Make them with `live_backends`."""

    def __init__(
        self, stack: ExitStack, say: Callable[[str], None], additions: Callable[[], "Sequence[Additions]"]
    ) -> None:
        self._stack = stack
        self._say = say
        self._additions = additions
        self._made: dict[Callable[[Backends], Any], Any] = {}

    @cached_property
    def spark(self) -> "Session":
        """The Spark session of this process. Raises: `BackendUnavailable`."""
        from real_backend.jvm.session import spark_session

        return self.started("Spark", lambda: spark_session(*self._additions()), preflight.require)

    def of(self, make: "Callable[[Backends], T]") -> T:
        """What `make` makes of these backends, made once. Raises: what `make` does."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    def started(self, what: str, make: Callable[[], AbstractContextManager[T]], require: Callable[[], None]) -> T:
        """Start something that ends with these backends, having said so.

        Args: `require` raises `BackendUnavailable` if what it needs is missing.
        """
        require()
        self._say(f"starting {what} ...")
        return self._stack.enter_context(make())

    def kept(self, made: C) -> C:
        """Close `made` when these backends end; returns it."""
        self._stack.callback(made.close)
        return made


@contextmanager
def live_backends(
    say: Callable[[str], None], additions: Callable[[], "Sequence[Additions]"] = tuple
) -> Iterator[Backends]:
    """Backends for the block; they end with it.

    Args: `say` is told what is being started; `additions` gives what protocols bring into the Spark session.
    """
    with ExitStack() as stack:
        yield Backends(stack, say, additions)
