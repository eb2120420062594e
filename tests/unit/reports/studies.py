"""A small table with everything that a study can have, for tests of tables and pictures."""

from sim.search.study import Chart, Estimate, Table

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
SEEN = Table(
    "Seeds",
    ("cache", INTERVAL, "mode", STALE, "reads that fall through, %", "missed, %"),
    (
        ("eventual", 10, "a", Estimate(12.3, 11.1, 13.5), Estimate(0.0, 0.0, 0.13), 1.0),
        ("eventual", 1_000, "a", Estimate(24_000.0, 23_000.0, 25_000.0), Estimate(0.0, 0.0, 0.13), 2.0),
        ("shipped", 10, "a", Estimate(0.0, 0.0, 0.0), Estimate(0.0, 0.0, 0.13), 1.0),
        ("shipped", 1_000, "a", Estimate(5.0, 0.0, 11.0), Estimate(0.0, 0.0, 0.13), 2.0),
        ("eventual", 10, "b", None, None, None),
    ),
)
"""Figures over seeds, in two modes; the figures of both caches lie on each other in two of three panels."""
WHERE = Chart(INTERVAL, (STALE, "reads that fall through, %", "missed, %"), "cache", where=(("mode", "a"),))
SPREAD = Table(
    "Spread",
    ("detection", "seconds", "least", "lower quartile", "median", "upper quartile", "most"),
    (
        ("off", 2.0, 1.0, 1.5, Estimate(2.0, 1.0, 3.0), 2.5, 4.0),
        ("on", None, 3.0, 3.5, 4.0, None, None),
        ("each second", None, 9.0, None, None, None, None),
    ),
)
"""Quartiles, of which some are later than all that was seen."""
BOXES = Chart("detection", ("seconds",), boxes=SPREAD.columns[2:])
