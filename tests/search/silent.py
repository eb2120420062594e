"""Whether a campaign was silent: `python -m tests.search.silent FOLDER [SCHEDULES]`.

A campaign passes if it finds nothing new. Configurations that hold must show nothing at all: exits 1 if a scenario
fails, known or not, or does not end, or if there were fewer schedules than asked for (a million) that can be judged. A
schedule is left open where a read may be of several versions, or of a write that nobody knows the outcome of: it counts
for nothing. What `iceberg/orphans-cached` explains is let pass: no setting leaves it out.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from real_backend.pipeline.folder import opened

MILLION = 1_000_000


def slices_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a campaign's slices."""
    rows: list[dict[str, Any]] = opened(folder).read("slices").to_pylist()
    return rows


def judged(slices: Sequence[Mapping[str, Any]]) -> int:
    """How many schedules were judged."""
    return sum(row["schedules"] - row["indeterminate"] for row in slices)


def is_of_orphans(causes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all that fails is a session that caches the table and has removed files of a commit it does not know."""
    of_orphans = [one["anomaly"] == "unreadable-table" and "remove orphans" in one["operations"] for one in causes]
    return bool(of_orphans) and all(of_orphans)


def noise(slices: Sequence[Mapping[str, Any]], wanted: int) -> list[str]:
    """What there is to say against a campaign, a line each. Args: `wanted` schedules are the least (from 1)."""
    told = [
        f"{row['protocol']} {row['configuration']}, seeds {row['seed_lo']} to {row['seed_hi'] - 1}: {number:,} {what}"
        for row in slices
        for key, what in (("failed", "scenarios fail"), ("endless", "schedules do not end"))
        if (number := row[key]) and not (key == "failed" and is_of_orphans(row["causes"]))
    ]
    if judged(slices) < wanted:
        told.append(f"expected {wanted:,} schedules judged, got {judged(slices):,}: give the file more seeds")
    return told


def main() -> None:
    """Judge the campaign in the folder that is named."""
    slices = slices_of(Path(sys.argv[1]))
    told = noise(slices, int(sys.argv[2]) if len(sys.argv) > 2 else MILLION)
    left_open = sum(row["indeterminate"] for row in slices)
    said = told or [f"silent: {judged(slices):,} schedules judged, {left_open:,} left open"]
    sys.stdout.write("\n".join(said) + "\n")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
