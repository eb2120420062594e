"""A session of ZooKeeper that expires while its lock is held, on the real Hudi 1.2.0 and a real server."""

import pytest
from py4j.java_gateway import JavaObject
from pyspark.java_gateway import ensure_callback_server_started

from model.hudi.keys import LOCK_PROVIDER
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import FIXED, LOCKS
from real_backend.hudi.table import LiveTable
from real_backend.hudi.zookeeper import ZooKeeper
from sim.hudi.build import PREFERRING

pytestmark = pytest.mark.live
STRATEGY = "hoodie.write.lock.conflict.resolution.strategy"
SHARED = {
    **FIXED,
    **dict(PREFERRING),
    LOCK_PROVIDER: f"{LOCKS}.ZookeeperBasedLockProvider",
    STRATEGY: "org.apache.hudi.client.transaction.PreferWriterConflictResolutionStrategy",
    "hoodie.write.lock.wait_time_ms": "2000",
    "hoodie.write.lock.client.num_retries": "1",
    "hoodie.write.lock.client.wait_time_ms_between_retry": "100",
}


class Within:
    """What is done in the critical section of a commit, when conflicts have been looked for."""

    class Java:
        """Its Java type."""

        implements = ("java.util.function.BiConsumer",)

    def __init__(self, body) -> None:
        self._body = body

    def accept(self, _meta: JavaObject, _said: JavaObject) -> None:
        """Do it."""
        self._body()


@pytest.fixture(scope="module")
def zookeeper(spark):
    """A server in the session's JVM."""
    server = ZooKeeper(spark[0])
    yield server
    server.close()


def _commit_around(client, body):
    """Commit, with something done in between."""
    java = client._java
    option = java.org.apache.hudi.common.util.Option
    replaced = java.java.util.HashMap()
    client._client.commit(client.instant, client._statuses, option.empty(), "commit", replaced, option.of(Within(body)))


@pytest.mark.parametrize(("expires", "rows"), [(True, (("1", "B"),)), (False, (("1", "A"),))], ids=["expired", "kept"])
def test_who_has_lost_his_session_commits_all_the_same(spark, tmp_path, zookeeper, expires, rows):
    """The other one has the lock then, and commits as well; of two acknowledged writes of a row the later one is gone,
    for its instant is older."""
    ensure_callback_server_started(spark[0].spark.sparkContext._gateway)
    table = LiveTable(spark[0], tmp_path / "t")
    table.create()
    options = {**SHARED, **zookeeper.options(f"t{expires}")}
    first, one, other = [SplitClient(spark[0], str(table.path), options) for _ in range(3)]
    first.start()
    first.upsert((("1", "p", "a"),), 0)
    first.commit()
    first.close()
    one.start()
    other.start()
    other.upsert((("1", "p", "B"),), 1)
    one.upsert((("1", "p", "A"),), 2)
    told = []

    def meanwhile():
        if expires:
            zookeeper.expire()
        try:
            other.commit()
            told.append("ok")
        except Exception as error:
            told.append(str(error))

    _commit_around(one, meanwhile)
    assert (told == ["ok"]) == expires
    assert table.rows() == (rows, None)
    one.close()
    other.close()
