"""What an inspection at the end found in a table's metadata and its files: of row ids, of changes that nobody asked
for, and of statements that were told that they are done, and are not.

Such an inspection is an operation of process `r-inspect`, one per finding; its argument is "kind: text". Of row ids, an
operation `row-ids`, it is there with no argument where nothing was found; of the others, `unasked` and `not-done`, it
is not.

Source: specification of the table format, "Row Lineage"; of the others, `sim.iceberg.astray` and
`sim.iceberg.not_done` say which.
"""

from checkers.finding import T1, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.isolation.invariants import INSPECT
from checkers.isolation.resolve import Facts

ROW_IDS, UNASKED, NOT_DONE = "row-ids", "unasked", "not-done"


def row_lineage(facts: Facts) -> Findings:
    """No two rows have one id, a row that is carried over keeps its own, and the next id is above all of them."""
    if not any(op.f == ROW_IDS for op in facts.ops):
        return [Indeterminate("nobody looked for row ids at the end, or the table has none", unseen=True)]
    return _found(facts, ROW_IDS)


def no_unasked_changes(facts: Facts) -> Findings:
    """Nothing was done to the table that no statement can have done."""
    return _looked_over(facts, UNASKED)


def done_as_told(facts: Facts) -> Findings:
    """Who was told that it is done has done it, and nobody was told so of what is to be refused."""
    return _looked_over(facts, NOT_DONE)


def _looked_over(facts: Facts, kind: str) -> Findings:
    if not any(op.f == INSPECT for op in facts.ops):
        return [Indeterminate("nobody looked the table over at the end", unseen=True)]
    return _found(facts, kind)


def _found(facts: Facts, kind: str) -> Findings:
    told = [(position, *(op.arg or "").partition(": ")[::2]) for position, op in enumerate(facts.ops) if op.f == kind]
    return one_per_shape(
        [Finding(what, (position,), (), (f"{T1} found {text}",)) for position, what, text in told if what]
    )


INSPECTION_CHECKS: dict[str, Check] = {
    "row-lineage": row_lineage,
    "no-unasked-changes": no_unasked_changes,
    "done-as-told": done_as_told,
}
"""The first is asked of tables of format 3, the others where a catalog keeps all versions."""
