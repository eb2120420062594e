"""Do slices give the same under other hash seeds? PySpark pins `PYTHONHASHSEED` in its workers, so Spark cannot tell.

Something that depends on the order of a set looks repeatable there, and is not for a user who replays it. So a sample
of slices is run again in processes of their own, each with another seed, and digests are compared.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from real_backend.errors import BackendError
from real_backend.pipeline.campaign import kept_slices
from real_backend.pipeline.folder import opened
from real_backend.pipeline.slices import Slice, run_slice, slice_of

HASH_SEEDS = (1, 4_242)


@dataclass(frozen=True, slots=True)
class Difference:
    """A slice that gave another digest than expected under a hash seed."""

    slice: Slice
    hash_seed: int
    expected: str
    got: str


def compare(
    slices: Sequence[Slice], expected: Sequence[str] | None = None, hash_seeds: Sequence[int] = HASH_SEEDS
) -> list[Difference]:
    """Run slices under other hash seeds, in processes of their own, one after the other.

    Args: `expected` are the digests of the slices, in order (None: those under hash seed 0); `hash_seeds` are 0 to
    4294967295.

    Returns: what differs; empty if nothing depends on the order of a set.

    Raises: `BackendError`, one line, if a process fails.
    """
    known = list(_digests(slices, 0) if expected is None else expected)
    return [
        Difference(one, seed, before, now)
        for seed in hash_seeds
        for one, before, now in zip(slices, known, _digests(slices, seed), strict=True)
        if before != now
    ]


def compare_campaign(path: Path, sample: int = 4, hash_seeds: Sequence[int] = HASH_SEEDS) -> list[Difference]:
    """As `compare`, with so many slices (from 1) of a campaign, evenly spread, and the digests that it has kept.

    Raises: `ValueError`, one line, if `path` has no campaign, or `sample` is below 1.
    """
    if sample < 1:
        raise ValueError(f"sample: expected slices from 1, got {sample}")
    folder = opened(path)
    kept = {row["slice"]: row["digest"] for row in folder.read("slices", ("slice", "digest")).to_pylist()}
    slices = kept_slices(folder)
    chosen = slices[:: max(1, len(slices) // sample)][:sample]
    return compare(chosen, [kept[one.key] for one in chosen], hash_seeds)


def _digests(slices: Sequence[Slice], seed: int) -> list[str]:
    process = subprocess.run(
        [sys.executable, "-m", __name__],
        input="".join(f"{one.text}\n" for one in slices),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        said = process.stderr.strip().splitlines() or [f"exit code {process.returncode}"]
        raise BackendError(f"hash seed {seed}: expected the digests of {len(slices)} slices, got {said[-1][:200]}")
    found: list[str] = json.loads(process.stdout)
    return found


if __name__ == "__main__":
    json.dump([run_slice(slice_of(line)).summary.digest for line in sys.stdin], sys.stdout)
