"""Tables of the Java API whose manifests are merged from few on, drawn for a race that has been drawn already.

Choices: drawn where it is asked for, beside whatever else a race has.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.manifest_merging import COUNT, ENABLED, TARGET, TARGETS
from sim.iceberg.options import CALLS, CLIENT, MERGED

COUNTS = ("2", "2", "2", "3")
OFF = "not at all"


def with_merging(draws: Draws, settings: Settings, *, plain: bool) -> Settings:
    """The settings, with how many manifests are merged, and into how large ones.

    Args: `plain`: it is a race in which there may be consumers, if it is one of the Java API. Where other calls are
    asked for nothing is written down.
    """
    if settings[CLIENT.key] != "java-api" or not plain or draws.pinned(CALLS.key) not in (None, MERGED):
        return settings
    if draws.told(CALLS.key, CALLS.values) != MERGED:
        return settings
    drawn = {**settings, COUNT: draws.one_of("merged from", COUNTS)}
    target = draws.one_of("merged up to", (*(TARGETS[0],) * 3, *TARGETS, OFF))
    if target == OFF:
        return {**drawn, ENABLED: "false"}
    return drawn if target == TARGETS[0] else {**drawn, TARGET: target}
