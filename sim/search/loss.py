"""A loss of shipped software as its page tells it: a defect, whom it meets, what helps, who reports it upstream."""

from __future__ import annotations

from dataclasses import dataclass

from sim.search.defect import Defect

SEARCHED_ON = "2026-11-22"
"""When the trackers were searched."""
SEARCHED_IN = "threads of issues and pull requests on GitHub"
"""What was searched. Apache's JIRA was not: of its issues those are known that such threads name."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """What a search of upstream's trackers found.

    Args: `reported` names the issue that reports this very loss ("": none was found); `nearest` are the nearest ones,
    each with what it says in half a sentence; `words` are what was searched for; `searched_on` is when.
    """

    reported: str
    nearest: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    searched_on: str = SEARCHED_ON


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss.

    Args: `title` says what happens; `defect` names the scenario that finds it; `configuration` says what has to be set
    and what not, `likelihood` in words how often it is met, `advice` what somebody can do who has it; `live` names the
    live tests that put the real software through it, step by step; `scope` says what is known beyond ("": nothing).
    """

    title: str
    defect: Defect
    configuration: str
    likelihood: str
    advice: str
    live: tuple[str, ...]
    upstream: Upstream
    scope: str = ""

    @property
    def scenario(self) -> str:
        """The name of the scenario."""
        return self.defect.scenario

    @property
    def file(self) -> str:
        """The name of its page and of its schedule, without what it ends with."""
        return self.scenario.replace("/", "-")


def named(defects: tuple[Defect, ...], scenario: str) -> Defect:
    """The defect of a scenario. Raises: `StopIteration` if there is none."""
    return next(defect for defect in defects if defect.scenario == scenario)
