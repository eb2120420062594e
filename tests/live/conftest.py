"""One Spark session for all live tests of Spark, one group of metastores; a JVM for each file of Java API tests."""

import pytest

from real_backend.hive.live import HiveLive
from real_backend.hive.servers import hive_servers
from real_backend.hudi.gate_classes import classes_folder
from real_backend.hudi.live import HudiLive
from real_backend.hudi.session import hudi_session
from real_backend.iceberg.java_api import java_iceberg
from real_backend.iceberg.java_hive import java_on_hive as iceberg_java_on_hive
from real_backend.iceberg.over_metastores import IcebergOnHive
from real_backend.iceberg.sql import SqlIceberg

LONGEST_S = 1200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each live test the time that it takes on a busy machine: what counts is what it does, and not how fast."""
    for item in items:
        if item.get_closest_marker("live") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LONGEST_S))


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
    """The real Hudi, behind the storage gate. Without a JDK these tests do not pass, and say what is missing."""
    classes_folder()
    live = HudiLive(spark[0])
    yield live
    live.close()


@pytest.fixture(scope="session")
def metastores():
    """PostgreSQL, and the metastores that tests ask for; each group of them is started once."""
    with hive_servers() as servers:
        yield servers


@pytest.fixture(scope="session")
def hive(metastores):
    """Sessions on live metastores, behind Thrift gates and watermarks."""
    live = HiveLive(metastores)
    yield live
    live.close()


@pytest.fixture(scope="session")
def iceberg_on_hive(spark, metastores):
    """Iceberg's Hive catalog in Spark, on the same metastores."""
    live = IcebergOnHive(spark[0], metastores)
    yield live
    live.close()


@pytest.fixture(scope="session")
def java_on_hive(metastores):
    """The real Java API on a bare JVM and the real Hive catalog, behind the Thrift gate."""
    with iceberg_java_on_hive(metastores) as live:
        yield live


@pytest.fixture(scope="session")
def java():
    """The real Java API on a bare JVM, behind the `TableOperations` gate."""
    with java_iceberg() as live:
        yield live
