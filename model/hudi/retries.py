"""Tries of one write: who writes a data frame starts over where its commit is refused for a conflict.

    completed = retried(config, world.coverage, write_once)

Each try is a write of its own: a new client, a new instant. What the refused one leaves is what any refused commit
leaves: its instant, markers and files, and no heartbeat; whoever cleans takes it back.

Source: `HoodieSparkSqlWriterInternal.write` (1.2.0, HUDI-4631): `HoodieWriteConflictException` alone, and only if the
mode of the write itself supports several writers. Early conflicts are not among it: they come as a failed Spark job.

Choices: Hudi's streaming sink has retries of its own, for any failure
(`hoodie.datasource.write.streaming.retry.count`), and Flink and Hudi Streamer start over when they are started again;
they are left out.
"""

from collections.abc import Callable
from typing import TypeVar

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import WriteConflict
from model.ports import Coverage

T = TypeVar("T")


def retried(config: HudiConfig, counts: Coverage, attempt: Callable[[], T]) -> T:
    """Carry out `attempt` until it is not refused for a conflict, or there are no tries left.

    Returns: what the last one returns. Raises: as the last one.
    """
    for _ in range(config.conflict_retries if config.multi_writer else 0):
        try:
            return attempt()
        except WriteConflict:
            counts.hit(coverage.WRITE_RETRIED)
    return attempt()
