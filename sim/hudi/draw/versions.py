"""Cleaning that counts slices, in generated Hudi races: now and then, where somebody cleans old slices.

It is drawn when all else has been, so that a race without it is what it was. There is none on merge-on-read tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig
from model.hudi.keys import LATEST_VERSIONS, RETAINED, SLICES_POLICY, VERSIONS
from sim.generation.draws import Draws, PinError
from sim.hudi.promises import COUNTS
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told, yes_if
from sim.hudi.workload import Options

SELDOM = ("no", "no", "no", "yes")


def draw_versions(
    draws: Draws, settings: Mapping[str, str], beside: Options, config: HudiConfig
) -> tuple[dict[str, str], Options]:
    """Draw whether cleaning counts slices. Args: `beside`: what is set for it until now.

    Returns: the settings, and what is set beside them. Raises: `PinError`.
    """
    pinned, drawn = told(draws, SLICES_POLICY), dict(settings)
    if pinned == LATEST_VERSIONS and config.merge_on_read:
        raise PinError(f"option {SLICES_POLICY}: expected {UNSET} on merge-on-read tables, got {pinned!r}")
    instead = yes_if(pinned, LATEST_VERSIONS)
    if config.merge_on_read or (RETAINED not in dict(beside) and instead != "yes"):
        return drawn, beside
    if draws.one_of(COUNTS, SELDOM, instead) == "no":
        return drawn, beside
    drawn |= {SLICES_POLICY: LATEST_VERSIONS, VERSIONS: draws.one_of(VERSIONS, ("1", "2"))}
    return drawn, tuple([pair for pair in beside if pair[0] != RETAINED])
