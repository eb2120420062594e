"""Format 1 in a race of the Java API that was drawn without, and a table that goes from one format to the next.

Choices: drawn last, and rarely, so that other races are what they were; who asks for format 1 gets the draws that can
have it. A table of format 1 is in races alone that
delete no row by a delete file: there are none, and the workload would be refused. Who sets a property first may set
the format in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.iceberg.draw.writers import Writers
from sim.iceberg.workload import FORMAT, SetProperty, Statement, has_deletes

RARELY, OFTEN = (False, False, True), (False, True)
NEXT = {"1": "2", "2": "3"}
KINDS = ("format 1", "change of format")


def refuse_format_1(draws: Draws, why: str) -> None:
    """Raise `PinError` if the format is pinned to 1: another one is expected `why`."""
    if draws.pinned(FORMAT) == "1":
        raise PinError(f"{FORMAT}: expected 2 or 3 {why}, got 1")


def with_formats(
    draws: Draws, writers: Writers, history: Sequence[Statement], settings: Settings
) -> tuple[Settings, Writers]:
    """Draw the format of the table, and the statements of each writer with those that change it.

    Args: `settings`: with the format that was drawn. Raises: `PinError` if it is to be 1, and cannot be.
    """
    version = settings[FORMAT]
    done = [one for todo in writers.values() for one in todo]
    asked = "True" if draws.pinned(FORMAT) == "1" else None
    if has_deletes((*done, *history)):
        refuse_format_1(draws, "where rows are deleted by delete files")
    elif version == "2" and draws.one_of("format 1", RARELY, asked):
        version = "1"
    settings = {**settings, FORMAT: version}
    first = next((one for one in done if isinstance(one, SetProperty)), None)
    if version not in NEXT or first is None or not draws.one_of("change of format", OFTEN):
        return settings, writers
    change = SetProperty(FORMAT, NEXT[version])
    return settings, {name: [change if one is first else one for one in todo] for name, todo in writers.items()}
