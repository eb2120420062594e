"""What an inspection of the table found at the end: broken invariants, and files that nothing refers to.

An inspection is an operation `inspect` of process `r-inspect`, one per finding; its argument is "kind: text". The kind
`leak` says that files were left behind, every other kind that an invariant of the format is broken.

Choices: files may be left behind by an operation of unknown outcome or by a process that died, since nobody may clean
up after those; so leaks count only where every operation was acknowledged or refused.
"""

from checkers.finding import T1, Finding, Findings, Indeterminate, one_per_shape
from checkers.histories.history import INFO
from checkers.isolation.resolve import Facts

INSPECT, LEAK = "inspect", "leak"
_UNSEEN = Indeterminate("nobody inspected the table at the end", unseen=True)


def _findings(facts: Facts, leaks: bool) -> list[Finding]:
    found = []
    for position, op in enumerate(facts.ops):
        if op.f == INSPECT and op.arg and op.arg.startswith(LEAK) == leaks:
            kind, _, text = op.arg.partition(": ")
            found.append(Finding(kind, (position,), (), (f"{T1} found {text}",)))
    return found


def table_invariants(facts: Facts) -> Findings:
    """Every invariant of the format holds at the end; it is indeterminate if nobody looked."""
    return one_per_shape(_findings(facts, leaks=False)) or _unless_inspected(facts)


def no_leaks(facts: Facts) -> Findings:
    """Nothing is left behind that nothing refers to, if every outcome is known."""
    if any(op.type == INFO for op in facts.ops):
        return []
    return one_per_shape(_findings(facts, leaks=True)) or _unless_inspected(facts)


def _unless_inspected(facts: Facts) -> Findings:
    return [] if any(op.f == INSPECT for op in facts.ops) else [_UNSEEN]
