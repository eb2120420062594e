"""Several buckets of a partition in generated Hudi races: where they are asked for, and rows are in buckets.

They are drawn when all else has been, of a race whose rows are in one bucket; where nobody asks, nothing is written
down, and a race is what it was. The rows of the one file group go to the buckets that their ids name; a bucket without
a row is begun by who writes to it first. What is not modelled there is left out: tasks side by side, and clustering,
which is refused of buckets, is a read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.hudi.bucket_index import begun_as, number_of
from model.hudi.keys import BUCKET_INDEX, BUCKETS, INDEX, MODE, NON_BLOCKING
from sim.generation.draws import Draws
from sim.hudi.draw.non_blocking import Drawn
from sim.hudi.draw.told import asked
from sim.hudi.statements import PARTITION, Cluster, DeletePartition, PlanClustering, Read, Statement, Upsert

SEVERAL = ("2",)


def draw_several_buckets(draws: Draws, settings: Mapping[str, str], table: Drawn) -> tuple[dict[str, str], Drawn]:
    """Draw them. Returns: the settings with how many there are, and the table."""
    drawn = dict(settings)
    if asked(draws, BUCKETS) not in SEVERAL or drawn[INDEX] != BUCKET_INDEX:
        return drawn, table
    drawn[BUCKETS] = draws.one_of(BUCKETS, SEVERAL)
    buckets = int(drawn[BUCKETS])
    rows = [row for _, some in table.groups for row in some]
    split = {
        number: tuple([row for row in rows if number_of(str(row[0]), buckets) == number]) for number in range(buckets)
    }
    groups = tuple([(begun_as(number + 1, number), some) for number, some in split.items() if some])
    where = (table.partitions or (PARTITION,))[0]
    alike = drawn[MODE] == NON_BLOCKING and len(groups) < buckets  # begun there they have the names of those elsewhere
    elsewhere = () if alike else table.elsewhere
    there = {where, *dict(elsewhere).values()}
    actors = [[_in_buckets(one, there) for one in todo] for todo in table.actors]
    partitions = (where,) * len(groups)
    return drawn, table._replace(actors=actors, groups=groups, partitions=partitions, elsewhere=elsewhere)


def _in_buckets(one: Statement, there: set[str]) -> Statement:
    if isinstance(one, Cluster | PlanClustering) or (isinstance(one, DeletePartition) and one.partition not in there):
        return Read()
    return replace(one, tasks=1) if isinstance(one, Upsert) else one
