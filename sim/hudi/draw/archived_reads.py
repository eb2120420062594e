"""A clean that is archived, and who reads what was before it, in generated Hudi races.

It is drawn last, where somebody reads incrementally and it is asked for that few commits are kept, and then in the
place of all others: one writer changes a row twice, cleans, changes another one and archives; one consumer reads what
has come and what was there at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.hudi.keys import KEEP_MAX
from sim.generation.draws import Draws
from sim.hudi.draw.told import tell_all
from sim.hudi.rows import Rows
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import told
from sim.hudi.statements import Archive, Clean, ReadFirst, ReadNews, Statement, Upsert

FORGOTTEN, NOW_AND_THEN = "a clean is archived", ("no", "no", "yes")
LATER = 4
"""After so many commits the one after the clean is archived."""


def draw_forgotten(
    draws: Draws, consumers: Mapping[str, Iterable[Statement]], groups: Iterable[tuple[str, Rows]]
) -> tuple[list[Statement], dict[str, Iterable[Statement]]] | None:  # fmt: skip
    """Draw whether one is. Returns: what its writer does, and the consumer; None: not."""
    if not consumers or told(draws, KEEP_MAX) in (None, UNSET):
        return None
    tell_all(draws)
    if draws.one_of(FORGOTTEN, NOW_AND_THEN) == "no":
        return None
    rows = [key for _, some in groups for key, _ in some]
    more = int(told(draws, KEEP_MAX) or 0)
    todo: list[Statement] = [*[Upsert(((rows[0], f"F{n}"),)) for n in range(1, 3)], Clean()]
    todo += [Upsert(((rows[-1], f"L{n}"),)) for n in range(1, LATER + more - 1)]
    return [*todo, Archive()], {"c1": [ReadNews(), ReadFirst()]}
