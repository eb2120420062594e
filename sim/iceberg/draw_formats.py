"""Format 1 in a race of the Java API that was drawn without, and a table that goes from one format to the next.

Choices: drawn last, and rarely, so that other races are what they were. A table of format 1 is in races alone that
delete no row by a delete file: there are none, and the workload would be refused. Who sets a property first may set
the format in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.draws import Draws
from sim.iceberg.workload import FORMAT, SetProperty, Statement, has_deletes

RARELY, OFTEN = (False, False, True), (False, True)
NEXT = {"1": "2", "2": "3"}
KINDS = ("format 1", "change of format")
Writers = dict[str, list[Statement]]


def with_formats(draws: Draws, writers: Writers, history: Sequence[Statement], version: str) -> tuple[str, Writers]:
    """Draw the format of the table, and the statements of each writer with those that change it.

    Args: `version`: the format that was drawn.
    """
    done = [one for todo in writers.values() for one in todo]
    if version == "2" and not has_deletes((*done, *history)) and draws.one_of("format 1", RARELY):
        version = "1"
    first = next((one for one in done if isinstance(one, SetProperty)), None)
    if version not in NEXT or first is None or not draws.one_of("change of format", OFTEN):
        return version, writers
    change = SetProperty(FORMAT, NEXT[version])
    return version, {name: [change if one is first else one for one in todo] for name, todo in writers.items()}
