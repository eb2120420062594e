"""One Hive Metastore process: settings, start, health, stop.

A cached one has the shipped CachedStore over our `WatermarkStore`: it follows the notification log or, with `BY_TIMER`,
is in its default mode. A plain one has no cache, unless `REFRESHED` is added to its settings: then the shipped one in
its default mode, which nobody holds.

Source: hive/3.5 (settings), hive/8.4.

Choices: healthy is a metastore that answers a call and, if it has a cache, has looked at the log once. The log of one
that does not start is kept in the cache folder, and the message names it.
"""

import shutil
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from thrift.Thrift import TException

from real_backend.errors import BackendTimeout, BackendUnavailable
from real_backend.hive.client import Connection
from real_backend.hive.control import Control
from real_backend.hive.distribution import classes, distribution
from real_backend.hive.ports import LOOPBACK, free_port
from real_backend.hive.postgres import USER, Postgres
from real_backend.hive.processes import Child
from real_backend.jvm.jars import cache_folder
from real_backend.jvm.preflight import check_java, java_command

START_S = 90.0
POLL_MS = 50
MAIN = "org.apache.hadoop.hive.metastore.HiveMetaStore"
_OPENED = (
    "lang lang.reflect net util util.concurrent util.concurrent.atomic util.regex io nio time".split()  # in java.base
)
_JAVA = (
    *[f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in _OPENED],
    "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Duser.timezone=UTC",
)  # fmt: skip
_LOGGING = """\
rootLogger.level=WARN
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{HH:mm:ss.SSS} %p [%t] %c{1} %m%n
"""
SETTINGS = {
    "javax.jdo.option.ConnectionDriverName": "org.postgresql.Driver",
    "metastore.thrift.bind.host": LOOPBACK,
    "metastore.expression.proxy": "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy",
    "metastore.metadata.transformer.class": " ",
    "hive.metastore.event.db.notification.api.auth": "false",
    "metastore.task.threads.always": "org.apache.hadoop.hive.metastore.events.EventCleanerTask",
    "metastore.transactional.event.listeners": "lakeproof.LogListener",
    "metastore.thread.pool.size": "2",
    "datanucleus.connectionPool.maxPoolSize": "6",
    "hikaricp.minimumIdle": "1",  # of each of its pools: many metastores share one database
}
CACHE_SETTINGS = {
    "metastore.rawstore.impl": "lakeproof.CasCachedStore",
    "metastore.cached.rawstore.impl": "lakeproof.WatermarkStore",
    "metastore.cache.can.use.event": "true",
}
BY_TIMER = {
    "metastore.cache.can.use.event": "false",
    "metastore.hmshandler.retry.interval": "10ms",  # a change that the database refuses is tried ten times, as shipped
}
"""Added to these: the cache in its default mode, whose timer can be held."""

TAKEN, OTHER_PORTS = "Address already in use", 3
"""What a server says whose port somebody else took before it had bound it, and how many others it is given then."""
REFRESH_MS = 300
REFRESHED = {
    "metastore.rawstore.impl": "org.apache.hadoop.hive.metastore.cache.CachedStore",
    "metastore.cache.can.use.event": "false",
    "metastore.cached.rawstore.cache.update.frequency": f"{REFRESH_MS}ms",
}
NEVER_REFRESHED = REFRESHED | {"metastore.cached.rawstore.cache.update.frequency": "86400s"}
"""CachedStore in its default mode, with a short time between two refreshes, or with none after the first."""


def polling(poll_ms: int) -> dict[str, str]:
    """Added to a cached one's settings: how often its cache is updated."""
    return {"metastore.cached.rawstore.cache.update.frequency": f"{poll_ms}ms"}


class Metastore:
    """A metastore process. `control` is its cache's watermark; a plain one has none."""

    def __init__(
        self, name: str, postgres: Postgres, database: str, folder: Path, *, cached: bool = True,
        settings: Mapping[str, str] = {},
    ) -> None:  # fmt: skip
        """Write its settings below `folder`; `start` starts it. Args: `settings` are added to those that it has."""
        self.name = name
        self.cached = cached
        self.seconds = 0.0
        self.folder = folder / name
        self.folder.mkdir()
        self._settings = {
            **SETTINGS,
            **((CACHE_SETTINGS | polling(POLL_MS)) if cached else {}),
            "javax.jdo.option.ConnectionURL": postgres.jdbc(database),
            "javax.jdo.option.ConnectionUserName": USER,
            "javax.jdo.option.ConnectionPassword": postgres.password,
            "metastore.warehouse.dir": f"file:{folder / 'warehouse'}",
            **settings,
        }
        self.port = 0
        self._child: Child | None = None
        self._control: Control | None = None

    @property
    def control(self) -> Control:
        """The watermark of a cached metastore that runs."""
        assert self._control is not None, f"metastore {self.name} has no cache, or does not run"
        return self._control

    def start(self) -> None:
        """Start the process and return at once; `await_health` waits. Raises: `BackendUnavailable`."""
        check_java()
        class_path = f"{self.folder}:{classes()}:{distribution().lib}/*"
        self.port = free_port()
        options = [*_JAVA, f"-Djava.io.tmpdir={self.folder}"]
        if self.cached:
            self._control = Control()
            options.append(f"-Dlakeproof.control={self._control.port}")
        site = self.folder / "metastore-site.xml"
        site.touch(mode=0o600)  # it has the database's password
        site.write_text(_xml(self._settings))
        (self.folder / "log4j2.properties").write_text(_LOGGING)
        command = [java_command(), *options, "-cp", class_path, MAIN, "-p", str(self.port)]
        self._began = time.monotonic()
        self._child = Child(command, self.folder, self.folder / "metastore.log")

    def await_health(self, timeout_s: float = START_S) -> None:
        """Wait until it answers. If it does not, it is stopped.

        Raises: `BackendUnavailable` if it ends instead, `BackendTimeout`; both name the log to read.
        """
        assert self._child is not None
        others = OTHER_PORTS
        while not self._is_healthy():
            ended = self._child.code
            if ended is not None and others and TAKEN in self._child.last_words():
                others -= 1
                self.stop()
                self.start()
            elif ended is not None or time.monotonic() - self._began > timeout_s:
                self.stop()
                log = self._keep_log()
                what = f"metastore {self.name}: expected it to answer within {timeout_s:g} s"
                if ended is None:
                    raise BackendTimeout(f"{what}, got no answer; read {log}")
                said = self._child.last_words()
                raise BackendUnavailable(f"{what}, it ended with code {ended}: {said}; read {log}")
            time.sleep(0.05)
        self.seconds = time.monotonic() - self._began

    def _is_healthy(self) -> bool:
        try:
            socket.create_connection((LOOPBACK, self.port), 1).close()
            with Connection(self.port, timeout_s=5) as calls:
                calls.get_current_notificationEventId()
        except (OSError, TException):
            return False
        return self._control is None or (self._control.try_accept() and self._control.ask().polls > 0)

    def _keep_log(self) -> Path:
        assert self._child is not None
        kept = cache_folder().parent / "logs" / f"metastore-{self.name}.log"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._child.log, kept)
        return kept

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._child is not None
        return self._child.pid

    def connect(self) -> Connection:
        """A connection past every gate."""
        return Connection(self.port)

    def rest(self) -> None:
        """Let it stand still until it is woken: a cache looks for news twenty times a second, used or not."""
        if self._child is not None:
            self._child.rest()

    def wake(self) -> None:
        """Let it go on."""
        if self._child is not None:
            self._child.wake()

    def stop(self, *, crash: bool = False) -> None:
        """End it, as a crash would if `crash`. It can be started again."""
        if self._child is not None:
            if crash:
                self._child.kill()
            self._child.stop()
        if self._control is not None:
            self._control.close()
            self._control = None


def _xml(settings: Mapping[str, str]) -> str:
    rows = [f"<property><name>{key}</name><value>{escape(value)}</value></property>" for key, value in settings.items()]
    return "\n".join(["<configuration>", *rows, "</configuration>", ""])
