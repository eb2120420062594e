"""Hudi scenarios: writes that are tried again where a conflict is found, and updates that read before they write.

An UPDATE of Spark SQL upserts rows that it has read before its write began. A conflict with what completed after that
is not looked for until then; and if one is found, what is tried again is what was read at first.

Source: `HoodieSparkSqlWriterInternal.write` (HUDI-4631), `UpdateHoodieTableCommand.run` (1.2.0).
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CONFLICT_RETRIES, CONFLICTS, PREFER_WRITER
from model.hudi.variants import UPDATES_READ_WITHIN
from sim.hudi.build import DIRECT, EVERYTHING, HIT, IN_TIME, ONE_GROUP, PREFERRING, WRITES, Writers, race
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.statements import Update, Upsert

RETRIED = (*PREFERRING, (CONFLICT_RETRIES, "1"))
LOGGED = (*PREFERRING, *MERGED)
RETRIED_EARLY = (*DIRECT, (CONFLICTS, PREFER_WRITER), (CONFLICT_RETRIES, "1"))
UPDATE: Writers = {"w1": [Update(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
AT_ONCE = ("create", "write", "delete", "rename", "exists")
"""Steps between which nobody commits after an UPDATE has read, and before its write has begun."""
ALL_COMMIT = (*EVERYTHING, "all-writes-commit")

UPDATES = (
    race(
        "retried",
        "Two upserts of one file group, whose writers try again: who is refused at the commit starts over, and both "
        "are acknowledged.",
        ONE_GROUP,
        rules=SHIPPED,
        options=RETRIED,
        properties=ALL_COMMIT,
        counters=(coverage.CONFLICT_FOUND, coverage.WRITE_RETRIED, coverage.COMMITTED, coverage.ROLLED_BACK),
        pair="retried-early",
    ),
    race(
        "retried-early",
        "The same with early conflict detection: who is refused early is not tried again.",
        ONE_GROUP,
        rules=SHIPPED,
        options=RETRIED_EARLY,
        properties=ALL_COMMIT,
        broken="all-writes-commit",
        pair="retried",
    ),
    race(
        "any-fault-retried",
        "Writers that try again, and any fault at any step that changes something: what was acknowledged stays.",
        ONE_GROUP,
        rules=SHIPPED,
        options=RETRIED,
        faults=IN_TIME,
        yield_points=WRITES,
        properties=EVERYTHING,
        but=HIT,
        counters=(coverage.CONFLICT_FOUND, coverage.WRITE_RETRIED, coverage.COMMITTED),
    ),
    race(
        "update-read-first",
        "An UPDATE of Spark SQL, and an upsert that is committed after it has read and before its write begins: it is "
        "overwritten, and nobody is told.",
        UPDATE,
        rules=SHIPPED,
        options=PREFERRING,
        properties=EVERYTHING,
        broken="no-lost-update",
        pair="update-read-within",
    ),
    race(
        "update-read-within",
        "The same with an UPDATE that reads what it merges with, as MERGE INTO does: nothing is lost.",
        UPDATE,
        rules=UPDATES_READ_WITHIN,
        options=PREFERRING,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="update-read-first",
    ),
    race(
        "update-refused",
        "An UPDATE whose write begins when it has read: what is committed beside it is a conflict, and it is refused.",
        UPDATE,
        rules=SHIPPED,
        options=PREFERRING,
        yield_points=AT_ONCE,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED),
        pair="update-retried",
    ),
    race(
        "update-retried",
        "The same with a writer that tries again: the conflict is found, and what was read before it is written over "
        "what it was about.",
        UPDATE,
        rules=SHIPPED,
        options=RETRIED,
        yield_points=AT_ONCE,
        properties=EVERYTHING,
        broken="no-lost-update",
        pair="update-retried-within",
    ),
    race(
        "update-retried-within",
        "The same with an UPDATE that reads what it merges with: each try reads anew, and both are acknowledged.",
        UPDATE,
        rules=UPDATES_READ_WITHIN,
        options=RETRIED,
        properties=ALL_COMMIT,
        counters=(coverage.CONFLICT_FOUND, coverage.WRITE_RETRIED, coverage.COMMITTED),
        pair="update-retried",
    ),
    race(
        "update-logs-read-first",
        "An UPDATE of Spark SQL on a merge-on-read table, and an upsert that is committed after it has read and before "
        "its write begins: the log file of the one is merged over that of the other, and nobody is told.",
        UPDATE,
        rules=SHIPPED,
        options=LOGGED,
        properties=EVERYTHING,
        broken="no-lost-update",
        pair="update-logs-refused",
    ),
    race(
        "update-logs-retried",
        "The same where the write begins when it has read, and is tried again: the conflict is found, and what was "
        "read before it is appended.",
        UPDATE,
        rules=SHIPPED,
        options=(*LOGGED, (CONFLICT_RETRIES, "1")),
        yield_points=AT_ONCE,
        properties=EVERYTHING,
        broken="no-lost-update",
        pair="update-logs-refused",
    ),
    race(
        "update-logs-refused",
        "The same without a second try: what is committed beside it is a conflict, and it is refused.",
        UPDATE,
        rules=SHIPPED,
        options=LOGGED,
        yield_points=AT_ONCE,
        properties=EVERYTHING,
        counters=(coverage.CONFLICT_FOUND, coverage.COMMITTED, coverage.LOG_WRITTEN),
        pair="update-logs-retried",
    ),
)
