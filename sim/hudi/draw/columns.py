"""What is drawn of a generated Hudi race where it is asked for: consumers, columns that writers add, what becomes of
failed writes where there is one writer, several buckets of a partition, updates on merge-on-read tables, sessions
of ZooKeeper that last for less than a pause, and deletes.

Columns are where the check of schemas is asked for, on or off. They are drawn when all else has been; else nothing is
written down, and a race is what it was. What is not modelled beside them (`sim.hudi.columns.check_evolved`) is a read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from model.hudi.keys import (
    ANY_COMMIT,
    AS_OF,
    CLEAN_POLICY,
    EAGER,
    LOCK_PROVIDER,
    NEVER,
    OCC,
    RETAINED,
    SCHEMA_CONFLICTS,
    SESSION_TIMEOUT,
    ZOOKEEPER,
)
from sim.generation.draws import Draws
from sim.hudi.columns import fits_columns
from sim.hudi.draw.archived_reads import draw_forgotten
from sim.hudi.draw.consumers import Actors, Consumers, Steps, draw_as_of, draw_consumers
from sim.hudi.draw.deletes import draw_deletes
from sim.hudi.draw.logged_updates import draw_logged_updates
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.draw.rewriting import CLEANED, EXISTS, draw_rewritten
from sim.hudi.draw.several_buckets import draw_several_buckets
from sim.hudi.draw.told import asked
from sim.hudi.settings import VALUES, config_of
from sim.hudi.statements import HIDING, Cluster, Compact, Read, Statement, Update, Upsert, anybody
from sim.hudi.table_types import WITHOUT_HEARTBEATS
from sim.hudi.workload import Options

COLUMNS = ((), ("b",), ("c",), ("b", "c"))


def draw_asked(
    draws: Draws, settings: Mapping[str, str], table: Drawn, steps: Steps, beside: Options
) -> tuple[dict[str, str], Drawn, Consumers, Steps]:
    """Draw all. Args and returns: as `draw_consumers`; `table`: with its actors; `beside`: what is set beside the
    settings."""
    drawn, table, consumers, steps = _draw_beside(draws, settings, table, steps, beside)
    if asked(draws, SESSION_TIMEOUT) is not None and drawn[LOCK_PROVIDER] == ZOOKEEPER:
        drawn[SESSION_TIMEOUT] = VALUES[SESSION_TIMEOUT][1]
    drawn, table = draw_deletes(draws, drawn, table, consumed=bool(consumers))
    return drawn, table, consumers, steps


def _draw_beside(
    draws: Draws, settings: Mapping[str, str], table: Drawn, steps: Steps, beside: Options
) -> tuple[dict[str, str], Drawn, Consumers, Steps]:
    drawn, others, consumers, steps = draw_consumers(draws, settings, table.actors, steps)
    drawn, others = draw_policy(draws, *draw_columns(draws, drawn, others))
    drawn, consumers = draw_as_of(draws, drawn, consumers)
    forgotten = draw_forgotten(draws, consumers, table.groups)
    if forgotten is not None:
        writer, consumers = forgotten
        retained = {} if RETAINED in dict(beside) else {RETAINED: "1"}
        return {**drawn, **retained}, table._replace(actors=[writer]), consumers, steps
    rewritten = draw_rewritten(draws, config_of(drawn), table.groups) if drawn[AS_OF] == ANY_COMMIT else None
    drawn, table = draw_several_buckets(draws, drawn, table._replace(actors=others))
    table = draw_logged_updates(draws, drawn, table)
    if rewritten is None:
        return drawn, table, consumers, steps
    writer, consumers = rewritten
    return {**drawn, **CLEANED}, table._replace(actors=[writer]), consumers, steps and (*steps, EXISTS)


def draw_columns(draws: Draws, settings: Mapping[str, str], actors: Actors) -> tuple[dict[str, str], Actors]:
    """Draw those of each upsert. Returns: the settings with whether they are compared, and the actors."""
    drawn, config = dict(settings), config_of(settings)
    if asked(draws, SCHEMA_CONFLICTS) is None:
        return drawn, actors
    if config.layout == 1 or config.mode != OCC:
        return drawn, actors
    drawn[SCHEMA_CONFLICTS] = draws.one_of(SCHEMA_CONFLICTS, ("true", "false"))
    return drawn, [[_with_columns(draws, one) for one in todo] for todo in actors]


def draw_policy(draws: Draws, settings: Mapping[str, str], actors: Actors) -> tuple[dict[str, str], Actors]:
    """Draw another policy for failed writes than the one of several writers. Returns and raises: as `draw_columns`."""
    drawn, config = dict(settings), config_of(settings)
    unlike = config.layout == 1 or config.merge_on_read or config.metadata or config.multi_writer
    if asked(draws, CLEAN_POLICY) is None or unlike:
        return drawn, actors
    drawn[CLEAN_POLICY] = draws.one_of(CLEAN_POLICY, (EAGER, NEVER))
    return drawn, [[one if isinstance(one, WITHOUT_HEARTBEATS) else Read() for one in todo] for todo in actors]


def meets_others(actors: Actors) -> bool:
    """Whether anybody changes more than the file groups of his rows: others', or the table's columns."""
    adds = any(isinstance(one, Upsert) and bool(one.columns) for todo in actors for one in todo)
    return adds or anybody(actors, *HIDING, Cluster, Compact)


def _with_columns(draws: Draws, one: Statement) -> Statement:
    if isinstance(one, Update):
        one = Upsert(**{each.name: getattr(one, each.name) for each in fields(one)})
    if isinstance(one, Upsert):
        return replace(one, columns=draws.one_of("columns", COLUMNS))
    return one if fits_columns(one) else Read()
