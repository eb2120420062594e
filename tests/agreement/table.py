"""What came of the replays of one protocol's scenarios, as lines of text."""

from collections import Counter
from collections.abc import Iterator, Mapping

from lakeproof.errors import one_line
from tests.agreement.drawing import Way
from tests.agreement.replaying import Tally

HEAD = f"{'scenarios':>9} {'schedules':>9} {'failing':>8} {'faults':>7} {'equal':>7} {'DIFFER':>7} {'CPU-s':>8}"


def printed(protocol: str, ways: list[Way], tallies: Mapping[str, list[Tally]]) -> Iterator[str]:
    """A table for each system, why scenarios were not replayed, and each difference.

    Args: `tallies` are those of each system, by its name.
    """
    for system, counted in tallies.items():
        yield f"\n{system:<58} {HEAD}"
        yield from (_row(f"  {each.name}", each) for each in counted)
        yield _row("  in all", added(counted))
    drawn, unasked = sum(way.drawn for way in ways), sum(way.unasked for way in ways)
    refused = sum((way.refused for way in ways), Counter[str]())
    yield f"\n{protocol}: {drawn:,} scenarios generated, {unasked:,} more than were asked for; not replayable:"
    yield from (f"{count:>9,}  {reason}" for reason, count in refused.most_common())
    for system, counted in tallies.items():
        yield from _differing(system, counted)


def _differing(system: str, tallies: list[Tally]) -> Iterator[str]:
    every = added(tallies)
    for cause, count in every.causes.most_common():
        yield f"\n{system}: {count:,} DIFFER: {cause}"
        for one in every.differing:
            if one.cause == cause:
                yield from (f"  {one_line(detail)}" for detail in one.details)
                yield one.command


def _row(name: str, each: Tally) -> str:
    return (
        f"{name:<58} {each.scenarios:>9,} {each.schedules:>9,} {each.failing:>8,} {each.injected:>7,} {each.equal:>7,} "
        f"{len(each.differing):>7,} {each.cpu_s:>8.1f}"
    )


def added(tallies: list[Tally]) -> Tally:
    """Their sum."""
    return Tally(
        "in all",
        sum(each.scenarios for each in tallies),
        sum(each.schedules for each in tallies),
        sum(each.failing for each in tallies),
        sum(each.injected for each in tallies),
        sum(each.equal for each in tallies),
        sum(each.cpu_s for each in tallies),
        [one for each in tallies for one in each.differing],
    )
