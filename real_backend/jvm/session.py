"""One Spark session for all live SQL runs: loopback only, no UI, one partition, a warehouse that goes away at the end.

Catalogs are added to the running session, one per actor and REST gate, so that a gate's writers are told apart by the
catalog that a statement names.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.errors.exceptions import captured
from pyspark.sql import DataFrame, SparkSession

from real_backend.jvm.jvm import Jvm, changed_environment, own_environment

_EXTENSIONS = "spark.sql.extensions"
_CONVERTING = captured.capture_sql_exception
SETTINGS = {
    "spark.master": "local[2]",
    "spark.app.name": "lakeproof",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.sql.adaptive.enabled": "false",  # steadier plans, less start-up work
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
    _EXTENSIONS: "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}


@dataclass(frozen=True, slots=True)
class Additions:
    """What another system brings into the session beside Iceberg: jars by name, folders of classes, settings.

    A setting that the session has already replaces it, but for extensions, which are joined.
    """

    jars: tuple[str, ...] = ()
    classes: tuple[Path, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    options: str = ""

    def added_to(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Settings of a session with these."""
        both = {**settings, **self.settings}
        if _EXTENSIONS in self.settings:
            both[_EXTENSIONS] = f"{settings[_EXTENSIONS]},{self.settings[_EXTENSIONS]}"
        return both


class Session:
    """A Spark session and the JVM below it."""

    def __init__(self, jvm: Jvm, settings: Mapping[str, str] = SETTINGS) -> None:
        self.jvm = jvm
        self.warehouse = jvm.folder / "warehouse"
        conf = SparkConf(loadDefaults=False)
        for key, value in settings.items():
            conf.set(key, value)
        conf.set("spark.sql.warehouse.dir", str(self.warehouse / "spark"))
        with changed_environment(own_environment(jvm.folder)):
            self.context = SparkContext(conf=conf, gateway=jvm.gateway)
        self.context.setLogLevel("OFF")
        self.spark = SparkSession(self.context)
        convert_exceptions_of(jvm)
        self._catalogs: set[str] = set()

    def add_catalog(self, name: str, settings: dict[str, str]) -> None:
        """Make an Iceberg catalog known to the session under `name`; the second time nothing happens."""
        if name in self._catalogs:
            return
        self._catalogs.add(name)
        for key, value in {"": "org.apache.iceberg.spark.SparkCatalog", **settings}.items():
            self.spark.conf.set(f"spark.sql.catalog.{name}" + (f".{key}" if key else ""), value)

    def sql(self, text: str) -> list[Any]:
        """Run one statement and return its rows."""
        return list(self.spark.sql(text).collect())

    def parsed_by_spark(self, text: str) -> list[Any]:
        """Run one query that Spark's own parser reads, and none of the extensions', and return its rows."""
        jvm, session = self.jvm.gateway.jvm, self.spark._jsparkSession
        plan = jvm.org.apache.spark.sql.execution.SparkSqlParser().parsePlan(text)
        return list(DataFrame(jvm.org.apache.spark.sql.Dataset.ofRows(session, plan), self.spark).collect())

    def location(self, name: str) -> Path:
        """A folder of the warehouse."""
        return self.warehouse / name

    def stop(self) -> None:
        """End Spark and its JVM, so that another session can be started in this process."""
        self.spark.stop()
        SparkContext._gateway = None
        SparkContext._jvm = None
        self.jvm.stop()


def convert_exceptions_of(jvm: Jvm) -> None:
    """Leave to pyspark the exceptions of Spark's own JVM alone.

    Every session, also one that pyspark makes by itself, makes it look at every Java exception in this process, in
    Spark's JVM: there, an exception of another JVM is an unknown object, or whatever has its number.
    """
    client = jvm.gateway._gateway_client

    def of_spark(plain: Callable[..., Any]) -> Callable[..., Any]:
        converting = _CONVERTING(plain)

        def get_return_value(answer: str, gateway_client: Any, *more: Any) -> Any:
            return (converting if gateway_client is client else plain)(answer, gateway_client, *more)

        return get_return_value

    captured.capture_sql_exception = of_spark
    captured.install_exception_handler()


@contextmanager
def spark_session(*additions: Additions) -> Iterator[Session]:
    """The Spark session, ended on the way out. At most one at a time in a process.

    Args: `additions` are what other systems need in it.
    Raises: `BackendUnavailable`, `BackendTimeout`, when the JVM does not start.
    """
    settings, jars = dict(SETTINGS), ["iceberg"]
    classes, options = list[Path](), list[str]()
    for more in additions:
        settings = more.added_to(settings)
        jars += more.jars
        classes += more.classes
        options += [more.options] if more.options else []
    jvm = Jvm(settings, tuple(jars), tuple(classes), " ".join(options))
    try:
        session = Session(jvm, settings)
    except BaseException:
        jvm.stop()
        raise
    try:
        yield session
    finally:
        session.stop()
