"""Spark for campaigns: on this machine's cores, on executors of its own here, or on a cluster.

| master | what runs |
| --- | --- |
| `local`, `local[N]`, `local[*]` | N workers below one JVM of ours |
| `local-cluster[N,CORES,MB]` | N executors, each a JVM: a cluster on one machine |
| any other | the user's cluster, with the user's own Spark configuration and environment |

Choices:
* Locally the JVM is ours, as for live runs: it reads no configuration of the user's and leaves nothing behind.
* Settings that keep rows from getting lost or doubled are set for every master and cannot be changed.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from real_backend.errors import BackendUnavailable
from real_backend.jvm.jvm import Jvm, changed_environment, own_environment
from real_backend.jvm.preflight import check_java
from real_backend.jvm.session import convert_exceptions_of

ATTEMPTS = 4
"""How often a task is tried before its wave is given up."""
SETTINGS = {
    "spark.app.name": "lakeproof campaign",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.catalogImplementation": "in-memory",
    # One row a batch: else nothing of a partition leaves before all of it is done.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
    # A task that runs twice must not be kept twice: no copies on the way, and each commit is authorised.
    "spark.speculation": "false",
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "1",
    "spark.task.maxFailures": str(ATTEMPTS),
    "spark.python.worker.reuse": "true",
    "spark.python.worker.faulthandler.enabled": "true",
    # Threads that exist before a worker forks deadlock it; and the cores are busy anyway.
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.executorEnv.ARROW_IO_THREADS": "1",
    # All executors are there before the first wave, or 30 s have gone.
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
}
_LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_LOCAL = re.compile(r"local(?:\[(\*|[1-9]\d*)\])?")
_MASTER = re.compile(rf"{_LOCAL.pattern}|local-cluster\[\d+,\d+,\d+\]|spark://.+|k8s://.+|yarn")


def place(path: Path) -> str:
    """Returns: a folder or file as Spark wants to be told it to write there."""
    return f"file://{path.resolve()}"


def to_read(path: Path) -> str:
    """Returns: a folder or file as Spark wants to be told it to read there, where some characters are patterns."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", place(path))


@contextmanager
def campaign_session(master: str = "local[*]") -> Iterator[Any]:
    """Start Spark for a campaign. Returns: its `SparkSession`, ended on the way out; one at a time in a process.

    Raises: `ValueError` for a master that Spark does not know; `BackendUnavailable`, `BackendTimeout`, one line,
    without Java or when Spark does not start.
    """
    if not _MASTER.fullmatch(master):
        raise ValueError(
            f"master: expected local[N], local-cluster[N,CORES,MB], spark://, k8s:// or yarn, got {master!r}"
        )
    check_java()
    started = _own(master) if master.startswith("local") else _of_the_user(master)
    with started as session:
        session.sparkContext.setLogLevel("OFF")
        yield session


def with_attempts(master: str) -> str:
    """Returns: a local master that tries failed tasks again, as every other does; others as they are."""
    found = _LOCAL.fullmatch(master)
    return master if found is None else f"local[{found[1] or 1},{ATTEMPTS}]"


@contextmanager
def _own(master: str) -> Iterator[Any]:
    settings = {**SETTINGS, **_LOOPBACK, "spark.master": with_attempts(master)}
    jvm = Jvm(settings, jars=())
    try:
        with changed_environment(own_environment(jvm.folder)), _starting(master):
            context = SparkContext(conf=_conf(settings), gateway=jvm.gateway)
        # Workers start elsewhere, and import what is imported here.
        context.environment["PYTHONPATH"] = os.pathsep.join([str(Path(folder).resolve()) for folder in sys.path])
        try:
            session = SparkSession(context)
            convert_exceptions_of(jvm)
            yield session
        finally:
            application = context.applicationId
            context.stop()
            SparkContext._gateway = SparkContext._jvm = None
            # What the executors of a local cluster have written; its place cannot be chosen.
            shutil.rmtree(Path(pyspark.__file__).parent / "work" / application, ignore_errors=True)
    finally:
        jvm.stop()


@contextmanager
def _of_the_user(master: str) -> Iterator[Any]:
    with _starting(master):
        session = SparkSession.builder.config(map=SETTINGS).master(master).getOrCreate()
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _starting(master: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise BackendUnavailable(
            f"master {master}: expected Spark to start on it, got {said(error)}; try local[*]"
        ) from error


def said(error: BaseException) -> str:
    """Returns: the one line of an error of Spark's that says most: that of the Python code below it, or of Java's."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    traces = [number for number, line in enumerate(lines) if line.startswith("Traceback (most recent")]
    below = lines[traces[-1] + 1 :] if traces else []
    python = [line for line in below if ": " in line and not line.startswith(("File ", "at ", "^"))]
    java = [line[2:] for line in lines if line.startswith(": ")]
    return [*python, *java, *lines, type(error).__name__][0][:300]


def _conf(settings: dict[str, str]) -> Any:
    conf = SparkConf(loadDefaults=False)
    for key, value in settings.items():
        conf.set(key, value)
    return conf
