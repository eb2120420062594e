"""One Spark session for all live SQL tests; a JVM without Spark for each file of Java API tests."""

import pytest

from real_backend.live import live_iceberg


@pytest.fixture(scope="session")
def sql():
    """Spark SQL on the real Iceberg, behind the REST gate."""
    with live_iceberg("rest") as live:
        yield live


@pytest.fixture(scope="module")
def java():
    """The real Java API on a bare JVM, behind the `TableOperations` gate."""
    with live_iceberg("java-api") as live:
        yield live
