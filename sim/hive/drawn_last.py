"""The draws that come after all others of a race, each a rare one: what was drawn before one stays as it was."""

from __future__ import annotations

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.hive.drawn_aggregates import with_aggregates
from sim.hive.drawn_believed import with_believed
from sim.hive.drawn_lock_sets import with_lock_sets
from sim.hive.drawn_renamed_locks import with_renamed_locks
from sim.hive.drawn_retries import NONE, with_retries
from sim.hive.drawn_statistics import with_statistics
from sim.hive.drawn_updates import with_cleaning, with_ended, with_updates
from sim.hive.drawn_write_ids import with_overtaken, with_renamed_database
from sim.hive.live import CLEAN_STEPS, LOCK_STEPS, RENAME_DATABASE, STATISTICS, UPDATE_STEPS
from sim.hive.promises import CLEANED_UP, LOCKS, NAMES, RETRIES, UPDATES, WRITE_IDS
from sim.hive.update_statements import LockedUpdate
from sim.hive.workload import HiveWorkload


def last_draws(
    draws: Draws, rules: Rules, workload: HiveWorkload, settings: dict[str, str], steps: tuple[str, ...] | None, *,
    statements: bool,
) -> tuple[HiveWorkload, tuple[str, ...] | None]:  # fmt: skip
    """Draw updates under locks where no name changes hands, history that is cleaned where a call is a step, statistics
    where nobody locks; then tables that are renamed under their locks, sets of locks, what a cache is believed,
    who asks for aggregates, write ids that go astray, and whether calls are made again.

    Returns: the workload, and its steps. What is promised of it is noted in `settings`.
    """
    if rules.catalogd is not None:
        settings[RETRIES.key] = NONE
        return workload, steps
    more: list[str] = []
    plain = workload
    if settings[NAMES] == "no":
        workload = with_updates(draws, workload, exclusive=rules.exclusive_writes)
    if workload is not plain:
        settings[UPDATES] = settings[LOCKS] = "yes"
        more += [*LOCK_STEPS, *UPDATE_STEPS]
    plain = workload
    if not statements:
        workload = with_cleaning(draws, workload)
    if workload is not plain:
        settings[CLEANED_UP] = "yes"
        more += CLEAN_STEPS
    plain = workload
    if settings[LOCKS] == "no":
        workload = with_statistics(draws, workload)
    if workload is not plain:
        more += STATISTICS
    plain = workload
    if settings.get(CLEANED_UP) == "yes":
        workload = with_ended(draws, workload)
    if workload is not plain and workload.cold:
        more.append("prewarm")
    workload, renamed = _about_locks(draws, rules, workload, settings)
    more += renamed
    workload = with_aggregates(draws, workload)
    workload, more = _about_write_ids(draws, workload, settings, more)
    workload = with_retries(draws, workload, settings)
    return workload, steps if steps is None else tuple(dict.fromkeys([*steps, *more]))


def _about_write_ids(
    draws: Draws, workload: HiveWorkload, settings: dict[str, str], steps: list[str]
) -> tuple[HiveWorkload, list[str]]:  # fmt: skip
    """Returns: the workload, and what else than calls is a step of it."""
    if settings[NAMES] != "no":
        return workload, steps
    if settings.get(CLEANED_UP) == "yes":
        settings[WRITE_IDS] = "yes"
        workload = with_overtaken(draws, workload)
    plain = workload
    if settings[LOCKS] == "no":
        workload = with_renamed_database(draws, workload)
    if workload is not plain:
        settings[WRITE_IDS] = settings[NAMES] = "yes"
        steps = [*steps, RENAME_DATABASE]
    return workload, steps


def _about_locks(
    draws: Draws, rules: Rules, workload: HiveWorkload, settings: dict[str, str]
) -> tuple[HiveWorkload, tuple[str, ...]]:
    """Returns: the workload, and what else is a step of it."""
    steps: tuple[str, ...] = ()
    plain = workload
    if settings[NAMES] == "no" and not workload.has(LockedUpdate):
        workload = with_renamed_locks(draws, workload, rules)
    if workload is not plain:
        settings[NAMES] = settings[LOCKS] = "yes"
        updates = workload.has(LockedUpdate)
        settings[UPDATES] = "yes" if updates else settings.get(UPDATES, "no")
        steps = (*LOCK_STEPS, *(UPDATE_STEPS if updates else ()))
    plain, workload = workload, with_lock_sets(draws, workload)
    if workload is not plain:
        settings[LOCKS] = "yes"
        steps = (*LOCK_STEPS, *steps)
    if rules.changes_believe_cache:
        workload = with_believed(draws, workload)
    return workload, steps
