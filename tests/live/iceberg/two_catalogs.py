"""One REST catalog under two names of a Spark session: one caches tables, as Iceberg's do by default."""

from contextlib import contextmanager
from pathlib import Path

from real_backend.iceberg.rest_gate import RestGate


@contextmanager
def two_catalogs(session, name, *, on_disk=False):
    """`writer_<name>` and `caching_<name>`, with a namespace `db`, which end with it. Returns: the warehouse's folder.

    Args: `on_disk`: as `RestGate`.
    """
    folder = session.location(name)
    rest = RestGate(session.jvm, f"file://{folder}", on_disk=on_disk)
    for kind, settings in (("writer", {"cache-enabled": "false"}), ("caching", {})):
        session.add_catalog(
            f"{kind}_{name}", {"type": "rest", "uri": rest.uri, "rest-metrics-reporting-enabled": "false", **settings}
        )
    session.sql(f"CREATE NAMESPACE writer_{name}.db")
    yield Path(folder)
    rest.close()
