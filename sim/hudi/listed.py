"""What the metadata table says that is not so, or does not say, compared with the files when a race is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from model.hudi.config import HudiConfig
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import CleanPlan, CommitMetadata
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import completed_path, requested_path, text
from sim.hudi.table import files_of, timeline_of, world_of
from sim.hudi.workload import HudiWorkload
from sim.world.simulation import Simulation

LISTING = ("committed-files-listed", "listed-files-exist")
"""The properties for which this is looked up."""
LISTER = "r-lister"


def wrong_of_listing(simulation: Simulation, workload: HudiWorkload, config: HudiConfig) -> Iterator[str]:
    """What is wrong with the listing, as "kind: text": a committed file that it lacks, a file that is gone.

    Files that a clean is, or was, to delete are neither: they go before the metadata table is told.
    """
    if not config.metadata:
        return
    files, timeline = files_of(simulation).files, timeline_of(simulation, config.layout)
    try:
        listing = MetadataTable(world_of(simulation, workload, LISTER), config).listing()
    except StorageFailed as error:
        yield f"file-gone: it cannot be read: {error}"
        return
    listed = tuple([f"{folder}/{name}" for folder in listing.folders() for name in listing.list(folder)])
    plans = [files[requested_path(config.layout, i.requested, i.action)][0] for i in timeline.cleans]
    cleaned = [path for plan in plans if isinstance(plan, CleanPlan) for path in plan.paths]
    named: list[tuple[int, str]] = []
    for instant in timeline.completed:
        body = files[completed_path(config.layout, instant.requested, instant.action, instant.completed or 0)][0]
        stats = body.stats if isinstance(body, CommitMetadata) else ()
        named += [(instant.requested, stat.path) for stat in stats]
    yield from wrong_of(listed, named, files.__contains__, cleaned.__contains__)


def wrong_of(
    listed: tuple[str, ...], named: Iterable[tuple[int, str]], exists: Callable[[str], bool],
    cleaned: Callable[[str], bool],
) -> Iterator[str]:  # fmt: skip
    """The same of files that are `listed`, and of those that completed instants have `named`."""
    for instant, path in named:
        if exists(path) and path not in listed and not cleaned(path):
            yield f"file-unlisted: completed instant {text(instant)} names {path}, which is there"
    for path in listed:
        if not exists(path) and not cleaned(path):
            yield f"file-gone: it lists {path}, which does not exist"
