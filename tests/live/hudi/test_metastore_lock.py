"""Hudi 1.2.0's own `HiveMetastoreBasedLockProvider` and the model's ask a metastore the same, whatever it answers."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import IllegalArgumentException

from model.hudi import SHIPPED
from model.hudi.errors import HudiError
from model.hudi.keys import LOCK_BEAT
from model.hudi.locks import TABLE
from model.hudi.metastore_lock import MetastoreLockProvider
from model.hudi.options import parse_options
from model.ports import ConnectionLost, NotLocked, PortError
from sim.hudi.built_in.metastore_locks import METASTORE_LOCK
from tests.unit.hudi.worlds import Lab

pytestmark = pytest.mark.live
BEAT_MS = 100
BEATS_S = 1.0
LOST, GONE = "lost", "gone"
Script = Mapping[str, Sequence[str]]
"""By call, what becomes of each: "held", "waits", "ok", it is LOST on the way, or what it names is GONE."""


class Answers:
    """What a metastore answers, and what it was asked."""

    def __init__(self, script: Script) -> None:
        self._left = {call: list(answers) for call, answers in script.items()}
        self.asked: list[str] = []

    def next(self, call: str) -> str:
        """The answer to this call; once the script is over, as usual."""
        self.asked.append(call)
        left = self._left.get(call)
        return left.pop(0) if left else "held" if call == "lock" else "ok"


class Port:
    """The model's lock service."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def lock(self, name: str, owner: str) -> tuple[int, bool]:
        return 7, self._answered("lock") == "held"

    def heartbeat(self, lock_id: int) -> None:
        self._answered("heartbeat")

    def unlock(self, lock_id: int) -> None:
        assert lock_id == 7
        self._answered("unlock")

    def _answered(self, call: str) -> str:
        answer = self._answers.next(call)
        if answer in (LOST, GONE):
            error: type[PortError] = ConnectionLost if answer == LOST else NotLocked
            raise error(call)
        return answer


class Client:
    """The real provider's client of a metastore."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.hadoop.hive.metastore.IMetaStoreClient",)

    def __init__(self, java: Any, answers: Answers) -> None:
        self._java = java
        self._answers = answers

    def lock(self, request: Any) -> Any:
        api = self._java.org.apache.hadoop.hive.metastore.api
        held = self._answered("lock") == "held"
        return api.LockResponse(7, api.LockState.ACQUIRED if held else api.LockState.WAITING)

    def heartbeat(self, txn: int, number: int) -> None:
        assert (txn, number) == (0, 7)
        self._answered("heartbeat")

    def unlock(self, number: int) -> None:
        assert number == 7
        self._answered("unlock")

    def _answered(self, call: str) -> str:
        answer = self._answers.next(call)
        if answer == LOST:
            raise Py4JJavaError("lost", self._java.org.apache.thrift.TException("lost"))
        if answer == GONE:
            raise Py4JJavaError("gone", self._java.org.apache.hadoop.hive.metastore.api.NoSuchLockException("gone"))
        return answer


def real(java: Any, answers: Answers) -> Any:
    """Hudi's provider at this metastore."""
    settings = java.java.util.Properties()
    for key, value in {
        "hoodie.write.lock.hivemetastore.database": "default",
        "hoodie.write.lock.hivemetastore.table": "t",
        LOCK_BEAT: str(BEAT_MS),
    }.items():
        settings.setProperty(key, value)
    config = java.org.apache.hudi.common.config.LockConfiguration(settings)
    provider = java.org.apache.hudi.hive.transaction.lock.HiveMetastoreBasedLockProvider
    return provider(config, Client(java, answers))


def told(does: Callable[[], Any]) -> str:
    """What a caller is told: "True", "False", "None", or that it fails for good."""
    try:
        return str(does())
    except (HudiError, IllegalArgumentException):
        return "fails"
    except Py4JJavaError as error:
        return "fails" if "HoodieLockException" not in str(error.java_exception.toString()) else "LockException"


SCRIPTS: tuple[tuple[str, Script, tuple[str, ...]], ...] = (
    ("granted", {}, ("try", "unlock", "unlock", "close")),
    ("waits", {"lock": ["waits", "waits", "held"]}, ("try", "try", "try", "close")),
    ("lock lost", {"lock": [LOST, "held"]}, ("try", "try", "unlock")),
    ("withdrawal lost", {"lock": ["waits"], "unlock": [LOST]}, ("try", "try", "close", "try", "unlock")),
    ("release lost", {"unlock": [LOST]}, ("try", "unlock", "unlock", "close")),
    ("taken away", {"unlock": [GONE]}, ("try", "unlock", "close")),
)


@pytest.mark.parametrize(("name", "script", "calls"), SCRIPTS, ids=[name for name, *_ in SCRIPTS])
def test_the_model_asks_what_hudi_asks(spark, name, script, calls):
    """A try that ends in a `HoodieLockException` is one that has no lock: the lock manager tries again."""
    java = spark[0].jvm.java
    theirs, ours = Answers(script), Answers(script)
    provider = real(java, theirs)
    world = Lab().world("w1", locks=Port(ours))
    config = parse_options({**dict(METASTORE_LOCK), LOCK_BEAT: "60000"})
    model = MetastoreLockProvider(world, config, SHIPPED, "w1", TABLE)
    seconds = java.java.util.concurrent.TimeUnit.SECONDS
    ways: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "try": (lambda: provider.tryLock(10, seconds), model.try_lock),
        "unlock": (provider.unlock, model.unlock),
        "close": (provider.close, model.close),
    }
    closed = False
    for call in calls:
        if closed and call == "try":
            break  # a provider that was closed has no threads any more; Hudi makes another one
        one, other = (told(does) for does in ways[call])
        as_ours = {"LockException": "False" if call == "try" else "fails"}.get(one, one)
        assert as_ours == other, (name, call)
        closed = closed or call == "close"
    assert [each for each in theirs.asked if each != "heartbeat"] == ours.asked
    provider.close()


@pytest.mark.parametrize(("answers", "more"), [([], True), ([LOST], False), ([GONE], False)])
def test_one_beat_that_fails_is_the_last_one(spark, answers, more):
    """The lock is held on, and nobody keeps it."""
    asked = Answers({"heartbeat": answers})
    provider = real(spark[0].jvm.java, asked)
    assert provider.tryLock(10, spark[0].jvm.java.java.util.concurrent.TimeUnit.SECONDS)
    time.sleep(BEATS_S)
    assert (asked.asked.count("heartbeat") > 1) is more
    provider.unlock()
    provider.close()
