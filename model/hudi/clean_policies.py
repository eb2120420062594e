"""What a clean leaves of a partition: what readers of the last commits or hours need, or so many slices of each group.

KEEP_LATEST_COMMITS: everything from the earliest instant to retain on, the newest slice of each file group before it,
and the newest one. KEEP_LATEST_BY_HOURS: the same, and the earliest instant is the first completed one that began
within so many hours, whatever is pending; where none did, nothing is cleaned. KEEP_LATEST_FILE_VERSIONS: the newest
slices of each file group, however old they are. File groups that were taken out go when what took them out is older
than the earliest instant; at once, where slices are counted.

Source: `CleanerUtils.getEarliestCommitToRetain`, `CleanPlanner.getFilesToCleanKeepingLatestCommits`,
`getFilesToCleanKeepingLatestHours`, `getFilesToCleanKeepingLatestVersions`, `getReplacedFilesEligibleToClean`,
`hasPendingFiles` (1.2.0); `HoodieFileGroup` has one slice of each instant.

Choices: of two files of one instant, which a task that failed leaves, Hudi knows one, and never cleans the other; here
both go with their slice.
"""

from collections.abc import Mapping
from typing import NamedTuple

from model.hudi.config import HudiConfig
from model.hudi.keys import BY_HOURS
from model.hudi.names import BaseFile, parse_base_file
from model.hudi.timeline import Timeline


class Policy(NamedTuple):
    """What stays of what was `seen`: from the `earliest` instant on, or (None) so many `versions`. `hidden`: the file
    groups that completed replacecommits took out, with their instants; `pending`: a write that may have seen what was
    the newest when it began, or since then, which stays."""

    seen: Timeline
    hidden: Mapping[str, int]
    earliest: int | None
    versions: int = 0
    pending: int | None = None

    def old(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The files of a partition that are to be deleted. Pending files never are."""
        files = [file for name in names if (file := parse_base_file(name)) is not None]
        done = [file for file in files if self.seen.has_completed(file.instant)]
        return tuple([file.name for file in done if self._goes(file, done)])

    def is_empty(self, names: tuple[str, ...]) -> bool:
        """Whether nothing is in a partition but file groups that were taken out long enough ago. Pending files count.

        One that is not there any more is none (`hasPendingFiles` fails to list it, and takes it for one in use).
        """
        files = [file for name in names if (file := parse_base_file(name)) is not None]
        return bool(files) and all(self._is_out(file) for file in files)

    def _goes(self, file: BaseFile, done: list[BaseFile]) -> bool:
        if file.file_id in self.hidden:
            return self._is_out(file)
        slices = {each.instant for each in done if each.file_id == file.file_id}
        newer = sorted([instant for instant in slices if instant > file.instant])
        if self.earliest is None:
            enough = len(newer) >= self.versions
        else:
            enough = bool(newer) and newer[0] < self.earliest
        return enough and any(self._is_seen_by_all(instant) for instant in newer)

    def _is_out(self, file: BaseFile) -> bool:
        if file.file_id not in self.hidden:
            return False
        taken = self.hidden[file.file_id]
        return (self.earliest is None or taken < self.earliest) and self._is_seen_by_all(taken)

    def _is_seen_by_all(self, instant: int) -> bool:
        """Whether a write had completed when the pending one began; anything has, if nobody minds a pending one."""
        if self.pending is None:
            return True
        done = {each.requested: each.visible_at for each in self.seen.completed}
        return done.get(instant, instant) < self.pending


HOUR_MS = 3_600_000


def earliest_to_retain(seen: Timeline, config: HudiConfig, latest_ms: int) -> int | None:
    """The instant from which on everything stays; None if there is none. Args: `latest_ms`: hours count from it."""
    if config.slices_policy == BY_HOURS:
        since_ms = latest_ms - config.hours_retained * HOUR_MS
        return next((each.requested for each in seen.completed if each.requested >= since_ms), None)
    return earliest_of_commits(seen, config.commits_retained)


def earliest_of_commits(seen: Timeline, retained: int) -> int | None:
    """The first of the last so many completed instants; None if there are too few.

    With pending ones not later than the last completed one before the first of them.
    """
    if len(seen.completed) <= retained:
        return None
    times = [instant.requested for instant in seen.completed]
    nth = times[len(times) - retained] if retained else times[-1]
    pending = seen.oldest_pending
    return nth if pending is None or nth <= pending else seen.last_before(pending)
