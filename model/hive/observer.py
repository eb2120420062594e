"""Who watches a metastore at work: the paths that it took are counted, and its port calls annotated."""

from typing import Protocol

from model.ports import Coverage, Meaning, Notes


class Observer(Coverage, Notes, Protocol):
    """Counters and annotations in one. They change nothing."""


class Unobserved:
    """Nobody watches: for live runs, which have traces of their own, and for looks at the end of a run."""

    def hit(self, name: str) -> None:
        """Count nothing."""

    def intend(self, meaning: Meaning) -> None:
        """Write nothing down."""

    def learn(self, meaning: Meaning) -> None:
        """Write nothing down."""
