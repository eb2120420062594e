"""What a user has seen of a table's snapshots, by which statements that manage them name one.

Choices: the tables of all tiers are told in the same words: main's head, and each snapshot's parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from model.iceberg.metadata import TableMetadata


class Snapshots(NamedTuple):
    """The snapshots of a table. `head`: main's (None: there is none); `parents`: by snapshot, the oldest first."""

    head: int | None
    parents: Mapping[int, int | None]

    def below(self, back: int) -> int:
        """The snapshot `back` commits below main's head; the oldest one, if there are not as many."""
        chain = self._main()
        return chain[min(back, len(chain) - 1)]

    def picked(self) -> int:
        """The newest snapshot that main does not have, or main's head."""
        chain = self._main()
        return next((each for each in reversed([*self.parents]) if each not in chain), chain[0])

    def _main(self) -> list[int]:
        """Main's head and its ancestors, newest first; stops where a parent is unknown."""
        found, at = list[int](), self.head
        while at is not None and at in self.parents:
            found.append(at)
            at = self.parents[at]
        return found


def snapshots_of(metadata: TableMetadata) -> Snapshots:
    """Those of metadata of the model."""
    return Snapshots(metadata.current_snapshot_id, {each.snapshot_id: each.parent_id for each in metadata.snapshots})
