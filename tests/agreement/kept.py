"""Which pairs of a matrix were played on the real system and did not differ, so that the whole can be played in parts.

    # Iceberg's jar of sha256 0123456789abcdef: pairs of operations of which no schedule differs
    iceberg/matrix/2/laid-out/none/append/expire: 25 schedules, 89abcdef01234567

A line is a pair that was played with all its schedules, with a digest of these and of all that the simulation said of
them and the real system was held against. A pair of which anything is otherwise by now is played again; so is every
pair where the jar is another one. Whoever changes a gate deletes the file.
"""

import hashlib
from pathlib import Path

from real_backend.iceberg.conformance import simulated
from real_backend.jvm.jars import JARS
from tests.agreement.drawing import Chosen

PAGE = Path("docs/agreement-iceberg.txt")
HEAD = f"# Iceberg's jar of sha256 {JARS['iceberg'].sha256[:16]}: pairs of operations of which no schedule differs"


class Kept:
    """The pairs of a file, of the same jar. Several processes may add to one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        found = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._lines = dict(line.rsplit(": ", 1) for line in found[1:]) if found[:1] == [HEAD] else {}
        self.count = 0
        """How many of those that were asked for are there already."""
        if found[:1] != [HEAD]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{HEAD}\n", encoding="utf-8")

    def has(self, name: str, said: str) -> bool:
        """Whether this pair was played, and is as it was. Args: `said`: what is `told` of it."""
        known = self._lines.get(name) == said
        self.count += known
        return known

    def add(self, name: str, said: str) -> None:
        """A pair of which nothing differs."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{name}: {said}\n")

    def sort(self) -> None:
        """A line a pair, in order: the last one that was added of each."""
        found = dict(line.rsplit(": ", 1) for line in self._path.read_text(encoding="utf-8").splitlines()[1:])
        lines = [f"{name}: {what}" for name, what in sorted(found.items())]
        self._path.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")


def told(chosen: Chosen) -> str:
    """How many schedules a pair has, and what the simulation says of them."""
    said = hashlib.sha256()
    for schedule, run in chosen.played:
        seen = simulated(run)
        said.update(f"{schedule}\n{seen}\n{seen.answers or ''}".encode())
    return f"{len(chosen.played)} schedules, {said.hexdigest()[:16]}"
