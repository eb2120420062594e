"""Mutants of non-blocking writers, and of file groups without a base file; see `tests.mutants.hudi`."""

from collections.abc import Mapping

from model.hudi import bucket_index, views
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.bucket_index import Bucket
from model.hudi.config import HudiConfig
from model.hudi.file_groups import Rows
from model.hudi.jobs import Job
from model.hudi.rules import SHIPPED
from model.hudi.slices import FileSlice
from model.hudi.timeline import Timeline
from model.hudi.variants import PENDING_LOG_SKIPPED
from model.hudi.write import DataWriter
from tests.mutants.mutant import Mutant


def own_bucket(
    writer: DataWriter, partition: str, rows: Rows, instant: int, start: Timeline, buckets: Mapping[Bucket, FileSlice]
) -> Job:  # fmt: skip
    """Whoever begins a file group gives it a name of its own."""
    job = ADDED(writer, partition, rows, instant, start, buckets)
    begins = job.file_id == bucket_index.begun_alike()
    return job._replace(file_id=f"00000000-{instant}") if begins else job


def no_plans(timeline: ActiveTimeline, seen: Timeline, partition: str) -> frozenset[tuple[str, int]]:
    """A pending compaction begins no slice."""
    return frozenset()


ADDED = DataWriter._added
NON_BLOCKING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("begins-bucket-of-its-own", "a row is in two file groups", ((DataWriter, "_added", own_bucket),), SHIPPED),
    Mutant("events-merged-by-commit", "an older event is merged over a newer one", (
        (HudiConfig, "by_event_time", property(lambda config: False)),
    ), SHIPPED),
    Mutant("non-blocking-compares", "writers are refused for each other", (
        (HudiConfig, "resolves_conflicts", property(lambda config: config.multi_writer)),
    ), SHIPPED),
    Mutant("plan-begins-no-slice", "what is being compacted is not seen meanwhile", (
        (views, "_planned", no_plans),
    ), PENDING_LOG_SKIPPED),
)  # fmt: skip
