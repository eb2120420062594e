"""Does our job lose an update? A DELETE beside an UPDATE of the same row, on a table of our settings.

    lakeproof run examples/iceberg_race.py

Under snapshot isolation, as the table is by default, the deleted row comes back; with ISOLATION = "serializable" one of
the two is refused, and it holds. `--live` plays what was found on Spark SQL.
"""

from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Update

ISOLATION = "snapshot"

scenario = race(
    "my-job",
    "A DELETE and an UPDATE of row 1, merge-on-read.",
    {"clean-up": [Delete(1)], "job": [Update(1, "new")]},
    mode="merge-on-read",
    isolation=ISOLATION,
    rows=((1, "old"), (2, "other")),
    broken="acknowledged-writes-survive" if ISOLATION == "snapshot" else None,
)
