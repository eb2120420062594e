"""Row lineage of a table of format 3, by what an inspection at the end found in its metadata and its files.

Such an inspection is an operation `row-ids` of process `r-inspect`, one per finding, or one that found nothing; its
argument is "kind: text".

Source: specification of the table format, "Row Lineage".
"""

from checkers.finding import T1, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.isolation.resolve import Facts

ROW_IDS = "row-ids"


def row_lineage(facts: Facts) -> Findings:
    """No two rows have one id, a row that is carried over keeps its own, and the next id is above all of them."""
    looked = [(position, op.arg or "") for position, op in enumerate(facts.ops) if op.f == ROW_IDS]
    if not looked:
        return [Indeterminate("nobody looked for row ids at the end, or the table has none", unseen=True)]
    told = [(position, *arg.partition(": ")[::2]) for position, arg in looked if arg]
    return one_per_shape([Finding(kind, (position,), (), (f"{T1} found {text}",)) for position, kind, text in told])


LINEAGE_CHECKS: dict[str, Check] = {"row-lineage": row_lineage}
"""Asked of tables of format 3."""
