"""What a user of Hudi can set, as a generator draws it, and configurations by name.

An option is drawn among the values that fit what was drawn before it: `model.hudi.config` says which do, so they stand
in such an order that a value needs only earlier ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi import HudiConfig, parse_options
from model.hudi.config import (
    BUCKET_CONFLICTS,
    CHECK_COMMIT,
    CLEAN_POLICY,
    CONFLICTS,
    EARLY,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    IN_PROCESS,
    INTERVAL,
    LOCK_PROVIDER,
    MISSES,
    MODE,
    OCC,
    PREFER_WRITER,
    SIMPLE_CONFLICTS,
    SIMPLE_DIRECT,
    SINGLE_WRITER,
    SKEW,
    TABLE_VERSION,
    TRANSACTIONAL_DIRECT,
    ZOOKEEPER,
)
from model.hudi.errors import ConfigError
from sim.generation.draws import Draws, PinError
from sim.generation.generator import Option, Settings
from sim.hudi.build import EXPIRE, RETRIES, RETRY_WAIT, SCHEME
from sim.hudi.workload import Options

UNSET = "unset"
"""The value of an option that a user leaves alone, where Hudi has no default or infers one."""
MARKERS = "hoodie.write.markers.type"
_WRITE, _LOCK = "HoodieWriteConfig", "HoodieLockConfig"
OPTIONS = (
    Option(LOCK_PROVIDER, (UNSET, IN_PROCESS, ZOOKEEPER, FILE_SYSTEM), _LOCK),
    Option(MODE, (SINGLE_WRITER, OCC), _WRITE),
    Option(TABLE_VERSION, ("9", "8", "6"), _WRITE),
    Option(CONFLICTS, (SIMPLE_CONFLICTS, PREFER_WRITER, BUCKET_CONFLICTS), _LOCK),
    Option(EARLY, ("false", "true"), f"{_WRITE}, RFC-56"),
    Option(EARLY_STRATEGY, (SIMPLE_DIRECT, TRANSACTIONAL_DIRECT), f"{_WRITE}, RFC-56"),
    Option(CHECK_COMMIT, ("false", "true"), f"{_WRITE}, RFC-56"),
    Option(MARKERS, ("DIRECT",), _WRITE),
    Option(CLEAN_POLICY, ("LAZY",), "HoodieCleanConfig"),
    Option(RETRIES, ("50", "0", "3"), _LOCK),
    Option(RETRY_WAIT, ("5000", "0"), _LOCK),
    Option(EXPIRE, ("0", "1"), _LOCK),
    Option(INTERVAL, ("60000", "1000"), _WRITE),
    Option(MISSES, ("2", "1", "10"), _WRITE),
    Option(SKEW, (UNSET, "2000"), "HoodieTimeGeneratorConfig"),
    Option(SCHEME, ("file", "hdfs", "abfs"), "the scheme of the table's base path"),
)


def draw_settings(draws: Draws) -> dict[str, str]:
    """Draw every option. Returns: a value for each key, which fit together. Raises: `PinError` that says what cannot be
    together."""
    settings: dict[str, str] = {}
    for option in OPTIONS:
        refused = {value: _refusal({**settings, option.key: value}) for value in option.values}
        fitting = tuple([value for value, why in refused.items() if not why])
        try:
            settings[option.key] = draws.one_of(option.key, fitting)
        except PinError as error:
            why = next((why for value, why in refused.items() if why and f"got {value!r}" in str(error)), str(error))
            raise PinError(why) from None
    return settings


def options_of(settings: Mapping[str, str]) -> Options:
    """What clients are given of settings: those that are set, in order."""
    return tuple([(key, value) for key, value in settings.items() if value != UNSET])


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


def _with(*changed: Mapping[str, str]) -> Settings:
    """Optimistic concurrency control with Hudi's defaults, in one process, but for what is `changed`."""
    settings = {option.key: option.values[0] for option in OPTIONS} | {MODE: OCC, LOCK_PROVIDER: IN_PROCESS}
    for each in changed:
        settings.update(each)
    return settings


_HOSTS = {LOCK_PROVIDER: ZOOKEEPER}
_FILE_LOCK = {LOCK_PROVIDER: FILE_SYSTEM}
_PREFERRING = {CONFLICTS: PREFER_WRITER}
_EARLY = {EARLY: "true"}
_COMMITS = {CHECK_COMMIT: "true"}
CONFIGURATIONS: Mapping[str, Settings] = {
    "default": _with(),
    "zookeeper": _with(_HOSTS),
    "prefer-writer": _with(_PREFERRING),
    "prefer-writer-zookeeper": _with(_HOSTS, _PREFERRING),
    "bucket": _with({CONFLICTS: BUCKET_CONFLICTS}),
    "version-8": _with(_HOSTS, {TABLE_VERSION: "8"}),
    "version-6": _with(_HOSTS, {TABLE_VERSION: "6"}),
    "hdfs": _with(_HOSTS, {SCHEME: "hdfs"}, _PREFERRING),
    "abfs": _with(_HOSTS, {SCHEME: "abfs"}, _PREFERRING),
    "file-lock": _with(_FILE_LOCK, _PREFERRING),
    "file-lock-expiring": _with(_FILE_LOCK, _PREFERRING, {EXPIRE: "1", RETRY_WAIT: "5000"}),
    "early": _with(_EARLY),
    "early-prefer-writer": _with(_EARLY, _PREFERRING),
    "early-check-commit": _with(_EARLY, _COMMITS, _PREFERRING),
    "early-transactional": _with(_HOSTS, _EARLY, {EARLY_STRATEGY: TRANSACTIONAL_DIRECT}, _PREFERRING),
    "short-heartbeats": _with(_PREFERRING, {INTERVAL: "1000"}),
    "few-retries": _with(_HOSTS, _PREFERRING, {RETRIES: "3", RETRY_WAIT: "0"}),
    "single-writer": _with({MODE: SINGLE_WRITER, LOCK_PROVIDER: UNSET}),
}
"""The first one is how a user sets up several writers, with everything else as Hudi has it."""
