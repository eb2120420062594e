"""Tables of Spark SQL and of the Java API that come to format 3 just before a race, whose rows have no ids yet.

Choices: drawn last, and rarely, of a race that was drawn in format 3, so that other races are what they were; not where
procedures manage snapshots.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Managing
from sim.iceberg.options import CLIENT, FORMAT
from sim.iceberg.workload import SetProperty

RARELY = (False, False, False, False, True)


def with_upgrade(draws: Draws, table: Table, writers: Writers, settings: Settings) -> Settings:
    """The settings with the format that the table is made in; what changes it is put into the history."""
    done = [one for todo in (*writers.values(), table.history) for one in todo]
    possible = settings[FORMAT.key] == "3" and settings[CLIENT.key] in ("spark-sql", "java-api")
    if not possible or any(isinstance(one, Managing) for one in done):
        return settings
    if not draws.one_of("comes to format 3", RARELY):
        return settings
    table.history.append(SetProperty(FORMAT.key, "3"))
    return {**settings, FORMAT.key: FORMAT.values[0]}
