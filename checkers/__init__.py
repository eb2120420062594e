"""Histories in, verdicts out. Knows nothing of simulators, tables or reports."""
