"""Hudi in the Spark session that Iceberg has: bundle jar, Kryo, both extensions, and the gated file system.

Choices: without the gate's classes (no JDK) Hudi runs on Hadoop's own local file system, and nothing can be held.
The session has eight threads for tasks: as many actors may stand inside one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from real_backend.errors import BackendUnavailable
from real_backend.hudi.gate_classes import classes_folder
from real_backend.jvm.session import Additions, Session, spark_session

FILE_SYSTEM = "lakeproof.GatedLocalFileSystem"
SETTINGS = {
    "spark.master": "local[8]",
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
    "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
    "spark.speculation": "false",  # Hudi refuses to write otherwise
    "spark.scheduler.mode": "FAIR",
}
# Hudi measures the size of a record by attaching an agent to its own JVM, which costs seconds and is no part of it.
LARGE_SETTINGS = {
    "spark.master": "local[4]",
    "spark.driver.memory": "2g",
    "spark.default.parallelism": "4",
    "spark.sql.shuffle.partitions": "4",
}
LARGE_OPTIONS = "-XX:TieredStopAtLevel=4"  # the JIT's second stage pays from half a minute on
OPTIONS = "-Djol.skipDynamicAttach=true -Djol.skipHotspotSAAttach=true -Djdk.attach.allowAttachSelf=true"


def additions(*, gated: bool = True, large: bool = False) -> Additions:
    """What Hudi brings into the session. `large` is for long writes of many rows, not for many short runs.

    Raises: `BackendUnavailable` if the gate is wanted and cannot be compiled.
    """
    settings, classes = dict(SETTINGS), list[Path]()
    if gated:
        classes.append(classes_folder())
        settings["spark.hadoop.fs.file.impl"] = FILE_SYSTEM
    if large:
        settings |= LARGE_SETTINGS
    return Additions(("hudi",), tuple(classes), settings, f"{OPTIONS} {LARGE_OPTIONS}" if large else OPTIONS)


@contextmanager
def hudi_session(*, large: bool = False) -> Iterator[tuple[Session, bool]]:
    """A Spark session with Iceberg and Hudi, and whether it has the gate, ended on the way out.

    At most one at a time in a process; `large` as for `additions`. Raises: `BackendUnavailable`, `BackendTimeout`.
    """
    gated = has_gate()
    with spark_session(additions(gated=gated, large=large)) as session:
        yield session, gated


def has_gate() -> bool:
    """Whether the gate's classes are there, or can be compiled now."""
    try:
        classes_folder()
    except BackendUnavailable:
        return False
    return True
