"""Hive's metastore cache in the simulator: workload, scenarios, claims, studies."""

import checkers.hive  # noqa: F401 (its properties are known by name from here on)
