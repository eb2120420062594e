"""What is drawn of a Hudi race where it is asked for alone: by which options, and how a name remembers them.

A race is drawn anew of its name alone, without what was asked for. So whoever draws by what an option is asked to be
writes it down, and with it all that may have been before it: a draw without an option that is drawn by would be of
another length than its repetition.
"""

from __future__ import annotations

from model.hudi.keys import (
    AS_OF,
    BUCKETS,
    CLEAN_POLICY,
    LAZY,
    PREPPED,
    QUERY_TYPE,
    SCHEMA_CONFLICTS,
    SESSION_TIMEOUT,
)
from sim.generation.draws import Draws
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told

USUAL = {
    QUERY_TYPE: UNSET, SCHEMA_CONFLICTS: UNSET, CLEAN_POLICY: LAZY, AS_OF: UNSET, BUCKETS: UNSET,
    SESSION_TIMEOUT: UNSET, PREPPED: UNSET,
}  # fmt: skip
"""The options, in the order in which they are written down, with the value at which there is nothing to draw."""


def asked(draws: Draws, key: str) -> str | None:
    """What an option is asked to be that is not usual; None if it is not asked for. Nothing is written down where it is
    asked to be as usual."""
    if draws.pinned(key) == USUAL[key]:
        return None
    for each in list(USUAL)[: list(USUAL).index(key)]:
        told(draws, each)
    known = told(draws, key)
    return None if known == USUAL[key] else known


def tell_all(draws: Draws) -> None:
    """Write all of them down but for the last one, by which is drawn after all else."""
    for each in list(USUAL)[:-1]:
        told(draws, each)
