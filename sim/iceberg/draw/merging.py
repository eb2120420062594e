"""Tables of the Java API whose manifests are merged from few on, drawn for a race that has been drawn already; now and
then with a compaction at its starting number beside a delete by equality, in the place of its writers.

Choices: drawn where it is asked for, beside whatever else a race has.
"""

from __future__ import annotations

from collections.abc import Callable

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.draw.appended import with_appended
from sim.iceberg.draw.writers import Writers
from sim.iceberg.equality import DeleteWhere
from sim.iceberg.manifest_merging import COUNT, ENABLED, TARGET, TARGETS
from sim.iceberg.options import APPENDED, CALLS, CLIENT, DRAWN_LAST, FORMAT, MERGED
from sim.iceberg.statements import Compact, Rows

COUNTS = ("2", "2", "2", "3")
OFF = "not at all"
RARELY = (False,) * 5 + (True,)


def with_merging(
    draws: Draws, writers: Writers, settings: Settings, new_row: Callable[[], Rows], *, plain: bool
) -> tuple[Writers, Settings]:
    """The writers, and the settings with how many manifests are merged, and into how large ones; where it is asked for,
    with who appends manifests.

    Args: `plain`: it is a race in which there may be consumers, if it is one of the Java API. Where other calls are
    asked for nothing is written down.
    """
    asked = draws.pinned(CALLS.key) in (None, MERGED, *DRAWN_LAST)
    if settings[CLIENT.key] != "java-api" or not plain or not asked:
        return writers, settings
    calls = draws.told(CALLS.key, CALLS.values)
    if calls == APPENDED:
        return with_appended(draws, writers, settings, new_row)
    if calls != MERGED:
        return writers, settings
    drawn = {**settings, COUNT: draws.one_of("merged from", COUNTS)}
    target = draws.one_of("merged up to", (*(TARGETS[0],) * 3, *TARGETS, OFF))
    if target == OFF:
        drawn = {**drawn, ENABLED: "false"}
    elif target != TARGETS[0]:
        drawn = {**drawn, TARGET: target}
    if draws.one_of("compacts beside a delete", RARELY) and settings[FORMAT.key] != "1" and PRUNES not in settings:
        writers = {"w1": [Compact("starting")], "w2": [DeleteWhere(draws.number("deleted id", 1, 2))]}
    return writers, drawn
