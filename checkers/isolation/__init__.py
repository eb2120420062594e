"""Isolation and session guarantees, judged from the versions and real-time order of any history."""
