"""Compactions of the metadata table in generated Hudi races: now and then it is compacted after few delta commits.

It is drawn when all else has been, so that a race without them is what it was. By default ten delta commits come
before a compaction, which are more than most races have. Where it is compacted, now and then a client empties a
partition, fills it, writes elsewhere, cleans and archives, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.hudi.keys import BUCKET_CONFLICTS, KEEP_MAX, KEEP_MIN, METADATA, METADATA_COMPACT_AFTER, RETAINED
from sim.generation.draws import Draws, PinError
from sim.hudi.draw.metadata import SAVES
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES, config_of, told, yes_if
from sim.hudi.statements import PARTITION, Archive, Clean, DeletePartition, Insert, Statement, Upsert, anybody
from sim.hudi.workload import Options

METADATA_COMPACTIONS, SOMETIMES = "compactions of the metadata table", ("no", "no", "yes")
SHAPE, AS_DRAWN, CLEANED, ARCHIVED = "work on a partition", "as drawn", "with cleans", "and archiving"
SHAPES = (AS_DRAWN, AS_DRAWN, CLEANED, ARCHIVED)
BESIDE, EMPTY, FILL, CLEANS, ARCHIVES = "write elsewhere", "empty it", "fill it", "clean", "archive"
SERVICES: Mapping[str, Statement] = {CLEANS: Clean(), ARCHIVES: Archive()}
FEW: Options = ((RETAINED, "1"), (KEEP_MIN, "1"), (KEEP_MAX, "2"))
NEW_ROW, OTHER_ROW, OTHER_PARTITION = 98, 97, "q"


def draw_metadata_compactions(
    draws: Draws, settings: Mapping[str, str], beside: Options, table: Drawn
) -> tuple[dict[str, str], Options, Drawn]:
    """Draw whether the metadata table is compacted, and after how many delta commits.

    Args: `beside`: what is set for services until now; `table`: with its actors. Returns: the settings with it, what is
    set beside, and the table. Raises: `PinError`.
    """
    pinned, drawn = told(draws, METADATA_COMPACT_AFTER), dict(settings)
    values = tuple([value for value in VALUES[METADATA_COMPACT_AFTER] if value != UNSET])
    if settings[METADATA] != "true":
        if pinned in values:
            raise PinError(
                f"option {METADATA_COMPACT_AFTER}: expected {UNSET} without a metadata table, got {pinned!r}"
            )
        return drawn, beside, table
    if draws.one_of(METADATA_COMPACTIONS, SOMETIMES, yes_if(pinned, *values)) == "no":
        return drawn, beside, table
    drawn[METADATA_COMPACT_AFTER] = draws.one_of(METADATA_COMPACT_AFTER, values)
    config = config_of(drawn)
    never = config.detects_by_server or config.conflict_strategy == BUCKET_CONFLICTS or config.merge_on_read
    shape = AS_DRAWN if never or config.keeps_versions else draws.one_of(SHAPE, SHAPES)
    if shape == AS_DRAWN or anybody(table.actors, Archive, *SAVES):
        return drawn, beside, table
    given = dict(beside)
    few = [(key, value) for key, value in FEW if shape == ARCHIVED or key == RETAINED]
    beside = (*beside, *[(key, value) for key, value in few if key not in (*given, KEEP_MAX)])
    if shape == ARCHIVED:
        drawn[KEEP_MAX] = dict(FEW)[KEEP_MAX]
    emptied = (table.partitions or (PARTITION,))[0]  # that of new rows
    services = tuple(SERVICES) if shape == ARCHIVED else (CLEANS,)
    actors = [_works_on(draws, emptied, services), *table.actors[1:]]
    return drawn, beside, table._replace(actors=actors, elsewhere=(*table.elsewhere, (OTHER_ROW, OTHER_PARTITION)))


def _works_on(draws: Draws, partition: str, services: tuple[str, ...]) -> list[Statement]:
    """What one client does, in any order: it empties a partition, fills it again once, writes elsewhere, and calls
    services."""
    done: list[Statement] = []
    for number in range(draws.number("statements on a partition", 4, 7)):
        kind = draws.one_of("a statement on a partition", (BESIDE, EMPTY, *services, FILL))
        if kind == EMPTY:
            done.append(DeletePartition(partition))
        elif kind == FILL and not any(isinstance(each, Insert) for each in done):
            done.append(Insert(((NEW_ROW, "filled"),)))
        elif kind in SERVICES:
            done.append(SERVICES[kind])
        else:
            done.append(Upsert(((OTHER_ROW, f"beside {number}"),)))
    return done
