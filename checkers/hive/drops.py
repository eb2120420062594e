"""Whether drops of tables are answered by what there is. Source: `model.hive.believed`.

Choices: who finds no table to drop is told so, and that is as it should be. A drop of a table under whose name another
one has been made meanwhile has dropped that.
"""

from checkers.finding import T1, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL, OK
from checkers.isolation.resolve import Facts

PARTITIONS_LEFT = "PartitionsLeft"
"""The error of a drop of a table whose partitions the server does not know of."""


def drops_as_told(facts: Facts) -> Findings:
    """Who is told that a table is dropped has dropped one, and nobody is refused a drop of a table that is there."""
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        if op.f != "drop":
            continue
        if op.type == OK and not op.writes:
            says = f"{T1} was told that the table is dropped, and there was none: somebody else had dropped it"
            found.append(Finding("dropped-nothing", (position,), (), (says,)))
        if op.type == FAIL and (op.error or "").startswith(PARTITIONS_LEFT):
            says = f"{T1} was refused a drop of a table that is there: its server does not know all of its partitions"
            found.append(Finding("refused-drop", (position,), (), (says,)))
    return one_per_shape(found)
