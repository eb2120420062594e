"""A second JVM with Hudi beside the Spark session's, for an actor that has a host of its own.

It has a Spark context, the storage gate's classes and its own statics: what lives in the memory of a process, such as
the in-process lock, is there once more.

Choices: the two share the machine's clock and its disk; the table is made and read by the first one alone.
"""

from types import SimpleNamespace
from typing import Any, Protocol

from real_backend.hudi.session import additions
from real_backend.jvm.jvm import Jvm
from real_backend.jvm.session import SETTINGS


class Process(Protocol):
    """What a client needs of a JVM: its packages, and a Java Spark context as `context._jsc`."""

    jvm: Jvm
    context: Any


class SecondProcess:
    """A JVM beside the session's, with a Spark context that Python's own Spark knows nothing of.

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """

    def __init__(self) -> None:
        more = additions()
        settings = more.added_to(SETTINGS)
        self.jvm = Jvm(settings, ("iceberg", "hudi"), more.classes, more.options)
        try:
            conf = self.jvm.java.org.apache.spark.SparkConf(False)
            for key, value in settings.items():
                conf.set(key, value)
            context = self.jvm.java.org.apache.spark.api.java.JavaSparkContext(conf)
            context.setLogLevel("OFF")
        except BaseException:
            self.jvm.stop()
            raise
        self.context: Any = SimpleNamespace(_jsc=context)

    def stop(self) -> None:
        """End Spark and the JVM."""
        self.context._jsc.stop()
        self.jvm.stop()
