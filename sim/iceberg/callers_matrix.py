"""The part of the matrix of operations that no engine asks for: callers of the Java API may.

Choices: they have no levels. Both sides append for one job, so that one of two is refused; what is overwritten by a
filter is row 1, by a file of row 1 alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sim.iceberg.by_hand import AppendOnce, OverwriteWhere
from sim.iceberg.managed_matrix import Asks

BY_CALLERS: Mapping[str, tuple[str, Callable[[Asks], AppendOnce | OverwriteWhere]]] = {
    "append-once": (
        "newFastAppend of a new row, validateWith that no ancestor was made for its job",
        lambda s: AppendOnce(((s.new, s.value(s.new)),)),
    ),
    "overwrite-where": (
        "newOverwrite where id = 1 by a row 1, validateAddedFilesMatchOverwriteFilter",
        lambda s: OverwriteWhere(1, ((1, s.value(1)),)),
    ),
}
