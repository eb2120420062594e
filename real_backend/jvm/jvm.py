"""Starting and stopping a JVM that Python talks to: Spark's own driver JVM, launched by us instead of by pyspark.

pyspark's launcher waits without end, listens to every variable and configuration file of the user's Spark, and hides
the process. Ours has a time limit, an environment of its own, a folder for everything that the JVM writes, and kills
what it started. The rest (py4j, the class path, Java 17's module options) stays Spark's.
"""

import atexit
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import pyspark
from py4j.java_gateway import JavaPackage
from pyspark.java_gateway import ensure_callback_server_started, launch_gateway
from pyspark.serializers import UTF8Deserializer, read_int

from real_backend.errors import BackendTimeout, BackendUnavailable
from real_backend.jvm import preflight
from real_backend.jvm.jars import jar_path

START_S = 90.0
STOP_S = 15.0
# The user's own Spark and Hadoop must not leak into a run that is to be repeatable.
_FOREIGN = (
    "PYSPARK_SUBMIT_ARGS", "SPARK_SUBMIT_OPTS", "SPARK_TESTING", "HADOOP_CONF_DIR", "HADOOP_HOME", "YARN_CONF_DIR",
    "SPARK_DIST_CLASSPATH", "PYSPARK_DRIVER_PYTHON", "PYTHONSTARTUP",
)  # fmt: skip
# C1 only and the serial collector halve the warm-up of short runs; one worker thread keeps Iceberg's order of work.
JAVA_OPTIONS = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -Duser.timezone=UTC -Dfile.encoding=UTF-8 "
    "-Diceberg.worker.num-threads=1"
)


class _Names:
    """The packages and classes in a package; the JVM is asked for each once only."""

    def __init__(self, package: Any) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._package, name)
        self.__dict__[name] = found = _Names(found) if isinstance(found, JavaPackage) else found
        return found


class Jvm:
    """A running JVM. `gateway` is py4j's client, `folder` holds what it writes; both end with `stop`."""

    def __init__(
        self,
        settings: Mapping[str, str],
        jars: tuple[str, ...] = ("iceberg",),
        classes: tuple[Path, ...] = (),
        options: str = "",
    ) -> None:
        """Start it with these jars (by name), folders of classes and further Java options.

        Raises: `BackendUnavailable` (no Java, no jar, it died at once), `BackendTimeout`.
        """
        preflight.check_java()
        # Otherwise every exception that our proxies pass on to Java, a lost race say, is printed with two stacks.
        logging.getLogger("py4j").setLevel(logging.CRITICAL)
        paths = [str(jar_path(name)) for name in jars] + [str(folder) for folder in classes]
        self.folder = Path(tempfile.mkdtemp(prefix="lakeproof-jvm-"))
        self._log = self.folder / "jvm.log"
        self._stopped = False
        configuration = {
            "spark.driver.memory": "1g",
            # Not spark.jars: a class loaded that way is not found by Class.forName from Python.
            "spark.driver.extraClassPath": os.pathsep.join(paths),
            "spark.driver.extraJavaOptions": f"{JAVA_OPTIONS} -Djava.io.tmpdir={self.folder} {options}",
            "spark.local.dir": str(self.folder),
            **settings,
        }
        self.process = self._launch(configuration)
        atexit.register(self.stop)
        try:
            self.gateway = self._connect()
        except BaseException:
            self.stop()
            raise

    def _launch(self, configuration: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit")]
        for key, value in configuration.items():
            command += ["--conf", f"{key}={value}"]
        environment = {key: value for key, value in os.environ.items() if key not in _FOREIGN} | {
            **own_environment(self.folder),
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self.folder / "connection"),
        }
        with self._log.open("wb") as log:
            # Its standard input is a pipe: Spark's gateway ends when the pipe does, so it cannot outlive us.
            return subprocess.Popen(
                [*command, "pyspark-shell"], stdin=subprocess.PIPE, stdout=log, stderr=log,
                env=environment, cwd=self.folder, start_new_session=True,
            )  # fmt: skip

    def _connect(self) -> Any:
        connection = self.folder / "connection"
        deadline = time.monotonic() + START_S
        while not connection.exists():
            if self.process.poll() is not None:
                raise BackendUnavailable(
                    f"JVM: expected it to start, it ended with code {self.process.returncode}: {self._last_line()}"
                )
            if time.monotonic() > deadline:
                raise BackendTimeout(f"JVM: expected it to start within {START_S:g} s, got: {self._last_line()}")
            time.sleep(0.02)
        with connection.open("rb") as file:
            port, secret = _connection(file)
        with changed_environment({"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}):
            gateway = launch_gateway()
        ensure_callback_server_started(gateway)
        # Before any other thread connects: otherwise an exception that our proxies pass on loses its Java class,
        # and Iceberg's commit loop does not recognise a lost race.
        gateway.python_parameters.propagate_java_exceptions = True
        gateway.callback_server_parameters.propagate_java_exceptions = True
        return gateway

    def _last_line(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "nothing in its log"

    @cached_property
    def java(self) -> Any:
        """The JVM's packages: `jvm.java.org.apache.iceberg...`."""
        return _Names(self.gateway.jvm)

    @cached_property
    def iceberg(self) -> Any:
        """The package `org.apache.iceberg`."""
        return self.java.org.apache.iceberg

    def java_class(self, name: str) -> Any:
        """The `java.lang.Class` of this name."""
        return self.java.java.lang.Class.forName(name)

    def java_map(self, entries: Mapping[Any, Any]) -> Any:
        """A `java.util.HashMap`."""
        made = self.java.java.util.HashMap()
        for key, value in entries.items():
            made.put(key, value)
        return made

    def silence(self) -> None:
        """Turn the JVM's logging off: every lost race would log a stack trace."""
        log4j = self.java.org.apache.logging.log4j
        log4j.core.config.Configurator.setRootLevel(log4j.Level.OFF)

    def stop(self) -> None:
        """End the JVM and remove its folder. May be called again."""
        if self._stopped:
            return
        self._stopped = True
        atexit.unregister(self.stop)
        assert self.process.stdin is not None
        self.process.stdin.close()
        logging.getLogger().addFilter(is_no_echo)
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(STOP_S)
        gateway = getattr(self, "gateway", None)
        if gateway is not None:  # not before: it waits without end for a thread that reads what a living JVM may call
            gateway.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_no_echo(record: logging.LogRecord) -> bool:
    """Whether this is not from py4j, which logs on the root logger what it raises as well: connections that break."""
    return Path(record.pathname).parent.name != "py4j"


def own_environment(folder: Path) -> dict[str, str]:
    """The variables that Spark reads, pointing at our own pyspark and at a folder without configuration files."""
    return {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_CONF_DIR": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_PIN_THREAD": "true",
    }


@contextmanager
def changed_environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Set variables of this process for a while."""
    before = {key: os.environ.get(key) for key in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value


def _connection(file: BinaryIO) -> tuple[int, str]:
    return read_int(file), UTF8Deserializer().loads(file)
