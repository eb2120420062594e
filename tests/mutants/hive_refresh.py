"""CachedStore in its default mode with one rule of its refresh broken, and the race in which each is noticed.

Source: hive/3.1. The patches damage the variant, not the reference: in the same race the variant keeps the property.
"""

from dataclasses import replace

from model.hive.cache import Cache
from model.hive.cached_objects import EVERYTHING, CachedObjects
from model.hive.entry import Entry
from model.hive.refresh import Refresher
from model.hive.rows import Event, Partitions, Table
from model.hive.rules import SHIPPED_REFRESH
from sim.hive.race import HiveRace
from sim.hive.workload import (
    Alter,
    Create,
    Drop,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    ListPartitions,
    PutPartition,
    Statement,
)
from sim.world.scenario import Scenario
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant, Patch

E = "default.e"
TABLES = (HiveTable(E, "e0", False, (("d=2", "p2"),)),)
OWN = ("alter_table", "create_table", "put_partition", "get_table", "get_partitions", "poll")


def _looks_at_no_flag(self: Refresher) -> bool:
    self.cache.dirty = False
    return False


def _keeps_what_is_gone(self: Refresher, tables: tuple[Table | None, ...]) -> bool:
    kept = dict(self.cache.entries)
    replaced = _replace(self, tables)
    self.cache.entries = kept | self.cache.entries
    return replaced


def _makes_anew(self: Refresher, tables: tuple[Table | None, ...]) -> bool:
    self.cache.entries = {table.name: Entry(table) for table in tables if table is not None}
    return True


def _puts_always(self: Refresher, name: str, parts: Partitions) -> bool:
    entry = self.cache.entries.get(name)
    if entry is not None:
        entry.partitions, entry.dirty = dict(parts), False
    return True


def _applies_nothing(self: Cache, event: Event) -> None:
    self.touched = True


def _applies_without_flag(self: Cache, event: Event) -> None:
    _apply_own(self, event)
    self.dirty = False


_replace = Refresher._replace
_apply_own = Cache.apply_own
_has = CachedObjects.has


def _denies_nothing(self: CachedObjects, table: str) -> bool:
    return _has(EVERYTHING, table)


def _mutant(name: str, why: str, patch: Patch) -> Mutant:
    return Mutant(name, why, (patch,), SHIPPED_REFRESH)


def _race(
    broken: str, home: str, todo: tuple[Statement, ...], *steps: str, other: tuple[Statement, ...] = (),
    denied: str = "",
) -> Scenario:  # fmt: skip
    """A client at `home`, and one at h1 that gives h2 something to refresh."""
    others = (HiveSession("w2", "h1", other),) if other else ()
    race = HiveRace(
        HiveWorkload((HiveSession("w1", home, todo), *others), TABLES, cached=EVERYTHING._replace(denied=denied)),
        SHIPPED_REFRESH,
    )
    race = replace(race, drains=broken == "convergence")
    return Scenario(f"hive/refresh-{broken}", race, (broken,), yield_points=(*OWN, *steps))


ALTERS: tuple[Statement, ...] = (Alter(E, "e1"), Get(E))
ADDS: tuple[Statement, ...] = (PutPartition(E, "d=1", "p1"), ListPartitions(E))
ELSEWHERE: tuple[Statement, ...] = (PutPartition(E, "d=2", "p3"),)
DENIED = _race("read-your-writes", "h1", (Alter(E, "e1"), Alter(E, "e2"), Get(E, "h2")), denied=r"hive\.default\.e")
RACES = {
    "deny-list-unheard": DENIED,
    "refresh-forgets-lists": DENIED,
    "flag-ignored": _race("read-your-writes", "h2", ALTERS, "refresh_check", other=ELSEWHERE),
    "flag-not-set": _race("read-your-writes", "h2", ALTERS, "refresh_check", other=ELSEWHERE),
    "own-changes-not-applied": _race("read-your-writes", "h2", ALTERS),
    "dropped-tables-kept": _race("convergence", "h1", (Drop(E), Create("default.f", "f0", managed=False))),
    "entries-made-anew": _race("read-your-writes", "h2", ADDS, "refresh_partitions"),
    "partition-flag-ignored": _race("read-your-writes", "h2", ADDS, "apply", other=ELSEWHERE),
}
MUTANTS = (
    _mutant("flag-ignored", "tables read before a change replace it", (Refresher, "_takes_flag", _looks_at_no_flag)),
    _mutant("flag-not-set", "a change does not say that there was one", (Cache, "apply_own", _applies_without_flag)),
    _mutant("own-changes-not-applied", "a change waits for the next refresh", (Cache, "apply_own", _applies_nothing)),
    _mutant("dropped-tables-kept", "tables are put beside the old ones", (Refresher, "_replace", _keeps_what_is_gone)),
    _mutant("entries-made-anew", "they have no partitions until these are read", (Refresher, "_replace", _makes_anew)),
    _mutant("deny-list-unheard", "what is not to be cached is", (CachedObjects, "has", _denies_nothing)),
    replace(
        edited(
            "refresh-forgets-lists",
            "what is not to be cached is after a refresh",
            (Refresher, "_refresh_tables", ("filter(self.cache.objects.has, names)", "names")),
        ),
        base=SHIPPED_REFRESH,
    ),
    _mutant("partition-flag-ignored", "partitions read before a change replace it", (Refresher, "_put", _puts_always)),
)
KILLS: dict[str, tuple[Mutant, Scenario]] = {mutant.name: (mutant, RACES[mutant.name]) for mutant in MUTANTS}
"""Each mutant by its name, with the race that it loses."""
