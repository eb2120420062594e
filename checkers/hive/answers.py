"""Whether a metastore answers its clients at all. Source: hive/6.2 (R5)."""

from checkers.finding import T1, Finding, Findings, one_per_shape
from checkers.histories.history import INFO
from checkers.isolation.resolve import Facts

NO_ANSWER = "NoAnswer"
"""The error of a call that a server holds for ever."""


def calls_answered(facts: Facts) -> Findings:
    """No server lets a client wait for ever: whoever is not answered has met a fault, and none that is a server's own.

    What was asked for may be done; nobody knows.
    """
    says = f"{T1} was never answered, and no fault kept the answer back: its server waits for ever"
    return one_per_shape(
        [
            Finding("unanswered-call", (position,), (), (says,))
            for position, op in enumerate(facts.ops)
            if op.type == INFO and (op.error or "").startswith(NO_ANSWER)
        ]
    )
