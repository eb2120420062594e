"""Protocols with one check broken: what tests hold against the checkers."""
