"""The findings of `docs/defects.md` as generated failures meet them."""

from __future__ import annotations

from sim.generation.causes import Known

KNOWN: tuple[Known, ...] = ()
