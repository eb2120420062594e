"""Searching a scenario: runs, strategies, the default plan, shrinking, claims and studies."""
