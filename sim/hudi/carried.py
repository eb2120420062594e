"""Whether a drawn Hudi race has what its options were pinned to: one that has something else is not judged.

Choices: who reads incrementally is an actor, and no client is given that option. An option that is left alone (unset)
says nothing: who archives or clusters may be given what it takes.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.errors import ConfigError
from model.hudi.keys import (
    ANY_COMMIT,
    AS_OF,
    BLOOM_DIRECT,
    BUCKETS,
    BY_HOURS,
    CLEAN_POLICY,
    COMPACT_AFTER,
    EARLY_STRATEGY,
    HOLES,
    HOURS,
    INCREMENTAL,
    INDEX,
    LATEST_VERSIONS,
    LOCK_PROVIDER,
    MARKERS,
    MERGE_MODE,
    MERGE_ON_READ,
    METASTORE,
    MODE,
    NON_BLOCKING,
    OCC,
    QUERY_TYPE,
    SCHEMA_CONFLICTS,
    SERVER_MARKERS,
    SESSION_TIMEOUT,
    SINGLE_WRITER,
    SLICES_POLICY,
    STORAGE_BASED,
    TABLE_TYPE,
    TABLE_VERSION,
    VERSIONS,
    ZOOKEEPER,
)
from sim.generation.draws import PinError
from sim.generation.generator import Settings
from sim.hudi.race import HudiRace
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import OF_BLOOMS, OF_LOCK_OBJECTS, OF_METASTORE_LOCKS, OF_SERVERS, config_of
from sim.world.scenario import Scenario

NEEDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_SERVERS, (MARKERS, SERVER_MARKERS)),
    **dict.fromkeys(OF_BLOOMS, (EARLY_STRATEGY, BLOOM_DIRECT)),
    **dict.fromkeys(OF_LOCK_OBJECTS, (LOCK_PROVIDER, STORAGE_BASED)),
    **dict.fromkeys(OF_METASTORE_LOCKS, (LOCK_PROVIDER, METASTORE)),
    **dict.fromkeys((INDEX, BUCKETS), (MODE, f"{OCC} or {NON_BLOCKING}")),
    MERGE_MODE: (MODE, NON_BLOCKING),
    COMPACT_AFTER: (TABLE_TYPE, MERGE_ON_READ),
    VERSIONS: (SLICES_POLICY, LATEST_VERSIONS),
    HOURS: (SLICES_POLICY, BY_HOURS),
    HOLES: (QUERY_TYPE, f"{INCREMENTAL} and {TABLE_VERSION} 6"),
    AS_OF: (QUERY_TYPE, INCREMENTAL),
    CLEAN_POLICY: (MODE, SINGLE_WRITER),
    SESSION_TIMEOUT: (LOCK_PROVIDER, ZOOKEEPER),
    SCHEMA_CONFLICTS: (MODE, f"{OCC}, on tables of version 8 or 9"),
    QUERY_TYPE: (f"there are no buckets, and no metadata table unless {AS_OF} is {ANY_COMMIT}",),
}
"""The option that another one needs, and its value, as races are drawn; or what else it needs."""


def check_carried(scenario: Scenario, pinned: Settings) -> None:
    """Check that each value that is `pinned` is what the scenario's clients have, given or by default.

    Raises: `PinError` that names the first one that is not, and what it needs beside it.
    """
    assert isinstance(scenario.program, HudiRace)
    given = dict(scenario.program.workload.options)
    given |= {QUERY_TYPE: INCREMENTAL, AS_OF: ANY_COMMIT} if scenario.program.config.consumed else {}
    for key, value in pinned.items():
        if value == UNSET or given.get(key) == value or _changes_nothing(given, key, value):
            continue
        needed = " is ".join(NEEDS.get(key, ()))
        unless = f" unless {needed}" if needed else " in this race"
        raise PinError(f"option {key}: expected {given.get(key, UNSET)}{unless}, got {value!r}")


def _changes_nothing(given: Settings, key: str, value: str) -> bool:
    if key in (QUERY_TYPE, AS_OF):
        return False
    try:
        return config_of({**given, key: value}) == config_of(given)
    except ConfigError:
        return False
