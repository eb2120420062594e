"""A campaign in a test: green if it finds nothing new.

    def test_campaign():
        lakeproof.campaign("iceberg", seeds=50, folder="failures")

Choices: nothing is imported before it is called.
"""

from collections.abc import Iterable
from pathlib import Path

SEEDS = 20


def campaign(
    protocol: str,
    *,
    seeds: int | None = None,
    minutes: float | None = None,
    folder: str | Path | None = None,
    configurations: Iterable[str] = ("all",),
    rules: str | None = None,
) -> int:
    """Search generated scenarios of a protocol in this process, and fail if one breaks in a way that is not known.

    Args: `protocol` is its name ("iceberg"); `seeds` is how many scenarios of each configuration are searched (from 1;
    None: 20, or without end if `minutes` are given), `minutes` the time for the search (above 0; None: no limit);
    `folder` keeps what was found, one schedule a file, to be committed: those in it are replayed first (None: nothing
    is kept); `configurations` are names of the generator's, "all" or "any" (every option drawn anew); `rules` names a
    variant of the protocol (None: as shipped).

    Returns: how many schedules were run.

    Raises: `AssertionError`, whose last line replays the failure; `CommandError`, one line, for what cannot be.
    """
    from lakeproof.campaigns.asked import of_protocols
    from lakeproof.campaigns.guard import guarded_campaign

    if seeds is None and minutes is None:
        seeds = SEEDS
    asked = of_protocols([protocol], seeds=seeds, minutes=minutes, configurations=configurations, rules=rules)
    return guarded_campaign(asked, None if folder is None else Path(folder))
