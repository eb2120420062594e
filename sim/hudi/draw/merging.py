"""Merge-on-read tables in generated Hudi races, now and then, with somebody who compacts.

They are drawn when all else has been, so that a race without them is what it was. There are none of version 6, nor with
the timeline server's early detection (`model.hudi.early`), nor where somebody saves, or cleans slices: those are
modelled on copy-on-write tables alone. Who replaces or clusters on them is drawn later.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig
from model.hudi.keys import COMPACT_AFTER, MERGE_ON_READ, MODE, NON_BLOCKING, TABLE_TYPE
from sim.generation.draws import Draws, PinError
from sim.hudi.draw.metadata import SAVES
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import RARELY, told
from sim.hudi.statements import HIDING, Clean, Cluster, Compact, Statement, Upsert, Write, anybody
from sim.hudi.table_types import NOT_MERGED

MERGING, PLANS, WAIT = "merge-on-read", "whose plan", "wait before it"
Actors = list[list[Statement]]


def draw_table_type(
    draws: Draws, settings: Mapping[str, str], actors: Actors, config: HudiConfig, earlier: int
) -> tuple[dict[str, str], Actors]:
    """Draw whether the table is merge-on-read. Args: `earlier`: how many writes there were before the race.

    Returns: the settings with it, and the actors with up to two more who compact. Raises: `PinError`.
    """
    pinned, drawn = told(draws, TABLE_TYPE), dict(settings)
    if pinned is None and told(draws, MODE) == NON_BLOCKING:
        pinned = MERGE_ON_READ
    if pinned == UNSET:
        return drawn, actors
    if config.layout == 1 and pinned:
        raise PinError(f"option {TABLE_TYPE}: expected {UNSET} for a table of version 6, got {pinned!r}")
    cleaned = too_many(actors, config, earlier + 2)  # two may compact
    served = config.detects_by_server
    if served and pinned:
        raise PinError(f"option {TABLE_TYPE}: expected {UNSET} with a server's early detection, got {pinned!r}")
    if (
        served
        or config.layout == 1
        or anybody(actors, Cluster, *NOT_MERGED, *HIDING, *SAVES)
        or (cleaned and not pinned)
    ):
        return drawn, actors
    if draws.one_of(MERGING, RARELY, "yes" if pinned else None) == "no":
        return drawn, actors
    drawn |= {TABLE_TYPE: MERGE_ON_READ, COMPACT_AFTER: draws.one_of(COMPACT_AFTER, ("1", "2", UNSET))}
    if cleaned:  # too many commits for a cleaner that would clean slices
        actors = without_cleaners(actors)
    compactors: Actors = draws.list_of("compactions", 0, 2, lambda _: [_compaction(draws, config)])
    return drawn, [*actors, *compactors]


def _compaction(draws: Draws, config: HudiConfig) -> Compact:
    expiry_ms = config.tolerance_ms + config.heartbeat_interval_ms
    pending = draws.one_of(PLANS, ("its own", "anybody's")) == "anybody's"
    return Compact(pending, draws.one_of(WAIT, (0, expiry_ms)))


def without_cleaners(actors: Actors) -> Actors:
    """The actors, of whom none cleans."""
    without: Actors = [[one for one in todo if not isinstance(one, Clean)] for todo in actors]
    return [todo for todo in without if todo]


def too_many(actors: Actors, config: HudiConfig, earlier: int) -> bool:
    """Whether a cleaner may come by when there are slices to be cleaned, beside the first commit."""
    every = [one for todo in actors for one in todo]
    tries = sum(one.tries if isinstance(one, Upsert) else 1 for one in every if isinstance(one, Write))
    return any(isinstance(one, Clean) for one in every) and 1 + earlier + tries > config.commits_retained
