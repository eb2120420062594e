"""What a run leaves behind, row by row: the steps that it made, and what the protocol said about them."""

from collections.abc import Sequence
from typing import Any

from model.ports import Meaning

Row = tuple[int, str, str, str, Any, Any, str]
"""A step: time_ms, task, operation, resource, arguments, value or error name, fault."""
Note = tuple[int, str, bool, Meaning]
"""An annotation: rows traced before it, task, whether it was learned (else intended), what it says."""

LONGEST_LOOP, MOST_NAMED = 100, 6


def loop_of(trace: Sequence[Row]) -> str:
    """Returns: the steps that the end of a trace repeats, as "w1.load, w1.sleep"; "" if it repeats none.

    Args: `trace` is that of a run that did not end.
    """
    tail = [f"{row[1]}.{row[2]}" for row in trace[-3 * LONGEST_LOOP :]]
    for length in range(1, len(tail) // 3 + 1):
        last = tail[-length:]
        if last == tail[-2 * length : -length] == tail[-3 * length : -2 * length]:
            named = ", ".join(last[:MOST_NAMED])
            return f"{named}, ..." if length > MOST_NAMED else named
    return ""
