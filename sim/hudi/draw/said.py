"""What promises and known findings ask of a generated Hudi race, and no option says."""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.bucket_index import number_of, several
from model.hudi.config import HudiConfig
from model.hudi.keys import (
    BLOOM,
    BY_HOURS,
    COPY_ON_WRITE,
    EARLY_STRATEGY,
    INDEX,
    LATEST_VERSIONS,
    MARKERS,
    METADATA,
    NON_BLOCKING,
    SERVER_MARKERS,
    SIMPLE_INDEX,
    SLICES_POLICY,
    TABLE_TYPE,
)
from sim.hudi.build import MARKER_FILES
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.known import KNOWN
from sim.hudi.known_rows import NEW_IDS, SEVERAL
from sim.hudi.planned import finds_clustering
from sim.hudi.promises import BESIDE, COUNTS, ELSEWHERE, NEW_ROWS, PASSED, SHARED, UNWRITTEN, VANISHED
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES
from sim.hudi.statements import HIDING, DamageMarkers, Delete, Statement, Upsert, Write, anybody
from sim.hudi.workload import Past
from sim.hudi.writes import ids_of
from sim.world.scenario import FaultSpace

Actors = list[list[Statement]]
USUAL = {TABLE_TYPE: COPY_ON_WRITE, INDEX: SIMPLE_INDEX, METADATA: "false"}
"""What an option is where it is left alone; the others are called unset."""
ASKED = tuple(dict.fromkeys([key for each in KNOWN for key, _ in each.where if key in VALUES]))
"""The options that known findings ask for."""


def said_of_race(
    actors: Actors, groups: tuple[tuple[str, Rows], ...], settings: Mapping[str, str], *, new: bool, elsewhere: bool
) -> dict[str, str]:
    """What known findings ask of a race, also of options that are left alone: what is not told may be anything.

    Args: `new`: rows may come whose ids no file holds; `elsewhere`: in a partition of their own.
    """
    policy = settings[SLICES_POLICY]
    said = {
        NEW_IDS: new and settings[INDEX] == UNSET, COUNTS: policy == LATEST_VERSIONS, PASSED: policy == BY_HOURS,
        SEVERAL: _marks_several(actors, groups), SHARED: any(finds_clustering(one) for todo in actors for one in todo),
    }  # fmt: skip
    yes_or_no = {key: "yes" if value else "no" for key, value in said.items()}
    alone = {key: USUAL.get(key, UNSET) for key in ASKED if settings[key] == UNSET}
    return alone | yes_or_no | {NEW_ROWS: ELSEWHERE if elsewhere else BESIDE}


def _marks_several(actors: Actors, groups: tuple[tuple[str, Rows], ...]) -> bool:
    """Whether a write may have markers of more than one file group: rows that none holds go into one of their own, as
    do those of a file group that an overwrite has taken out."""
    group_of = {key: name for name, rows in groups for key, _ in rows}
    changes = [one for todo in actors for one in todo if isinstance(one, Upsert | Delete)]
    several = any(len({group_of.get(key, "") for key in ids_of(one)}) > 1 for one in changes)
    return several or anybody(actors, *HIDING)


def apart(drawn: Drawn, config: HudiConfig) -> bool:
    """Whether nobody else changes a file group, or a bucket, that an actor changes, or may."""
    if config.mode == NON_BLOCKING:
        return True
    group_of = {key: name[:8] for name, rows in drawn.groups for key, _ in rows}
    if several(config):
        where = dict(drawn.elsewhere)
        upserts = [one for todo in drawn.actors for one in todo if isinstance(one, Upsert)]
        keys = [key for one in upserts for key, _ in one.rows]
        group_of = {key: f"{where.get(key)}/{number_of(str(key), config.buckets)}" for key in keys}
    changed = [
        {group_of.get(key, "") for one in todo if isinstance(one, Upsert | Delete) for key in ids_of(one)}
        for todo in drawn.actors
    ]
    every = [group for each in changed for group in each]
    return len(every) == len(set(every))


def said_of_faults(faults: FaultSpace, actors: Actors) -> str:
    """What promises ask of faults: their kinds, or that they are of files of markers alone. A type is asked for when
    somebody is rolled back, and all rules say what comes of it."""
    vanished = any(each == DamageMarkers("vanished") for todo in actors for each in todo)
    kinds = (UNWRITTEN,) if faults.kinds and set(faults.kinds) <= set(MARKER_FILES.kinds) else faults.names
    return " ".join([*kinds, *([VANISHED] if vanished else [])])


def rewrites(settings: Mapping[str, str]) -> bool:
    """Whether somebody writes files of markers, or about them, anew."""
    return settings[MARKERS] == SERVER_MARKERS or settings[EARLY_STRATEGY] in BLOOM


def writes(key: int, actors: Actors, history: tuple[Past, ...]) -> bool:
    """Whether anybody writes a row of this id, or did before the race."""
    rows = [each.rows for each in (*history, *[one for todo in actors for one in todo if isinstance(one, Write)])]
    return any(key == each for written in rows for each, _ in written)
