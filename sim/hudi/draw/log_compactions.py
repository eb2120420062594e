"""Log compactions in generated Hudi races on merge-on-read tables: now and then somebody compacts log files as well.

They are drawn when all else has been, so that a race without them is what it was. There are none with early detection:
scenarios ask that (`sim.hudi.built_in.log_compactions`).
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import EARLY, LOG_COMPACT_AFTER, MERGE_ON_READ, TABLE_TYPE
from sim.generation.draws import Draws, PinError
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES, told, yes_if
from sim.hudi.statements import Compact, Statement

LOG_COMPACTIONS, SOMETIMES = "log compactions", ("no", "no", "yes")
PLANS = ("its own", "its own", "its own", "anybody's")
Actors = list[list[Statement]]


def draw_log_compactions(
    draws: Draws, settings: Mapping[str, str], actors: Actors
) -> tuple[dict[str, str], Actors]:  # fmt: skip
    """Draw whether log files are compacted, and after how many of them. Returns: the settings with it, and the actors
    with up to two more who do. Raises: `PinError`."""
    pinned = told(draws, LOG_COMPACT_AFTER)
    values = tuple([value for value in VALUES[LOG_COMPACT_AFTER] if value != UNSET])
    if settings[TABLE_TYPE] != MERGE_ON_READ or settings[EARLY] == "true":
        if pinned in values:
            raise PinError(f"option {LOG_COMPACT_AFTER}: expected {UNSET} without log files, got {pinned!r}")
        return dict(settings), actors
    if draws.one_of(LOG_COMPACTIONS, SOMETIMES, yes_if(pinned, *values)) == "no":
        return dict(settings), actors
    drawn = {**settings, LOG_COMPACT_AFTER: draws.one_of(LOG_COMPACT_AFTER, values)}
    compacting: Actors = draws.list_of("log compactions", 1, 2, lambda _: [_compaction(draws)])
    return drawn, [*actors, *compacting]


def _compaction(draws: Draws) -> Compact:
    return Compact(draws.one_of("whose plan of log files", PLANS) == "anybody's", logs=True)
