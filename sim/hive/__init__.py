"""Hive's metastore cache in the simulator: workload, scenarios, claims, studies."""
