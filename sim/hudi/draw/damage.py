"""Marker files that vanish or are cut, in generated Hudi races, and rollbacks that list files: now and then.

They are drawn when all else has been, so that a race without them is what it was: over every type of markers, strategy
and table, and beside every other fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from model.hudi.keys import MARKERS, SERVER_MARKERS, USING_MARKERS
from sim.generation.draws import Draws
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told, yes_if
from sim.hudi.statements import Archive, Damage, DamageMarkers, Statement, anybody

DAMAGE, LISTS = "a marker file is damaged", "rollbacks list files"
NONE = "none"
DIRECTLY = (*[NONE] * 11, "vanished")
SERVED = (*[NONE] * 9, *get_args(Damage))
OFTEN = (NONE, "vanished")
"""Where somebody archives, for of what comes of it that is most; and where rollbacks are asked to list files, for that
is when it shows."""
OR_NOT, SELDOM = ("no", "yes"), (*["no"] * 14, "yes")
Actors = list[list[Statement]]


def draw_damage(draws: Draws, settings: Mapping[str, str], actors: Actors) -> tuple[dict[str, str], Actors]:
    """Draw whether a marker file vanishes, or its type does or is cut, and whether rollbacks list files: beside the
    first, half of the time.

    Returns: the settings, and the actors with one who does it. Raises: `PinError`.
    """
    instead = yes_if(told(draws, USING_MARKERS), "false")
    usual = SERVED if settings[MARKERS] == SERVER_MARKERS else DIRECTLY
    often = anybody(actors, Archive) or instead == "yes"
    drawn = draws.one_of(DAMAGE, OFTEN if often else usual)
    if drawn != NONE:
        actors = [*actors, [DamageMarkers(drawn)]]
    lists = draws.one_of(LISTS, SELDOM if drawn == NONE else OR_NOT, instead)
    return {**settings, USING_MARKERS: "false" if lists == "yes" else UNSET}, actors
