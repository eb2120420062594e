"""A Spark context for checks: local, loopback only, without jars; and what its Python workers need of any context."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import checkers
from real_backend.jvm.jvm import Jvm
from real_backend.jvm.session import SETTINGS, Session

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ARROW_NUM_THREADS", "ARROW_IO_THREADS")
_SETTINGS = {"spark.driver.maxResultSize": "0", "spark.shuffle.compress": "false"}  # it stays on this machine
_KEPT_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(4 << 30), "NUMPY_MADVISE_HUGEPAGE": "0",
}  # fmt: skip
"""A worker uses the memory of one array for the next; giving it back each time was half of its CPU seconds."""


@contextmanager
def check_context(cores: str = "*") -> Iterator[Any]:
    """A Spark context on this machine, ended on the way out. At most one at a time in a process.

    Raises: `BackendUnavailable`, `BackendTimeout`, when the JVM does not start.
    """
    settings = {name: value for name, value in SETTINGS.items() if name != "spark.sql.extensions"}
    settings |= {"spark.master": f"local[{cores}]", **_SETTINGS}
    jvm = Jvm(settings, jars=())
    try:
        session = Session(jvm, settings)
    except BaseException:
        jvm.stop()
        raise
    try:
        yield session.context
    finally:
        session.stop()


def prepare(context: Any) -> None:
    """Let the context's Python workers find this code, with this Python, on one thread each, and keep their memory."""
    root = str(Path(checkers.__file__).resolve().parents[1])
    known = context.environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", "")).split(os.pathsep)
    context.environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([root, *[one for one in known if one]]))
    context.environment.update(dict.fromkeys(_ONE_THREAD, "1"), **_KEPT_MEMORY)
    context.pythonExec = sys.executable
