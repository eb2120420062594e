"""Whether a clean has come since a timeline was loaded: as shipped no reader looks.

Source: of what is shipped, `HoodieTableFileSystemView` and `TimelineUtils.validateTimestampAsOf` (1.2.0), neither of
which is asked again once files have been listed. The look is a repair of ours.
"""

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import TableCleaned
from model.hudi.names import text
from model.hudi.rules import Rules
from model.hudi.timeline import Timeline
from model.ports import Coverage


def refuse_cleaned(
    timeline: ActiveTimeline, seen: Timeline, config: HudiConfig, rules: Rules, counts: Coverage
) -> None:  # fmt: skip
    """Look, where rules say so, for a clean that was not completed when `timeline` was `seen`, or came since. Raises:
    TableCleaned."""
    if config.cleaned and rules.cleans_fence_readers:
        known = {each.requested for each in seen.cleans if each.is_completed}
        for clean in [each for each in timeline.load().cleans if each.requested not in known]:
            counts.hit(coverage.CLEAN_RESPECTED)
            raise TableCleaned(f"read: expected no clean since it began, there is {text(clean.requested)}")
