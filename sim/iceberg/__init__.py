"""Iceberg in the simulator, ours and PyIceberg, also over cached metastores: workload, scenarios, studies."""

import checkers.iceberg  # noqa: F401 (its property is known by name from here on)
