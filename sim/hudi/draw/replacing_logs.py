"""Overwrites and deletions of partitions in generated Hudi races on merge-on-read tables: now and then, in place of
some upserts.

They are drawn when all else has been, so that a race without them is what it was. Non-blocking writers overwrite
nothing, which Hudi refuses them. There are none in the order of events, of which a deletion has no part, nor with the
timeline server's early detection or the bucket strategy (`sim.hudi.draw.replacing`).
"""

from __future__ import annotations

from model.hudi import HudiConfig
from model.hudi.keys import BUCKET_CONFLICTS
from sim.generation.draws import Draws
from sim.hudi.draw.replacing import AS_IT_IS, DELETE, OVERWRITE, OVERWRITE_TABLE
from sim.hudi.statements import DeletePartition, Overwrite, Statement, Upsert

REPLACING_LOGS, SOMETIMES = "overwrites and deletions of log files", ("no", "no", "no", "yes")
BLOCKED, UNBLOCKED = (AS_IT_IS, OVERWRITE, OVERWRITE_TABLE, DELETE), (AS_IT_IS, AS_IT_IS, DELETE)


def draw_replacing_logs(
    draws: Draws, actors: list[list[Statement]], config: HudiConfig, partitions: tuple[str, ...]
) -> list[list[Statement]]:  # fmt: skip
    """Draw, now and then, other operations for some upserts. Args: `partitions` are those that rows belong to."""
    served = config.detects_by_server
    unlike = not config.merge_on_read or served or config.by_event_time
    if unlike or config.conflict_strategy == BUCKET_CONFLICTS or draws.one_of(REPLACING_LOGS, SOMETIMES) == "no":
        return actors
    return [[_instead(draws, one, config, partitions) for one in todo] for todo in actors]


def _instead(draws: Draws, statement: Statement, config: HudiConfig, partitions: tuple[str, ...]) -> Statement:
    if not isinstance(statement, Upsert):
        return statement
    match draws.one_of("instead", UNBLOCKED if config.bucketed else BLOCKED):
        case "overwrite":
            return Overwrite(statement.rows)
        case "overwrite table":
            return Overwrite(statement.rows, whole_table=True)
        case "delete":
            return DeletePartition(draws.one_of("partition", partitions))
    return statement
