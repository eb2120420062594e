"""Findings that are no news, as generated failures meet them. Each is a built-in scenario, or an issue upstream."""

from __future__ import annotations

from sim.generation.causes import Known

KNOWN: tuple[Known, ...] = ()
