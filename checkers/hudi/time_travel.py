"""What who reads a Hudi table as of an instant is told: what was there then, or that it cannot be read.

The instant is that of the newest commit of when the race began, so the rows are those of version 0. A history has them
in the argument of the operation, as "1 = a, 2 = b".

Source: Hudi documentation, time travel; `as.of.instant` of 1.2.0.
"""

from checkers.finding import T1, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.histories.history import OK
from checkers.histories.told_rows import rows_in
from checkers.isolation.resolve import Facts

READ_FIRST = "read at"


def first_stays(facts: Facts) -> Findings:
    """The table as of an instant is the same whenever it is read, or is refused."""
    first = [
        (key, chain.values[0])
        for key, chain in facts.lineage.chains.items()
        if key.startswith("row:") and chain.versions[0] == 0
    ]
    asked = [(at, op) for at, op in enumerate(facts.ops) if op.f == READ_FIRST]
    if not asked:
        return [Indeterminate("nobody read as of an instant", unseen=True)]
    wrong = [at for at, op in asked if op.type == OK and sorted(rows_in(op.arg or "")) != sorted(first)]
    says = f"{T1} was told other rows than there were when the race began"
    return one_per_shape([Finding("past-changed", (at,), (), (says,)) for at in wrong])


TIME_TRAVEL_CHECKS: dict[str, Check] = {"first-stays": first_stays}
"""Asked where somebody reads as of an instant."""
