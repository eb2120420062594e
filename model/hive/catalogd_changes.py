"""What a catalog daemon of Impala does about the changes that are made through it.

As by default it forgets what it has loaded, and the event does the rest; or it applies the table's events up to the
last one; or, as Impala's own DDL does, it loads the table at once and knows the event for its own when it comes.

Source: Impala `MetastoreServiceHandler.java` (`dropTableIfExists`, `renameNonTransactionalTableIfExists`, which every
alter of a table calls, `invalidateNonTransactionalTableIfExists`); `MetastoreEventsProcessor.syncToLatestEventId`;
`CatalogOpExecutor.java`, `InFlightEvents.java`, `SelfEventContext.java`.

Choices: a mark that says whose change it was stands beside those of other daemons, who leave it alone as Hive does;
upstream there is one. Partitions have none. What follows a change is one step, as under the table's lock.
"""

from collections.abc import Callable, Hashable

from model.hive import log
from model.hive.catalog import MARK, Known, marks_of
from model.hive.catalog_loads import table_of
from model.hive.catalogd import ENDS, Catalogd
from model.hive.meanings import SeesToChange
from model.hive.rows import Event, Parameters
from model.ports import Transaction

ALL = 1_000_000


class ChangingCatalogd(Catalogd):
    """A daemon with clients that change tables. `_changes`: how many marks it has given."""

    _changes = 0

    def state_key(self) -> Hashable:
        """Everything that later answers and events depend on."""
        return super().state_key(), self._changes

    def stamped(self, tx: Transaction, name: str, parameters: Parameters) -> Parameters:
        """The parameters that a change leaves, with the mark by which the daemon knows its event."""
        if self.options.own_changes != "loaded":
            return parameters
        self._changes += 1
        key, table = f"{MARK}{self.name}", table_of(tx, name)
        others = tuple([mark for mark in marks_of(table) if mark[0] != key]) if table is not None else ()
        mark = key, str(self._changes)
        if self.options.in_flight == "before":
            self._note(name, mark)
        return (*parameters, *others, mark)

    def _note(self, name: str, mark: tuple[str, str]) -> None:
        known = self.catalog.in_flight.get(name, ())
        self.catalog.in_flight[name] = known if mark in known else (*known, mark)

    def changed(self, event: Event) -> None:
        """See to a change that was made through the daemon."""
        match self.options.own_changes:
            case "loaded":
                self._at_once(self._load_own, event)
            case "synced":
                self._at_once(self._sync, event)
            case "forgotten":
                self._at_once(self._forget_own, event)

    def _at_once(self, section: Callable[[Event], None], event: Event) -> None:
        self.memory.critical("pull", self.name, lambda: section(event))
        self.cache.observer.learn(SeesToChange(self.name))

    def _forget_own(self, event: Event) -> None:
        assert event.table is not None
        if event.kind == "DROP_TABLE":
            self._drop(event)
        elif event.kind == "ALTER_TABLE" and not event.truncates:
            known = self.catalog.known.pop(event.name, None)
            self.cache.entries.pop(event.name, None)
            if known is not None:
                self.cache.entries.pop(event.table.name, None)
                self.catalog.known[event.table.name] = Known(known.created)
        elif event.kind != "CREATE_TABLE" and not event.table.managed:
            self.catalog.forget(event.name)

    def _drop(self, event: Event) -> None:
        """A later event of an earlier table of this name makes no table again. Source: `DeleteEventLog`."""
        self.catalog.remove(event.name, event.id)
        self.catalog.removed[event.name] = event.id

    def _sync(self, event: Event) -> None:
        """Apply the events of a table that is loaded, from the last one that it is known to have."""
        known = self.catalog.known.get(event.name)
        if known is None or event.name not in self.cache.entries:
            self.apply_event(event)
            return
        synced = known.synced
        for each in self.database.transact("pull", self.name, lambda tx: log.read_after(tx, synced, ALL)):
            if each.name == event.name or each.kind in ENDS:
                self.take_down(each)
                entry = self.apply_event(each)
                if entry is not None:
                    self.install(each, entry, self.loader.load(each.name, known.created))
                known.synced = max(known.synced, each.id)
            if each.kind == "DROP_TABLE" and each.name == event.name:
                self.catalog.removed[each.name] = each.id
                return

    def _load_own(self, event: Event) -> None:
        """Have what was changed at once. Source: `CatalogOpExecutor.alterTable` and others."""
        assert event.table is not None
        entry = self.cache.entries.get(event.name)
        if event.kind in ("CREATE_TABLE", "DROP_TABLE") or event.renames_table:
            self._name_own(event)
        elif entry is not None:
            self.install(event, entry, self.loader.load(event.name, self.catalog.known[event.name].created))
        if event.kind == "ALTER_TABLE" and self.options.in_flight == "after":
            for mark in marks_of(event.table):
                if mark[0] == f"{MARK}{self.name}":
                    self._note(event.name, mark)

    def _name_own(self, event: Event) -> None:
        assert event.table is not None
        if event.kind != "CREATE_TABLE":
            self._drop(event)
        if event.kind != "DROP_TABLE":
            self.cache.entries.pop(event.table.name, None)
            self.catalog.known[event.table.name] = Known(event.id)
