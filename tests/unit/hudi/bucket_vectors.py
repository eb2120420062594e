"""Reads `tests/vectors/hudi_buckets.txt`: keys and their buckets."""

from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_buckets.txt"


def _read() -> tuple[tuple[str, int, int, str], ...]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    rows = [[part.strip() for part in line.split("|")] for line in lines]
    return tuple([(key, int(buckets), int(bucket), name) for key, buckets, bucket, name in rows])


VECTORS = _read()
