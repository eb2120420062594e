"""The squares of the table of Iceberg's Hive catalog on metastores: a cache, lock on or off, one replica or two.

What is lost where, and why; the scenarios are in `over_metastores`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from model.hive import FIXED, Rules
from model.hive import coverage as hive
from model.hive.rules import SHIPPED, SHIPPED_CAS, SHIPPED_CAS_NO_REPLAY, SHIPPED_REFRESH
from model.iceberg import coverage as iceberg
from sim.hive.bounds import EVENT_MODE, REFRESHED

LiveCache = Literal["off", "shipped", "cas", "cas-no-replay"]
Cache = LiveCache | Literal["refresh"]
CACHES: Mapping[str, Rules] = {
    "off": FIXED, "shipped": SHIPPED, "refresh": SHIPPED_REFRESH, "cas": SHIPPED_CAS,
    "cas-no-replay": SHIPPED_CAS_NO_REPLAY,
}  # fmt: skip
WAITED = "locks: waited"
STEPS = ("lock", "get_table", "alter_table", "unlock", "sleep", "poll", "apply")
REFRESH_STEPS = (*STEPS, "refresh_names", "refresh_table", "refresh_check")


class Cell(NamedTuple):
    """One square of the composite's table."""

    cache: Cache
    lock: bool
    replicas: int

    @property
    def name(self) -> str:
        """The scenario's name."""
        lock = "lock" if self.lock else "no-lock"
        return f"hive/iceberg-{self.cache}-{lock}-{'one' if self.replicas == 1 else 'two'}"

    @property
    def words(self) -> str:
        """The catalog of a drawn race in this square, as a parameter, by which findings are known."""
        return f"{'hive-lock' if self.lock else 'hive-no-lock'}, {self.cache}, {self.replicas}"

    @property
    def steps(self) -> tuple[str, ...]:
        """The calls that are steps."""
        return REFRESH_STEPS if self.cache == "refresh" else STEPS


LOST = {
    Cell("refresh", True, 1): "A change is in the cache before it is committed, and a refresh takes it out again: the "
    "next writer finds the old table behind the lock, on the same metastore.",
    Cell("refresh", True, 2): "The check after the lock reads what the other replica's timer last read: commits go.",
    Cell("shipped", True, 2): "The check after the lock reads the other replica's stale cache: one or two commits go.",
    Cell("cas", True, 2): "Locked, nobody compares; the check after the lock reads a stale cache: one or two go.",
    Cell(
        "cas", False, 2
    ): "A replayed alter sets the database back to what a stale writer expects (R1): a commit is lost.",
    Cell("cas-no-replay", True, 2): "As with the replay: the lock does not help, one or two commits go.",
}
SILENT = {
    Cell("shipped", False, 1): "The cache does not pass the expected location on: no commit is ever acknowledged.",
    Cell("shipped", False, 2): "The cache does not pass the expected location on: no commit is ever acknowledged.",
    Cell("refresh", False, 1): "The cache does not pass the expected location on: no commit is ever acknowledged.",
    Cell("refresh", False, 2): "The cache does not pass the expected location on: no commit is ever acknowledged.",
}
"""Nothing is lost where nothing is acknowledged: no verdict."""
KEPT = {
    Cell(
        "cas-no-replay", False, 2
    ): "A stale writer is refused, and retries on the same stale base until it is polled.",
}
CACHE_WORDS: Mapping[Cache, str] = {
    "off": "no cache",
    "shipped": EVENT_MODE,
    "refresh": REFRESHED,
    "cas": f"{EVENT_MODE}, expected locations passed on (shipped by nobody)",
    "cas-no-replay": f"{EVENT_MODE}, expected locations passed on, no alter replayed (shipped by nobody)",
}
COUNTERS = {
    (cache, lock): names
    for caches, lock, names in (
        (("off",), True, (WAITED, iceberg.LOCATION_CHANGED, iceberg.RETRY)),
        (("off",), False, (iceberg.STATUS_FAILURE, iceberg.RETRY)),
        (("shipped", "cas", "cas-no-replay"), True, (WAITED, iceberg.LOCATION_CHANGED, hive.EVENTUAL)),
        (("shipped", "refresh"), False, (iceberg.STATUS_UNKNOWN, hive.EVENTUAL)),
        (("cas", "cas-no-replay"), False, (iceberg.STATUS_FAILURE, iceberg.RETRY, hive.EVENTUAL)),
    )
    for cache in caches
}
CELLS = (
    *(Cell(cache, lock, count) for cache in ("off", "shipped", "cas") for lock in (True, False) for count in (1, 2)),
    Cell("cas-no-replay", True, 2),
    Cell("cas-no-replay", False, 2),
)
REFRESHED_CELLS = tuple([Cell("refresh", lock, count) for lock in (True, False) for count in (1, 2)])
"""Of a cache that a timer reads anew: nobody holds it live."""
