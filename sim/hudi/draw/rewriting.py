"""A file that is rewritten and cleaned while somebody reads what has come, in generated Hudi races.

It is drawn last, where commits are asked for as of which somebody reads, and then in the place of all others: one
writer changes a row, then another one of the same file, and cleans, so that one slice of it is kept; one consumer reads
twice. Whether a file is there is a step then: a consumer looks for the files of the commits that he knows of.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.hudi import HudiConfig
from model.hudi.keys import LATEST_VERSIONS, SLICES_POLICY, VERSIONS
from sim.generation.draws import Draws
from sim.hudi.rows import Rows
from sim.hudi.statements import Clean, ReadNews, Statement, Upsert

REWRITTEN, NOW_AND_THEN = "a file is rewritten and cleaned", ("no", "no", "yes")
EXISTS = "exists"
CLEANED = {SLICES_POLICY: LATEST_VERSIONS, VERSIONS: "1"}
"""What is kept then."""


def draw_rewritten(
    draws: Draws, config: HudiConfig, groups: Iterable[tuple[str, Rows]]
) -> tuple[list[Statement], dict[str, Iterable[Statement]]] | None:  # fmt: skip
    """Draw whether one is, if it holds two rows or more. Returns: what its writer does, and the consumer; None: not."""
    ids = next(([key for key, _ in rows] for _, rows in groups if len(rows) > 1), [])
    if not ids or config.layout == 1 or config.merge_on_read or draws.one_of(REWRITTEN, NOW_AND_THEN) == "no":
        return None
    first, second, *_ = ids
    return [Upsert(((second, "R1"),)), Upsert(((first, "R2"),)), Clean()], {"c1": [ReadNews(), ReadNews()]}
