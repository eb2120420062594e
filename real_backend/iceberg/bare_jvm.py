"""A JVM with Iceberg and without Spark, for races through Iceberg's Java API: it starts in two seconds.

Choices: Iceberg runs part of a commit on pools and polls them every 10 ms. The pools are replaced by executors that
run their work in the committing thread, before the first commit (they are static finals, which the JIT folds later).
That changes when manifests are written, never which.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from real_backend.iceberg.gate_classes import classes_folder
from real_backend.jvm.jvm import Jvm

_POOLS = ("WORKER_POOL", "DELETE_WORKER_POOL")


@contextmanager
def bare_jvm() -> Iterator[Jvm]:
    """A running JVM for the Java API, ended on the way out.

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    jvm = Jvm({}, classes=(classes_folder(),))
    try:
        jvm.silence()
        _replace_pools(jvm)
        yield jvm
    finally:
        jvm.stop()


def _replace_pools(jvm: Jvm) -> None:
    field = jvm.java_class("sun.misc.Unsafe").getDeclaredField("theUnsafe")
    field.setAccessible(True)
    unsafe = field.get(None)
    executors = jvm.iceberg.relocated.com.google.common.util.concurrent.MoreExecutors
    direct = executors.newDirectExecutorService()
    for name in _POOLS:
        pool = jvm.java_class("org.apache.iceberg.util.ThreadPools").getDeclaredField(name)
        unsafe.putObject(unsafe.staticFieldBase(pool), unsafe.staticFieldOffset(pool), direct)
