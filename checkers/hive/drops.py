"""Whether drops of tables are answered by what there is. Source: `model.hive.believed`.

Choices: who finds no table to drop is told so, and that is as it should be. A drop of a table under whose name another
one has been made meanwhile has dropped that.
"""

from checkers.finding import T1, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL, OK
from checkers.isolation.resolve import Facts

UNKNOWN = {"PartitionsLeft": "all of its partitions", "NoSuchDatabase": "the table's database"}
"""The errors of a drop of a table of which the server does not know something."""


def drops_as_told(facts: Facts) -> Findings:
    """Who is told that a table is dropped has dropped one, and nobody is refused a drop of a table that is there."""
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        if op.f != "drop":
            continue
        if op.type == OK and not op.writes:
            says = f"{T1} was told that the table is dropped, and there was none: somebody else had dropped it"
            found.append(Finding("dropped-nothing", (position,), (), (says,)))
        if op.type == FAIL and (what := UNKNOWN.get((op.error or "").partition(":")[0])):
            says = f"{T1} was refused a drop of a table that is there: its server does not know {what}"
            found.append(Finding("refused-drop", (position,), (), (says,)))
    return one_per_shape(found)
