"""Hudi in the simulator: workload, scenarios, claims, studies."""
