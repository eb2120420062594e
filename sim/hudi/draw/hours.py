"""Cleaning by hours, in generated Hudi races: now and then, where somebody cleans old slices.

It is drawn when all else has been, so that a race without it is what it was. An hour is retained; one more actor
changes a row once it has passed, and cleans. There is none on merge-on-read tables, nor with beats of a second: of
those an hour has too many.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig
from model.hudi.clean_policies import HOUR_MS
from model.hudi.keys import BY_HOURS, HOURS, RETAINED, SLICES_POLICY
from sim.generation.draws import Draws, PinError
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told, yes_if
from sim.hudi.statements import Clean, Restore, Statement, Upsert, anybody
from sim.hudi.workload import Options

PASS, OR_NOT = "hours pass", ("no", "yes")
Actors = list[list[Statement]]


def draw_hours(
    draws: Draws, settings: Mapping[str, str], beside: Options, config: HudiConfig, actors: Actors,
    groups: tuple[tuple[str, Rows], ...],
) -> tuple[dict[str, str], Options, Actors]:  # fmt: skip
    """Draw whether cleaning goes by hours.

    Args: `beside`: what is set for cleaning until now; `groups`: the file groups, and their rows.

    Returns: the settings, what is set beside them, and the actors. Raises: `PinError`.
    """
    pinned, drawn = told(draws, SLICES_POLICY), dict(settings)
    why = "on merge-on-read tables" if config.merge_on_read else "with short beats" if _often(config) else ""
    if pinned == BY_HOURS and why:
        raise PinError(f"option {SLICES_POLICY}: expected {UNSET} {why}, got {pinned!r}")
    instead = yes_if(pinned, BY_HOURS)
    cleaned = RETAINED in dict(beside) and settings[SLICES_POLICY] == UNSET
    if why or (not cleaned and instead != "yes") or draws.one_of(PASS, OR_NOT, instead) == "no":
        return drawn, beside, actors
    drawn |= {SLICES_POLICY: BY_HOURS, HOURS: draws.one_of(HOURS, ("1",))}
    rest = tuple([pair for pair in beside if pair[0] != RETAINED])
    if anybody(actors, Restore):  # beside which nobody cleans
        return drawn, rest, actors
    row = draws.one_of("changed after an hour", tuple([key for _, rows in groups for key, _ in rows]))
    late = Upsert(((row, "hour"),), after_ms=HOUR_MS + 60_000)
    return drawn, rest, [*actors, [late, Clean()]]


def _often(config: HudiConfig) -> bool:
    return config.heartbeat_interval_ms < 60_000
