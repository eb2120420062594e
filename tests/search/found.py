"""What a search found, as reports show it."""

from sim.search.result import Result
from sim.search.run import Run


def shown(result: Result) -> Run:
    """The first run that breaks the weakest of the properties that broke."""
    assert result.weakest is not None
    return result.weakest
