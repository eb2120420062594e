"""A race of Spark SQL on a branch, drawn for one that has been drawn already.

Choices: it is drawn last, where it is asked for. Of what was drawn, statements that read or write rows stay, and
what was done to the table before, but for branches, tags and staged snapshots; a race in which somebody caches the
table, goes by time, or whose statements are all others, is as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.iceberg.spark_target import Target
from sim.generation.draws import Draws
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import CreateRef, Managing
from sim.iceberg.on_branch import OfRows

BRANCH = "b"
KINDS = ("named", "of the session, made by it", "of the session", "of the session, made by it")


def on_branch(
    draws: Draws, table: Table, writers: Writers, usual: dict[str, Any], *, may: bool
) -> tuple[Writers, dict[str, Any]]:
    """Draw which branch the race is on. What makes it before is put into the history.

    Args: `usual`: further fields of the workload; `may`: nobody caches the table or goes by time. Returns: the writers
    that stay, and the fields with the branch.
    """
    kept = {actor: [one for one in todo if isinstance(one, OfRows)] for actor, todo in writers.items()}
    staying: Writers = {actor: [*todo] for actor, todo in kept.items() if todo}
    if not may or not staying:
        return writers, usual
    kind = draws.one_of("branch is", KINDS)
    table.history = [one for one in table.history if not isinstance(one, Managing)]
    table.history += _made_before(kind)
    return staying, {**usual, "target": Target(BRANCH, by_session=kind != KINDS[0])}


def _made_before(kind: str) -> Sequence[CreateRef]:
    return () if kind == KINDS[1] else (CreateRef(BRANCH),)
