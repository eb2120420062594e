"""A metadata table in generated Hudi races: now and then files are listed by it.

It is drawn when all else has been, so that a race without it is what it was; beside savepoints and restores, later than
what all else is drawn last. There is none in tables of version 6.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import METADATA
from sim.generation.draws import Draws, PinError
from sim.hudi.settings import RARELY, config_of, told, yes_if
from sim.hudi.statements import DeleteSavepoint, Restore, Savepoint, Statement, anybody

LISTS, LISTS_SAVED = "a metadata table", "a metadata table beside savepoints"
SAVES = (Savepoint, DeleteSavepoint, Restore)


def draw_metadata(
    draws: Draws, settings: Mapping[str, str], actors: list[list[Statement]], *, saves: bool = False
) -> dict[str, str]:
    """Draw whether there is a metadata table, where nobody `saves` or restores, or where somebody does.

    Returns: the settings with it. Raises: `PinError`.
    """
    pinned, drawn = told(draws, METADATA), dict(settings)
    never = config_of(settings).layout == 1
    if never and pinned == "true":
        raise PinError(f"option {METADATA}: expected false with table version 6, got {pinned!r}")
    if never or anybody(actors, *SAVES) != saves:
        return drawn
    instead = yes_if(pinned, "true")
    if draws.one_of(LISTS_SAVED if saves else LISTS, RARELY, instead) == "yes":
        drawn[METADATA] = "true"
    return drawn
