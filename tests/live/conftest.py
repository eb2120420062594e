"""One Spark session for all live tests of Spark; a JVM without Spark for each file of Java API tests."""

import pytest

from real_backend.hudi.live import HudiLive
from real_backend.hudi.session import hudi_session
from real_backend.iceberg_sql import SqlIceberg
from real_backend.live import live_iceberg


@pytest.fixture(scope="session")
def spark():
    """Iceberg and Hudi in one session, and whether it has Hudi's gate. There cannot be a second one in a process."""
    with hudi_session() as session:
        yield session


@pytest.fixture(scope="session")
def sql(spark):
    """Spark SQL on the real Iceberg, behind the REST gate."""
    live = SqlIceberg(spark[0])
    yield live
    live.close()


@pytest.fixture(scope="session")
def hudi(spark):
    """The real Hudi, behind the storage gate."""
    if not spark[1]:
        pytest.skip("no JDK: Hudi's storage gate cannot be compiled")
    live = HudiLive(spark[0])
    yield live
    live.close()


@pytest.fixture(scope="module")
def java():
    """The real Java API on a bare JVM, behind the `TableOperations` gate."""
    with live_iceberg("java-api") as live:
        yield live
