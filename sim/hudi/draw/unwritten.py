"""Marker files of a timeline server that are not written, in generated Hudi races: now and then, where nothing else
fails.

They are drawn when all else has been, so that a race without them is what it was. The server opens a file, and closes
it with what is in it: either may fail, or be done and not be answered. There are none with Bloom files, which are
written so, too, nor where somebody compacts, clusters or restores: those are modelled where nothing fails.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import BLOOM, EARLY_STRATEGY, MARKERS, SERVER_MARKERS
from sim.generation.draws import Draws
from sim.hudi.build import MARKER_FILES
from sim.hudi.statements import Cluster, Compact, DamageMarkers, Restore, Statement, anybody
from sim.world.fault_spaces import wide
from sim.world.scenario import FaultSpace

UNWRITTEN, SELDOM = "a marker file is not written", (*["no"] * 4, "yes")
LOST = ("drop-before", "drop-after")
OTHERS = {kind: "not drawn" for kinds in MARKER_FILES.kinds.values() for kind in kinds if kind not in LOST}
UNLIKE = (Cluster, Compact, DamageMarkers, Restore)


def draw_unwritten(
    draws: Draws, settings: Mapping[str, str], actors: list[list[Statement]], faults: FaultSpace
) -> FaultSpace:  # fmt: skip
    """Draw whether the writing of a marker file fails. Returns: the faults, with it."""
    served = settings[MARKERS] == SERVER_MARKERS and settings[EARLY_STRATEGY] not in BLOOM
    if not served or faults.limit or anybody(actors, *UNLIKE) or draws.one_of(UNWRITTEN, SELDOM) == "no":
        return faults
    return wide(MARKER_FILES, without=OTHERS)
