"""What is drawn last for a race of Spark SQL: statements that go by time, and, where it is asked for, a writer that
calls the Java API, as Flink does.

Choices: the second is drawn where no procedure and no other spec is beside it, as in most races, and in format 3 where
that is asked for; refused statements are sent once there.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.draw.ages import Ages
from sim.iceberg.draw.ages_in_sql import with_sql_ages
from sim.iceberg.draw.altered import with_altered
from sim.iceberg.draw.procedures_beside import with_procedures_beside
from sim.iceberg.draw.sql_specs import Partitions
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.streams import streamed
from sim.iceberg.draw.writers import Writers
from sim.iceberg.options import ALTERED, BESIDE_JAVA, BESIDE_SQL, CALLS, CATALOG, CLIENT, FORMAT
from sim.iceberg.sql_statements import Sql
from sim.iceberg.statements import Statement


def last_in_sql(
    draws: Draws, table: Table, writers: Writers, settings: Settings, ages: Ages, partitions: Partitions, tries: int
) -> tuple[Ages, Writers, int]:
    """Draw who goes by time, and then who calls the Java API. Returns: ages, writers, how often SQL is sent again."""
    ages, writers = with_sql_ages(draws, table, writers, settings, ages, partitions)
    return ages, *_with_java(draws, table, writers, settings, ages, partitions, tries)


def _with_java(
    draws: Draws, table: Table, writers: Writers, settings: Settings, ages: Ages, partitions: Partitions, tries: int
) -> tuple[Writers, int]:
    """Draw what one more writer sends by the Java API. Returns: the writers, and how often SQL is sent again."""
    over_rest = (settings[CLIENT.key], settings[CATALOG.key]) == ("spark-sql", "rest")
    if not over_rest or draws.pinned(CALLS.key) not in (None, BESIDE_SQL, BESIDE_JAVA, ALTERED):
        return writers, tries
    calls = draws.told(CALLS.key, CALLS.values)
    if calls == BESIDE_JAVA and not ages and _has_format(draws, settings):
        return with_procedures_beside(draws, table, writers, partitions, tries)
    if calls not in (BESIDE_SQL, ALTERED):
        return writers, tries
    sent = [one for todo in writers.values() for one in todo]
    if (
        changes_spec([*table.history, *sent])
        or ages
        or not _has_format(draws, settings)
        or not all(isinstance(one, Sql) for one in sent)
    ):
        return writers, tries
    if calls == ALTERED:
        return with_altered(draws, table, writers, settings, parted=bool(partitions["partition_width"])), 0
    todo: list[Statement] = draws.list_of("streams", 1, 2, lambda _: streamed(draws, table))
    return {**writers, f"w{len(writers) + 1}": todo}, 0


def _has_format(draws: Draws, settings: Settings) -> bool:
    """Whether it is format 2, or 3 where that is asked for."""
    version = settings[FORMAT.key]
    return version == "2" or (version == "3" and draws.told(FORMAT.key, FORMAT.values) == "3")
