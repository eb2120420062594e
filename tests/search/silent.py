"""Whether a campaign was silent: `python -m tests.search.silent FOLDER [SCHEDULES]`.

A campaign passes if it finds nothing new. Configurations that hold must show nothing at all: exits 1 if a scenario
fails, known or not, or cannot be judged, or if there were fewer schedules than asked for (a million).
"""

import sys
from pathlib import Path

from real_backend.pipeline.folder import opened

MILLION = 1_000_000


def noise(folder: Path, wanted: int) -> list[str]:
    """What there is to say against a campaign, a line each. Args: `wanted` schedules are the least (from 1)."""
    slices = opened(folder).read("slices").to_pylist()
    told = [
        f"{row['protocol']} {row['configuration']}, seeds {row['seed_lo']} to {row['seed_hi'] - 1}: {number:,} {what}"
        for row in slices
        for key, what in (("failed", "scenarios fail"), ("indeterminate", "indeterminate"), ("endless", "endless"))
        if (number := row[key])
    ]
    schedules = sum(row["schedules"] for row in slices)
    if schedules < wanted:
        told.append(f"expected {wanted:,} schedules, got {schedules:,}: give the file more seeds")
    return told


def main() -> None:
    """Judge the campaign in the folder that is named."""
    told = noise(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MILLION)
    sys.stdout.write("\n".join(told or ["silent"]) + "\n")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
