"""A ZooKeeper server inside the session's JVM: the only coordinator with which Hudi locks single file groups.

Source: `DirectMarkerTransactionManager` (1.2.0) refuses every other lock provider.

Choices: the server comes with Spark's own jars, listens on a loopback port of its own, and writes below the session's
folder. Its locks are not gated, and who waits for one waits where the harness cannot see it; so the calls that take the
table's lock are made one at a time, and a schedule must not make anybody wait for a file group's.
"""

from real_backend.jvm.session import Session

TICK_MS = 2000
MOST_CLIENTS = 100


class ZooKeeper:
    """The running server; end it with `close`."""

    def __init__(self, session: Session) -> None:
        java = session.jvm.java
        server = java.org.apache.zookeeper.server
        folder = session.location("zookeeper")
        states, logs = (java.java.io.File(str(folder / name)) for name in ("states", "logs"))
        self._factory = server.NIOServerCnxnFactory()
        self._factory.configure(java.java.net.InetSocketAddress("127.0.0.1", 0), MOST_CLIENTS)
        self._server = server.ZooKeeperServer(states, logs, TICK_MS)
        self._factory.startup(self._server)
        self.port = int(self._factory.getLocalPort())

    def options(self, name: str) -> dict[str, str]:
        """Where Hudi's own provider finds it, for locks below this name."""
        key = "hoodie.write.lock.zookeeper"
        return {
            f"{key}.url": f"127.0.0.1:{self.port}",
            f"{key}.port": str(self.port),
            f"{key}.base_path": f"/{name}",
            f"{key}.lock_key": name,
        }

    def expire(self) -> None:
        """End all sessions, as if nobody had been heard of for so long; their locks go."""
        for session in list(self._server.getZKDatabase().getSessions()):
            self._server.closeSession(session)

    def close(self) -> None:
        """Stop it."""
        self._factory.shutdown()
