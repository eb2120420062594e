"""Histories of which the verdict is known before any checker has seen them, and how many were judged wrongly."""
