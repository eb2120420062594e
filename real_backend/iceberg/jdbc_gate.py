"""The gate around JDBC: Iceberg's real `JdbcCatalog`, its client pool and its operations over connections of ours.

A driver that Java's `DriverManager` finds hands out connections whose statements are held: a query is the step `load`,
an update the step `commit`. The database beneath is Derby, in the JVM's memory, which Spark brings. Faults:

    drop-before, drop-after   the connection breaks (SQLSTATE 08006), the statement not applied, or applied

What is made of that is the pool's own: it connects anew, and runs the statement again.

Source: org.apache.iceberg.jdbc.JdbcCatalog, JdbcClientPool, JdbcUtil, 1.11.0; java.sql.DriverManager.

Choices: 08006 is what PostgreSQL's driver gives of a connection that broke (`PSQLState.CONNECTION_FAILURE`). A query
that looks for a namespace is no step. Derby has no LIMIT, and gets what it has in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.gating.gate import Gate
from real_backend.iceberg.ops_gate import GatedTableOperations, Snapshots, current_snapshot
from real_backend.iceberg.rest_gate import APPLIED, COMMIT, LOAD, NOT_APPLIED, REFUSED
from real_backend.jvm.jvm import Jvm

CONNECTION_FAILURE = "08006"
DATABASE = "jdbc:derby:memory:lakeproof;create=true"
GATED = "jdbc:gated:"
OF_NAMESPACES = ("SELECT table_namespace ", "SELECT namespace ")
IN_DERBY = (" LIMIT 1", " FETCH FIRST 1 ROWS ONLY")
FAULTS = {LOAD: ("drop-before",), COMMIT: ("drop-before", "drop-after")}


def can_fault(operation: str, fault: str) -> bool:
    """Whether this gate can commit the fault."""
    return fault in FAULTS.get(operation, ())


class Link:
    """What the statements of one actor's connections are to their race. Nothing is held until `join`."""

    def __init__(self, jvm: Jvm, actor: str) -> None:
        self.jvm, self.actor = jvm, actor
        self._gate: Callable[[], Gate] | None = None
        self.adds: str | None = None
        self.applied: Callable[[], None] = lambda: None
        """Told when a row was changed, before the answer."""

    def join(self, gate: Callable[[], Gate]) -> None:
        """From now on statements are steps."""
        self._gate = gate

    def leave(self) -> None:
        """Nothing is held any more."""
        self._gate = None

    def query(self, run: Callable[[], Any], *, is_step: bool = True) -> Any:
        """The step `load`, if it is one."""
        if is_step and self._gate is not None and self._gate().hold(self.actor, LOAD) is not None:
            raise self._broken()
        return run()

    def said(self, value: str) -> str:
        """What a statement says, as the database is told."""
        return value

    def update(self, run: Callable[[], int], told: Mapping[int, str]) -> int:
        """The step `commit`. Args: `told`: what the statement's places say."""
        if self._gate is None:
            return run()
        fault = self._gate().hold(self.actor, COMMIT)
        if fault == "drop-before":
            self._gate().note(self.actor, NOT_APPLIED, self.adds)
            raise self._broken()
        try:
            changed = run()
        except Py4JJavaError:
            self._gate().note(self.actor, REFUSED, self.adds)
            raise
        if changed:
            self.applied()
        self._gate().note(self.actor, APPLIED if changed else REFUSED, self.adds)
        if fault is not None:
            raise self._broken()
        return changed

    def _broken(self) -> Py4JJavaError:
        return Py4JJavaError("injected", self.jvm.java.java.sql.SQLException("injected", CONNECTION_FAILURE))


class _Statement:
    """A prepared statement, as Iceberg uses one."""

    class Java:
        """Read by py4j."""

        implements = ("java.sql.PreparedStatement",)

    def __init__(self, link: Link, real: Any, *, is_step: bool) -> None:
        self._link, self._real, self._is_step = link, real, is_step
        self._told: dict[int, str] = {}

    def setString(self, place: int, value: str) -> None:
        """Passed through."""
        self._told[place] = self._link.said(value)
        self._real.setString(place, self._told[place])

    def executeQuery(self) -> Any:
        """Held."""
        return self._link.query(self._real.executeQuery, is_step=self._is_step)

    def executeUpdate(self) -> int:
        """Held."""
        return self._link.update(self._real.executeUpdate, self._told)

    def execute(self) -> Any:
        """Passed through: it makes the catalog's tables."""
        return self._real.execute()

    def close(self) -> None:
        """Passed through."""
        self._real.close()


class _Connection:
    """A connection, as Iceberg uses one."""

    class Java:
        """Read by py4j."""

        implements = ("java.sql.Connection",)

    def __init__(self, link: Link, real: Any) -> None:
        self._link, self._real = link, real

    def prepareStatement(self, sql: str) -> _Statement:
        """One whose execution is held."""
        of_a_table = not sql.startswith(OF_NAMESPACES)
        return _Statement(self._link, self._real.prepareStatement(sql.replace(*IN_DERBY)), is_step=of_a_table)

    def getMetaData(self) -> Any:
        """Passed through."""
        return self._real.getMetaData()

    def close(self) -> None:
        """Passed through."""
        self._real.close()


class _Driver:
    """Connects `jdbc:gated:ACTOR` to the database. Args: `linked` makes what holds an actor's statements."""

    class Java:
        """Read by py4j."""

        implements = ("java.sql.Driver",)

    def __init__(self, jvm: Jvm, linked: Callable[[Jvm, str], Link]) -> None:
        self._jvm, self._linked = jvm, linked
        self.links: dict[str, Link] = {}

    def link(self, actor: str) -> Link:
        """That of an actor."""
        if actor not in self.links:
            self.links[actor] = self._linked(self._jvm, actor)
        return self.links[actor]

    def leave(self) -> None:
        """Nobody's statements are held any more."""
        for link in self.links.values():
            link.leave()

    def acceptsURL(self, url: str) -> bool:
        """Those that begin so."""
        return url.startswith(GATED)

    def connect(self, url: str, _: Any) -> _Connection | None:
        """A connection of its actor; None for another driver's."""
        if not url.startswith(GATED):
            return None
        real = self._jvm.java.java.sql.DriverManager.getConnection(DATABASE)
        return _Connection(self.link(url.removeprefix(GATED)), real)

    def hashCode(self) -> int:
        """There is one of them."""
        return 1

    def equals(self, _: Any) -> bool:
        """There is one of them."""
        return False

    def toString(self) -> str:
        """For the log."""
        return GATED


def registered(jvm: Jvm, linked: Callable[[Jvm, str], Link]) -> _Driver:
    """A driver that Java's `DriverManager` finds from now on."""
    driver = _Driver(jvm, linked)
    java, thread = jvm.java.java, jvm.java.java.lang.Thread.currentThread()
    java.lang.System.setProperty("derby.stream.error.file", f"{jvm.folder}/derby.log")
    before = thread.getContextClassLoader()
    thread.setContextClassLoader(java.lang.ClassLoader.getSystemClassLoader())  # else Iceberg does not see the class
    java.sql.DriverManager.registerDriver(driver)
    thread.setContextClassLoader(before)
    return driver


class JdbcCatalogs:
    """A catalog of each actor on one database; the same for all races in a JVM."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._driver = registered(jvm, Link)
        self._made: dict[str, Any] = {}

    def of(self, actor: str) -> Any:
        """The catalog of an actor, with one connection; its statements are steps once it has joined a race."""
        if actor not in self._made:
            self._made[actor] = catalog = self._jvm.iceberg.jdbc.JdbcCatalog()
            io = "org.apache.iceberg.inmemory.InMemoryFileIO"
            settings = {"uri": GATED + actor, "warehouse": "memory:/jdbc", "io-impl": io, "clients": "1"}
            catalog.initialize("jdbc", self._jvm.java_map(settings))
        return self._made[actor]

    def link(self, actor: str) -> Link:
        """What holds the actor's statements."""
        return self._driver.link(actor)

    def leave(self) -> None:
        """Nobody's statements are held any more."""
        self._driver.leave()


class GatedJdbcOperations(GatedTableOperations):
    """A py4j proxy around one actor's real `JdbcTableOperations`, whose statements are held, and not its calls."""

    def __init__(
        self, jvm: Jvm, link: Link, real: Any, gate: Callable[[], Gate], snapshots: Snapshots,
        moved: Callable[[Any], None],
    ) -> None:  # fmt: skip
        self._link = link
        super().__init__(jvm, link.actor, real, gate, snapshots, moved)

    def refresh(self) -> Any:
        """As the real ones do."""
        metadata = self._real.refresh()
        self._gate().note(self._actor, version=current_snapshot(metadata))
        return metadata

    def commit(self, base: Any, metadata: Any) -> None:
        """As the real ones do; each time that a row is changed is noted."""
        self._link.adds = snapshot = self._added(base, metadata)

        def applied() -> None:
            if snapshot is not None:
                self._snapshots.made[int(snapshot)] = self._actor
            self.made(metadata)
            if base is None or current_snapshot(base) != current_snapshot(metadata):
                self._moved(metadata.currentSnapshot())

        self._link.applied = applied
        self._real.commit(base, metadata)


class BegunOnJdbc(GatedJdbcOperations):
    """Operations of a transaction whose begin is known: what it refreshes is not what it was begun on."""

    def refresh(self) -> Any:
        """As the real ones do."""
        return self._real.refresh()
