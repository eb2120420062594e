"""Iceberg in the simulator, ours and PyIceberg, also over cached metastores: workload, scenarios, studies."""
