"""Spark SQL on the real JDBC catalog: each session's statements are held, as those of the Java API are (`jdbc_gate`).

What the catalog has of a table is looked up beside, by a catalog of the same rows whose statements are no steps.

Choices: in Spark a catalog's name is the actor's, and rows have it; the gate says one name for all, as sessions do that
call their catalog alike. Files are on disk.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from real_backend.gating.gate import Gate
from real_backend.iceberg import jdbc_gate
from real_backend.iceberg.jdbc_gate import GATED, Link, registered
from real_backend.iceberg.rest_gate import files_named
from real_backend.jvm.jvm import Jvm

NAME = "sql"
"""The name of the catalog in the database."""
PLAIN = "beside"


class _SqlLink(Link):
    """What the statements of one session's connections are to their race."""

    def __init__(self, jvm: Jvm, actor: str, catalog: str, beside: JdbcSqlCatalogs) -> None:
        super().__init__(jvm, actor)
        self._own, self._beside = catalog, beside

    def said(self, value: str) -> str:
        """The catalog's name in the database in place of its own."""
        return NAME if value == self._own else value

    def query(self, run: Callable[[], Any], *, is_step: bool = True) -> Any:
        """As a link does; what was loaded is noted."""
        found = super().query(run, is_step=is_step)
        if is_step:
            self._beside.loaded(self.actor)
        return found

    def update(self, run: Callable[[], int], told: Mapping[int, str]) -> int:
        """As a link does; what it adds is in the file that the row is to name."""
        self.adds, self.applied = self._beside.changing(self.actor, told)
        return super().update(run, told)


class JdbcSqlCatalogs:
    """The JDBC catalog of all sessions of Spark, on a database of its own in its JVM."""

    can_fault = staticmethod(jdbc_gate.can_fault)

    def __init__(self, jvm: Jvm, warehouse: str) -> None:
        self._jvm, self._warehouse = jvm, warehouse
        self.made: dict[int, str] = {}
        self._gate, self._table = Gate(()), ""
        self._moved: Callable[[str, Any], None] | None = None
        self._driver = registered(jvm, self._link)
        self._hadoop = jvm.gateway.jvm.org.apache.hadoop.conf.Configuration()
        self._catalog = jvm.iceberg.jdbc.JdbcCatalog()
        self._catalog.setConf(self._hadoop)
        self._catalog.initialize(NAME, jvm.java_map(self.settings(PLAIN)))

    def named(self, actor: str) -> str:
        """What an actor's catalog is called in Spark."""
        return f"jdbc_{actor}"

    def settings(self, actor: str) -> dict[str, str]:
        """Those of a session's catalog."""
        return {"type": "jdbc", "uri": f"{GATED}{actor}", "warehouse": self._warehouse, "clients": "1"}

    def _link(self, jvm: Jvm, actor: str) -> Link:
        return Link(jvm, actor) if actor == PLAIN else _SqlLink(jvm, actor, self.named(actor), self)

    def install(self, gate: Gate, table: str | None = None, moved: Callable[[str, Any], None] | None = None) -> None:
        """Put a run's gate before the statements of its actors. Args: as those of a REST catalog."""
        self._gate, self._table, self._moved = gate, table or "", moved
        self._driver.leave()
        for actor in gate.actors:
            self._driver.link(actor).join(lambda: self._gate)

    def _load(self, table: str) -> Any:
        """The table, beside. Args: `table`: its name, with its namespace."""
        return self._catalog.loadTable(self._jvm.iceberg.catalog.TableIdentifier.parse(table))

    def loaded(self, actor: str) -> None:
        """An actor has loaded the table."""
        if actor in self._gate.actors:
            snapshot = self._load(self._table).currentSnapshot()
            self._gate.note(actor, version=None if snapshot is None else str(snapshot.snapshotId()))

    def changing(self, actor: str, told: Mapping[int, str]) -> tuple[str | None, Callable[[], None]]:
        """What an UPDATE adds, and what is to be told when it was applied. Args: `told`: what its places say: the new
        location first, and the old one."""
        if actor not in self._gate.actors:
            return None, lambda: None
        new, old = self._snapshots_in(told[1]), self._snapshots_in(told[2])
        added = next((number for number in new if number not in old), None)

        def applied() -> None:
            if added is not None:
                self.made[added] = actor
            if self._moved is not None:
                self._moved(actor, self._load(self._table).currentSnapshot())

        return None if added is None else str(added), applied

    def _snapshots_in(self, location: str) -> list[int]:
        io = self._jvm.iceberg.hadoop.HadoopFileIO(self._hadoop)
        metadata = self._jvm.iceberg.TableMetadataParser.read(io, location)
        return [int(snapshot.snapshotId()) for snapshot in metadata.snapshots()]

    def table_metadata(self, namespace: str, table: str) -> dict[str, Any]:
        """The table's metadata as the catalog has it, in its JSON form."""
        loaded = self._load(f"{namespace}.{table}")
        told: dict[str, Any] = json.loads(
            str(self._jvm.iceberg.TableMetadataParser.toJson(loaded.operations().current()))
        )
        return told

    def committed_files(self, namespace: str, table: str) -> tuple[str, ...]:
        """The files on disk that the table's snapshots name."""
        return files_named(self._jvm, self._load(f"{namespace}.{table}"))

    def drop(self, namespace: str, table: str) -> None:
        """Forget a table (its files stay)."""
        self._catalog.dropTable(self._jvm.iceberg.catalog.TableIdentifier.parse(f"{namespace}.{table}"), False)

    def close(self) -> None:
        """Nobody's statements are held any more."""
        self._gate.abandon("the catalog was closed")
        self._driver.leave()
