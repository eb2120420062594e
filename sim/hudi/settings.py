"""What a user of Hudi can set, as a generator draws it.

An option is drawn among the values that fit what was drawn before it: `model.hudi.config` says which do, so they stand
in such an order that a value needs only earlier ones. The type of markers, what only the timeline server's have, and
Bloom files are drawn at the very end (`draw_markers`), so that draws which say nothing of them stand for direct markers
without.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig, parse_options
from model.hudi.errors import ConfigError
from model.hudi.keys import (
    AS_OF,
    ASYNC_SERVER,
    BATCH_THREADS,
    BLOOM,
    BLOOM_DIRECT,
    BLOOM_ENTRIES,
    BLOOM_RATE,
    BLOOM_SERVER,
    BUCKET_CONFLICTS,
    BUCKET_INDEX,
    BUCKETS,
    BY_HOURS,
    CHECK_COMMIT,
    CLEAN_POLICIES,
    CLEAN_POLICY,
    COMPACT_AFTER,
    CONFLICTS,
    DETECTOR_DELAY,
    DETECTOR_PERIOD,
    DIRECT_MARKERS,
    EARLY,
    EARLY_STRATEGY,
    EVENT_TIME,
    FILE_SYSTEM,
    HOURS,
    IN_PROCESS,
    INDEX,
    INTERVAL,
    KEEP_MAX,
    LATEST_VERSIONS,
    LOCK_BEAT,
    LOCK_PROVIDER,
    LOG_COMPACT_AFTER,
    MARKERS,
    MERGE_MODE,
    MERGE_ON_READ,
    METADATA,
    METADATA_COMPACT_AFTER,
    METASTORE,
    METASTORE_TIMEOUT,
    MISSES,
    MODE,
    NON_BLOCKING,
    OCC,
    PREFER_WRITER,
    QUERY_TYPE,
    RENEWAL,
    SERVER_MARKERS,
    SIMPLE_CONFLICTS,
    SIMPLE_DIRECT,
    SINGLE_WRITER,
    SKEW,
    SLICES_POLICY,
    STORAGE_BASED,
    TABLE_TYPE,
    TABLE_VERSION,
    TRANSACTIONAL_DIRECT,
    USING_MARKERS,
    VALIDITY,
    VERSIONS,
    ZOOKEEPER,
)
from sim.generation.draws import Draws, PinError
from sim.generation.generator import Option
from sim.hudi.build import EXPIRE, RETRIES, RETRY_WAIT, SCHEME
from sim.hudi.setting_names import UNSET, named
from sim.hudi.settings_last import LAST_OPTIONS
from sim.hudi.workload import Options

RARELY = (*["no"] * 9, "yes")  # the answers to whether there is what few tables have
_WRITE, _LOCK = "HoodieWriteConfig", "HoodieLockConfig"
_DRAWN = (
    Option(LOCK_PROVIDER, (UNSET, IN_PROCESS, ZOOKEEPER, FILE_SYSTEM, STORAGE_BASED, METASTORE), _LOCK),
    Option(MODE, (SINGLE_WRITER, OCC, NON_BLOCKING), _WRITE),
    Option(TABLE_VERSION, ("9", "8", "6"), _WRITE),
    Option(CONFLICTS, (SIMPLE_CONFLICTS, PREFER_WRITER, BUCKET_CONFLICTS), _LOCK),
    Option(EARLY, ("false", "true"), f"{_WRITE}, RFC-56"),
    Option(EARLY_STRATEGY, (UNSET, SIMPLE_DIRECT, TRANSACTIONAL_DIRECT, ASYNC_SERVER, *BLOOM), f"{_WRITE}, RFC-56"),
    Option(CHECK_COMMIT, ("false", "true"), f"{_WRITE}, RFC-56"),
    Option(MARKERS, (DIRECT_MARKERS, SERVER_MARKERS), _WRITE),
    Option(CLEAN_POLICY, CLEAN_POLICIES, "HoodieCleanConfig"),
    Option(RETRIES, ("50", "0", "3"), _LOCK),
    Option(RETRY_WAIT, ("5000", "0"), _LOCK),
    Option(EXPIRE, ("0", "1"), _LOCK),
    Option(INTERVAL, ("60000", "1000"), _WRITE),
    Option(MISSES, ("2", "1", "10"), _WRITE),
    Option(SKEW, (UNSET, "2000"), "HoodieTimeGeneratorConfig"),
    Option(SCHEME, ("file", "hdfs", "abfs"), "the scheme of the table's base path"),
    Option(DETECTOR_DELAY, (UNSET, "1000"), f"{_WRITE}, RFC-56"),
    Option(DETECTOR_PERIOD, (UNSET, "10000"), f"{_WRITE}, RFC-56"),
    Option(BATCH_THREADS, (UNSET, "1"), _WRITE),
    Option(RENEWAL, (UNSET, "1"), "StorageBasedLockConfig"),
    Option(VALIDITY, (UNSET, "10"), "StorageBasedLockConfig"),
    Option(METASTORE_TIMEOUT, (UNSET, "1"), "a setting of the metastore"),
    Option(LOCK_BEAT, (UNSET, "200"), _LOCK),
    Option(BLOOM_RATE, (UNSET, "0.7"), "RFC-56's Bloom files; the key is this model's"),
    Option(BLOOM_ENTRIES, (UNSET, "1"), "RFC-56's Bloom files; the key is this model's"),
    Option(TABLE_TYPE, (UNSET, MERGE_ON_READ), "HoodieTableConfig"),
    Option(COMPACT_AFTER, (UNSET, "1", "2"), "HoodieCompactionConfig"),
    Option(LOG_COMPACT_AFTER, (UNSET, "1", "2"), "HoodieCompactionConfig"),
    Option(INDEX, (UNSET, BUCKET_INDEX), "HoodieIndexConfig"),
    Option(BUCKETS, (UNSET, "1", "2"), "HoodieIndexConfig"),
    Option(MERGE_MODE, (UNSET, EVENT_TIME), "HoodieTableConfig"),
    Option(SLICES_POLICY, (UNSET, LATEST_VERSIONS, BY_HOURS), "HoodieCleanConfig"),
    Option(VERSIONS, (UNSET, "1", "2"), "HoodieCleanConfig"),
    Option(HOURS, (UNSET, "1"), "HoodieCleanConfig"),
    Option(METADATA, (UNSET, "true"), "HoodieMetadataConfig"),
    Option(USING_MARKERS, (UNSET, "false"), _WRITE),
    Option(KEEP_MAX, (UNSET, "2", "3"), "HoodieArchivalConfig"),
    Option(METADATA_COMPACT_AFTER, (UNSET, "1", "2", "4"), "HoodieMetadataConfig"),
)
OPTIONS = tuple([named(option) for option in (*_DRAWN, *LAST_OPTIONS)])
VALUES = {option.key: option.values for option in OPTIONS}
OF_STRATEGY = {
    ASYNC_SERVER: SERVER_MARKERS, BLOOM_SERVER: SERVER_MARKERS, SIMPLE_DIRECT: DIRECT_MARKERS,
    BLOOM_DIRECT: DIRECT_MARKERS,
}  # fmt: skip
"""The type of markers that a strategy is for."""
OF_SERVERS = (DETECTOR_DELAY, DETECTOR_PERIOD, BATCH_THREADS)
"""What says nothing of direct markers."""
OF_BLOOMS = (BLOOM_RATE, BLOOM_ENTRIES)
"""What says nothing without Bloom files."""
OF_LOCK_OBJECTS = (RENEWAL, VALIDITY)
"""What says nothing without a storage-based lock."""
OF_METASTORE_LOCKS = (METASTORE_TIMEOUT, LOCK_BEAT)
"""What says nothing without a metastore's lock: the second is drawn with the first, a fifth of it."""
OF_TYPES, OF_BUCKETS = (TABLE_TYPE, COMPACT_AFTER), (INDEX, BUCKETS, MERGE_MODE)
"""What `sim.hudi.draw.merging` and `draw.non_blocking` draw."""
OF_VERSIONS = (SLICES_POLICY, VERSIONS, HOURS)
"""What `draw.versions` and `draw.hours` draw."""
LATER = (
    MARKERS, *OF_SERVERS, *OF_BLOOMS, *OF_LOCK_OBJECTS, *OF_METASTORE_LOCKS, *OF_TYPES, *OF_BUCKETS, *OF_VERSIONS,
    METADATA, USING_MARKERS, KEEP_MAX, LOG_COMPACT_AFTER, METADATA_COMPACT_AFTER, CLEAN_POLICY,
    *[option.key for option in LAST_OPTIONS],
)  # fmt: skip
BLOOM_FILES, LOCK_OBJECTS, METASTORE_LOCKS = "Bloom files", "lock objects", "metastore locks"


def told(draws: Draws, key: str) -> str | None:
    """What an option is pinned to, by which others are drawn; None if it is free."""
    return draws.told(key, VALUES[key])


def yes_if(pinned: str | None, *values: str) -> str | None:
    """What a draw of "yes" or "no" is pinned to by an option that has these values at "yes"; None: it is free."""
    return None if pinned is None else "yes" if pinned in values else "no"


def draw_settings(draws: Draws) -> dict[str, str]:
    """Draw every option, but for what `draw_markers` does. Returns: a value for each key, which fit together. Raises:
    `PinError` that says what cannot be together."""
    settings: dict[str, str] = {}
    for option in OPTIONS:
        if option.key in LATER:
            settings[option.key] = option.values[0]
            continue
        if option.key == EARLY_STRATEGY:
            settings[option.key] = _strategy(draws, settings)
            continue
        if option.key == LOCK_PROVIDER:  # two are drawn in the place of ZooKeeper's, when all else has been drawn
            instead = ZOOKEEPER if told(draws, LOCK_PROVIDER) in (STORAGE_BASED, METASTORE) else None
            settings[option.key] = draws.one_of(LOCK_PROVIDER, option.values[:-2], instead)
            continue
        if option.key == MODE and told(draws, MODE) == NON_BLOCKING:  # as such they are drawn later
            settings[option.key] = draws.one_of(MODE, option.values[:-1], OCC)
            continue
        refused = {value: _refusal({**settings, option.key: value}) for value in option.values}
        fitting = tuple([value for value, why in refused.items() if not why])
        try:
            settings[option.key] = draws.one_of(option.key, fitting)
        except PinError as error:
            why = next((why for value, why in refused.items() if why and f"got {value!r}" in str(error)), str(error))
            raise PinError(why) from None
    return settings


def _strategy(draws: Draws, settings: Mapping[str, str]) -> str:
    """Draw whether detection takes the lock of a file group: nothing else is to be chosen for a type of markers."""
    pinned = told(draws, EARLY_STRATEGY)
    refusal = _refusal({**settings, EARLY_STRATEGY: TRANSACTIONAL_DIRECT})
    if refusal and pinned == TRANSACTIONAL_DIRECT:
        raise PinError(refusal)
    instead = UNSET if pinned in (SIMPLE_DIRECT, ASYNC_SERVER, *BLOOM) else None
    return draws.one_of(EARLY_STRATEGY, (UNSET,) if refusal else (UNSET, TRANSACTIONAL_DIRECT), instead)


def draw_markers(draws: Draws, settings: Mapping[str, str]) -> dict[str, str]:
    """Draw the type of markers, what only a timeline server's have, and Bloom files; to be called when all else has
    been drawn.

    Returns: the settings with them, and with the strategy that goes with them. Raises: `PinError` as `draw_settings`.
    """
    pinned, strategy = told(draws, MARKERS), told(draws, EARLY_STRATEGY)
    given = {EARLY_STRATEGY: strategy} if strategy else {}
    of_strategy = OF_STRATEGY.get(strategy or "")
    why = _refusal({**settings, **given, MARKERS: pinned or of_strategy or DIRECT_MARKERS})
    if why:
        raise PinError(why)
    refusal = _refusal({**settings, MARKERS: SERVER_MARKERS})
    options = (DIRECT_MARKERS,) if refusal else (DIRECT_MARKERS, SERVER_MARKERS)
    drawn = {**settings, MARKERS: draws.one_of(MARKERS, options, of_strategy)}
    served = drawn[MARKERS] == SERVER_MARKERS
    if drawn[EARLY_STRATEGY] == UNSET:
        drawn[EARLY_STRATEGY] = ASYNC_SERVER if served else SIMPLE_DIRECT
    for option in OPTIONS:
        if option.key in OF_SERVERS:
            drawn[option.key] = draws.one_of(option.key, option.values) if served else option.values[0]
    return _draw_blooms(draws, drawn)


def _draw_blooms(draws: Draws, settings: dict[str, str]) -> dict[str, str]:
    """Draw whether there are Bloom files, and how crowded they are; settings that are pinned to have some have them."""
    pinned, usual = told(draws, EARLY_STRATEGY), settings[EARLY_STRATEGY]
    if pinned in BLOOM or (settings[EARLY] == "true" and usual != TRANSACTIONAL_DIRECT):
        instead = yes_if(pinned, *BLOOM)
        if draws.one_of(BLOOM_FILES, ("no", "yes"), instead) == "yes":
            settings[EARLY_STRATEGY] = BLOOM_SERVER if usual == ASYNC_SERVER else BLOOM_DIRECT
    bloomed = settings[EARLY_STRATEGY] in BLOOM
    for option in OPTIONS:
        if option.key in OF_BLOOMS:
            settings[option.key] = draws.one_of(option.key, option.values) if bloomed else option.values[0]
    return settings


def draw_lock_object(draws: Draws, settings: Mapping[str, str]) -> dict[str, str]:
    """Draw whether there is a storage-based lock where ZooKeeper's would do; to be called at the very end.

    Returns: the settings with it. Raises: `PinError` as `draw_settings`.
    """
    drawn, pinned = dict(settings), told(draws, LOCK_PROVIDER)
    with_object = {**drawn, LOCK_PROVIDER: STORAGE_BASED}
    why = _refusal(with_object)
    if why and pinned == STORAGE_BASED:
        raise PinError(why)
    if drawn[LOCK_PROVIDER] == ZOOKEEPER and not why:
        instead = yes_if(pinned, STORAGE_BASED)
        if draws.one_of(LOCK_OBJECTS, ("no", "yes"), instead) == "yes":
            drawn = with_object
    for option in OPTIONS:
        if option.key in OF_LOCK_OBJECTS:
            locked = drawn[LOCK_PROVIDER] == STORAGE_BASED
            fitting = tuple([value for value in option.values if not _refusal({**drawn, option.key: value})])
            drawn[option.key] = draws.one_of(option.key, fitting) if locked else option.values[0]
    return drawn


def draw_metastore_lock(draws: Draws, settings: Mapping[str, str]) -> dict[str, str]:
    """Draw, now and then, a metastore's lock where ZooKeeper's would do; to be called when all else has been drawn.

    Returns: the settings with it. Raises: `PinError` as `draw_settings`.
    """
    pinned, with_lock = told(draws, LOCK_PROVIDER), {**settings, LOCK_PROVIDER: METASTORE}
    why = _refusal(with_lock)
    if why and pinned == METASTORE:
        raise PinError(why)
    if settings[LOCK_PROVIDER] == ZOOKEEPER and not why:
        instead = yes_if(pinned, METASTORE)
        if draws.one_of(METASTORE_LOCKS, ("no", "no", "no", "yes"), instead) == "yes":
            timeout = draws.one_of(METASTORE_TIMEOUT, _values_of(METASTORE_TIMEOUT))
            beat = _values_of(LOCK_BEAT)[_values_of(METASTORE_TIMEOUT).index(timeout)]
            return {**with_lock, METASTORE_TIMEOUT: timeout, LOCK_BEAT: draws.one_of(LOCK_BEAT, (beat,))}
    return dict(settings)


def _values_of(key: str) -> tuple[str, ...]:
    return next(option.values for option in OPTIONS if option.key == key)


def options_of(settings: Mapping[str, str]) -> Options:
    """What clients are given of settings: those that are set, in order; but for how others read."""
    return tuple([(key, value) for key, value in settings.items() if value != UNSET and key not in (QUERY_TYPE, AS_OF)])


def config_of(settings: Mapping[str, str]) -> HudiConfig:
    """The configuration that settings make. Raises: ConfigError."""
    return parse_options(dict(options_of(settings)))


def _refusal(settings: Mapping[str, str]) -> str:
    """Why settings cannot be; "" if they can."""
    try:
        config_of(settings)
    except ConfigError as error:
        return str(error)
    return ""
