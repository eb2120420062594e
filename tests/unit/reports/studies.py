"""A small table with everything that a study can have, for tests of tables and pictures."""

from sim.search.study import Chart, Table

INTERVAL, HITS, STALE = "poll interval, ms", "hit rate, fraction of reads", "staleness, ms"
LINES = Table(
    "Cache of two replicas",
    ("cache", INTERVAL, HITS, STALE),
    (
        ("eventual", 10, 0.01234, 157.3),
        ("eventual", 1_000, 0.5556, 24_940.6),
        ("none", 10, 0.0, None),
        ("none", 1_000, 0.0, None),
    ),
    ("A read takes 20 ms <assumed>.",),
)
ACROSS = Chart(INTERVAL, (HITS, STALE), "cache")
BARS = Table(
    "Two writers",
    ("detection", "lock", "bytes thrown away"),
    (("off", "none", 12_000_000), ("off", "file", 250_000), ("on", "none", 1_000), ("on", "file", None)),
)
BESIDE = Chart("detection", ("bytes thrown away",), "lock", bars=True)
