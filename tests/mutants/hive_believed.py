"""What CachedStore believes its cache in its default mode, with one rule broken: told by what live metastores answered.

`tests/vectors/hive_believed.json` kills each of them. Two change what clients find: generated races notice them, too.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.believed import BelievedTables
from model.hive.rules import SHIPPED_REFRESH
from tests.mutants.edited import Edit, edited
from tests.mutants.mutant import Mutant


def _broken(name: str, why: str, method: str, edit: Edit) -> Mutant:
    return replace(edited(name, why, (BelievedTables, method, edit)), base=SHIPPED_REFRESH)


MUTANTS: tuple[Mutant, ...] = (
    _broken("believed-drop-takes-all", "a table goes with partitions that the cache lacks",
            "drop", ("if left and not entry.table.managed:", "if False:")),
    _broken("believed-drop-keeps-entry", "a refused drop leaves the entry",
            "drop", ("self._cache.lose(name)", "pass")),
    _broken("believed-drop-deletes-nothing", "a drop deletes nothing",
            "drop", ("if row is not None:", "if False:")),
    _broken("believed-added", "what the cache alone has is added",
            "_put_partition", ("found is None and partition", "False and partition")),
    _broken("believed-partition-of-nobody", "what the cache alone has is told as what nobody has",
            "rename_partition", ("not found and old", "False and old")),
    _broken("believed-table-of-nobody", "a table of the cache alone is told as one of nobody",
            "rename_partition", ("row is None or", "False or")),
    _broken("believed-name-twice", "a name that the cache has is given once more",
            "rename_partition", ("and partition in entry", "and False in entry")),
    _broken("believed-not-dropped", "what the cache lacks is not dropped",
            "drop_partition", ("not found and (listed", "(listed")),
)  # fmt: skip
BROKEN = {
    "believed-drop-keeps-entry": "read-your-writes",
    "believed-drop-deletes-nothing": "acknowledged-writes-survive",
}
"""The property that a mutant breaks. The others refuse what is granted, or grant what is refused: nothing is lost by
it."""
