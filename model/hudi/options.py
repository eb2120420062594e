"""Hudi's keys of the settings that are modelled, and how their texts are read.

    parse_options({"hoodie.write.concurrency.mode": "OPTIMISTIC_CONCURRENCY_CONTROL", ...})

Source: hudi/2.4, hudi/3.2; `ConfigProperty.withAlternatives`.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError
from model.hudi.keys import (
    ASYNC_SERVER,
    BLOOM_RATE,
    BOUNDS,
    BUCKET_CONFLICTS,
    BUCKET_INDEX,
    BY_HOURS,
    CHECK_COMMIT,
    CHOICES,
    EARLY,
    EARLY_STRATEGY,
    LATEST_COMMITS,
    LATEST_VERSIONS,
    METADATA,
    PREPPED,
    SCHEMA_CONFLICTS,
    SIMPLE_DIRECT,
    TRANSACTIONAL_DIRECT,
    USING_MARKERS,
)

KEYS: dict[str, str] = {
    **{key: name for name, key, _, _ in BOUNDS},
    **{key: name for name, key, _ in CHOICES},
    EARLY: "early_detection",
    EARLY_STRATEGY: "early_strategy",
    CHECK_COMMIT: "check_commit_conflict",
    BLOOM_RATE: "bloom_rate",
    METADATA: "metadata",
    PREPPED: "prepped",
    SCHEMA_CONFLICTS: "schema_conflicts",
    USING_MARKERS: "rollback_using_markers",
    "hoodie.write.lock.storage.heartbeat.poll.secs": "lock_renewal_s",
    "hoodie.cleaner.policy.failed.writes": "clean_policy",
    "hoodie.cleaner.policy": "slices_policy",
    "hoodie.cleaner.commits.retained": "commits_retained",
    "hoodie.cleaner.hours.retained": "hours_retained",
    "hoodie.cleaner.fileversions.retained": "versions_retained",
    "hoodie.write.lock.early.conflict.detection.enable": "early_detection",
    "hoodie.write.lock.early.conflict.detection.strategy": "early_strategy",
    "hoodie.write.lock.early.conflict.check.commit": "check_commit_conflict",
    "hoodie.write.lock.early.conflict.async.checker.batch.interval": "detector_delay_ms",
    "hoodie.write.lock.early.conflict.async.checker.period": "detector_period_ms",
}
"""The field of each key; those of `hoodie.write.lock.early` are RFC-56's, which was shipped under other names."""
DOCUMENT = {
    "SimpleDirectMarkerBasedEarlyConflictDetectionStrategy": SIMPLE_DIRECT,
    "SimpleTransactionDirectMarkerBasedEarlyConflictDetectionStrategy": TRANSACTIONAL_DIRECT,
    "AsyncTimelineMarkerEarlyConflictDetectionStrategy": ASYNC_SERVER,
}
"""The strategies by RFC-56's names, and what they are shipped as."""
_POLICIES = {"commits_retained": LATEST_COMMITS, "hours_retained": BY_HOURS, "versions_retained": LATEST_VERSIONS}
"""The policy that `HoodieCleanConfig` infers where one of these is given alone."""
_NUMBERS = frozenset([name for name, *_ in BOUNDS] + ["table_version"])
_FLAGS = frozenset(
    ["early_detection", "check_commit_conflict", "metadata", "prepped", "rollback_using_markers", "schema_conflicts"]
)


def parse_options(options: Mapping[str, str], base: HudiConfig | None = None) -> HudiConfig:
    """Settings from Hudi's keys, over `base`; class names with or without their package.

    Raises: ConfigError for the first key that is unknown, says again what another one has said, or has a value that is
    not allowed.
    """
    base, values, given = base or HudiConfig(), {}, dict[str, str]()
    for key, value in options.items():
        name = KEYS.get(key)
        if name is None:
            near = get_close_matches(key, KEYS, 1)
            raise ConfigError(key, value, f"a known option{f' (did you mean {near[0]}?)' if near else ''}")
        if not isinstance(value, str):
            raise ConfigError(key, value, "a text, as in Hudi's properties")
        if name in given:
            raise ConfigError(key, value, f"nothing, for {given[name]} is given and means the same")
        given[name] = key
        values[name] = _value(key, name, value)
    if values.get("index_type") == BUCKET_INDEX and "conflict_strategy" not in given:
        values["conflict_strategy"] = BUCKET_CONFLICTS  # `HoodieLockConfig` infers it
    counted = [policy for name, policy in _POLICIES.items() if name in given]
    if len(counted) == 1 and "slices_policy" not in given:
        values["slices_policy"] = counted[0]
    return replace(base, **values).checked()


def _value(key: str, name: str, value: str) -> Any:
    if name in _NUMBERS:
        if not re.fullmatch("-?[0-9]+", value):
            raise ConfigError(key, value, "a whole number")
        return int(value)
    if name == "bloom_rate":
        if not re.fullmatch(r"[0-9]*\.?[0-9]+(e-[0-9]+)?", value):
            raise ConfigError(key, value, "a rate between 0 and 1, such as 0.01 or 1e-9")
        return float(value)
    if name in _FLAGS:
        if value not in ("true", "false"):
            raise ConfigError(key, value, "true or false")
        return value == "true"
    of_class = value.rsplit(".", 1)[-1]
    return DOCUMENT.get(of_class, of_class)
