"""Statements of a Hudi workload that plan, or carry out what somebody has planned."""

from model.hudi.names import CLUSTERING, COMPACTION, LOG_COMPACTION
from sim.hudi.statements import Cluster, Compact, Statement


def finds_plan(statement: Statement) -> bool:
    """Whether it carries out what is planned already."""
    return isinstance(statement, Cluster | Compact) and statement.pending


def finds_clustering(statement: Statement) -> bool:
    """Whether that is clustering."""
    return isinstance(statement, Cluster) and statement.pending


def planned_as(statement: Cluster | Compact) -> str:
    """The action as which it is planned."""
    if isinstance(statement, Cluster):
        return CLUSTERING
    return LOG_COMPACTION if statement.logs else COMPACTION
