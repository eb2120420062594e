"""The JDBC catalog: the pointer is a row of a database, compared and swapped by one statement.

| what is asked | statements |
| --- | --- |
| load | SELECT |
| commit | SELECT, its location compared; UPDATE of the row that still has the old location |
| create | SELECT twice; INSERT, which the primary key refuses where there is a row |
| drop | DELETE of the row of that name, whatever it says |
| rename | SELECT of the table, and of the new name; UPDATE of the name, whatever the row says |

The client pool runs a statement again whose connection broke, once, and looks at nothing before. So an UPDATE that was
applied changes no row the second time, which is a lost race; a DELETE takes a row away that was inserted meanwhile; and
an INSERT is refused, whereupon the pool gives the first error, which leaves the outcome open. A rename that was applied
finds no table the second time, and says so; if one was made of its name meanwhile, it is refused as the INSERT is.

Source: iceberg/3; `core/jdbc/JdbcTableOperations.java` (`doRefresh`, `doCommit`, `createTable`, `updateTable`),
`core/jdbc/JdbcCatalog.java` (`dropTable`, `renameTable`), `core/ClientPoolImpl.java` (`run`),
`core/jdbc/JdbcClientPool.java` (`isConnectionException`), `core/BaseMetastoreTableOperations.java` (`refresh`) of
1.11.0.

Choices: as those of `register`, whose versions stand for locations; the JSON file that nobody deletes is left out. The
namespace is not looked for (`jdbc.strict-mode` is off), nor are views (`jdbc.schema-version` is the first, the
default).
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from model import ports
from model.iceberg import coverage
from model.iceberg.errors import AlreadyExists, CommitFailed, DatabaseFailed, NoSuchTable
from model.iceberg.existence import DROPPED, Create, Drop
from model.iceberg.meanings import Commits, Loads, LostRace, Renames, Sees
from model.iceberg.metadata import TableMetadata
from model.iceberg.register import RegisterOperations
from model.ports import CasLost, NotFound, Unanswered, Versioned, World

Answer = TypeVar("Answer")
TO_LOOK = Loads("attempt")
RECONNECT_MS = 1_000
"""How long the pool waits after a second failure, before it gives the first one. Source: `ClientPoolImpl.run`."""


class JdbcOperations(RegisterOperations):
    """`TableOperations` over `world.register` with the rules of the JDBC catalog's client pool."""

    __slots__ = ("_outdated",)

    def __init__(self, world: World, name: str, loaded: Versioned | None = None) -> None:
        super().__init__(world, name, loaded)
        self._outdated = False

    @property
    def seen(self) -> Versioned:
        """The table as last seen, loaded anew after a commit. Source: `requestRefresh`, `current`."""
        if self._outdated:
            self._world.notes.intend(TO_LOOK)
            self.refresh()
        return super().seen

    def refresh(self) -> TableMetadata:
        """SELECT the row. Raises: `NoSuchTable`, after which the table is forgotten, or `DatabaseFailed`."""
        found = self._selected()
        if found is None:
            self._seen, self._outdated = None, False
            raise NoSuchTable(f"load {self._name}: expected a table, the catalog has none")
        metadata = self._see(found)
        self._outdated = False
        return metadata

    def find(self) -> TableMetadata | None:
        """The same; what was known and is gone is looked for once more, as a table that was never seen.

        Source: `BaseTransaction.commitReplaceTransaction`, which asks for `current` after the refresh has failed.
        """
        known = self._seen is not None
        try:
            return self.refresh()
        except NoSuchTable:
            return self.find() if known else None

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """SELECT the row, compare, and UPDATE it; nothing is asked if nothing is changed."""
        seen = self.seen
        if updated is seen.value and replaces is None:
            return
        self._world.notes.intend(TO_LOOK)
        found = self._selected()
        if found is not None:
            self._world.notes.learn(Sees(found.value))
        if found is None or found.version != seen.version:
            self._world.coverage.hit(coverage.LOCATION_CHANGED)
            raise CommitFailed(f"commit {self._name}: expected version {seen.version} to be current, it is not")
        self._world.notes.intend(Commits(seen.value, updated, True))
        try:
            version = self._run(partial(self._world.register.commit, self._name, seen.version, updated))
        except (CasLost, NotFound) as error:  # no row was changed
            self._world.notes.learn(LostRace())
            raise CommitFailed(f"commit {self._name}: expected version {seen.version} to be current; {error}") from None
        self._seen, self._outdated = Versioned(version, updated), True

    def create(self, begun: TableMetadata, updated: TableMetadata) -> None:
        """SELECT twice, and INSERT. Raises: `AlreadyExists`, `DatabaseFailed`."""
        self._finds(self._name)
        if self._finds(self._name):
            raise self._exists()
        self._world.notes.intend(Commits(begun, updated, True))
        try:
            self._seen = self._run(partial(self._world.register.update, self._name, Create(updated)))
        except ports.AlreadyExists:
            self._world.notes.learn(LostRace())
            raise self._exists() from None
        self._outdated = True

    def _exists(self) -> AlreadyExists:
        self._world.coverage.hit(coverage.TABLE_EXISTS)
        return AlreadyExists(f"create {self._name}: expected no table, the catalog has one")

    def drop(self, by: int, uuid: int | None = None) -> bool:
        """DELETE the row. Args: `uuid`: the table's that is meant, which no statement compares as shipped."""
        self._world.notes.intend(Commits(DROPPED, DROPPED, fenced=False))
        try:
            self._run(partial(self._world.register.update, self._name, Drop(by, uuid)))
        except NotFound:
            return False
        except CasLost as error:
            self._world.coverage.hit(coverage.ANOTHER_TABLE)
            raise AlreadyExists(f"drop {self._name}: {error}") from None
        return True

    def rename(self, name: str, to: str) -> None:
        """SELECT both, and UPDATE the name. Raises: `NoSuchTable`, `AlreadyExists`, `DatabaseFailed`."""
        if name == to:
            return
        if not self._is_there(name):
            raise NoSuchTable(f"rename {name}: expected a table, the catalog has none")
        if self._is_there(to):
            raise AlreadyExists(f"rename {name}: expected no table {to}, the catalog has one")
        self._world.notes.intend(Renames(name, to, puts_back=False))
        try:
            self._run(partial(self._world.register.rename, name, to))
        except NotFound:
            raise NoSuchTable(f"rename {name}: expected a table, the catalog has none") from None
        except ports.AlreadyExists as error:
            raise AlreadyExists(f"rename {name}: {error}") from None

    def _is_there(self, name: str) -> bool:
        self._world.notes.intend(TO_LOOK)
        return self._finds(name)

    def _finds(self, name: str) -> bool:
        found = self._selected(name)
        if found is not None:
            self._world.notes.learn(Sees(found.value))
        return found is not None

    def _selected(self, name: str | None = None) -> Versioned | None:
        try:
            return self._run(partial(self._world.register.load, name or self._name))
        except NotFound:
            return None

    def _run(self, statement: Callable[[], Answer]) -> Answer:
        """Run a statement, and once more if its connection breaks.

        Raises: `DatabaseFailed` with the first error if the second run fails, too; else what the database refuses. An
        INSERT that is refused the second time is a failure, an UPDATE or a DELETE of no row is not.
        """
        try:
            return statement()
        except Unanswered as error:
            first = error
        self._world.coverage.hit(coverage.RUN_AGAIN)
        try:
            return statement()
        except Unanswered:
            self._world.clock.sleep_ms(RECONNECT_MS)
        except ports.AlreadyExists:
            self._world.coverage.hit(coverage.INSERTED_TWICE)
        raise DatabaseFailed(f"table {self._name}: expected an answer of the database, got {first}") from first
