"""Known findings about columns that writers add; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import SCHEMA_CONFLICTS
from sim.generation.causes import Known
from sim.hudi.known_rows import INVARIANTS, rows, without

GONE = {INVARIANTS: ("column-gone",)}
OF_SCHEMAS: tuple[Known, ...] = (
    *rows("schema-unchecked", GONE, (SCHEMA_CONFLICTS, ("false",))),
    *rows("schema-older-instant", GONE, (SCHEMA_CONFLICTS, ("true",)), rules=without("schema-by-completion", "fixed")),
)
