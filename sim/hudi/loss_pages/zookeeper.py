"""What an expired session of ZooKeeper costs on Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

ZOOKEEPER_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A writer goes on when its session of ZooKeeper has expired, and with it its lock",
        Defect(
            "hudi/zookeeper-session",
            "an acknowledged update",
            "a process that is not heard of, in its critical section, for as long as its session lasts",
            "Hudi 1.2.0",
            ("hudi/zookeeper-session-decided",),
        ),
        "`ZookeeperBasedLockProvider`, with any conflict strategy: the provider has no listener for its session, and "
        "nothing before the completed file asks whether the lock is still its own.",
        "Rare: it takes a process that stands still, or is cut off, for the session's 60 s "
        "(`hoodie.write.lock.zookeeper.session_timeout_ms`) between its check and its completed file. Then another "
        "writer has the lock, and both commit; of one row the later acknowledgement is of the older instant, and gone.",
        "A longer session makes it rarer, and everybody wait longer for the lock of a writer that has died. No option "
        "of 1.2.0 fences it.",
        ("tests/live/hudi/test_zookeeper.py::test_who_has_lost_his_session_commits_all_the_same[expired]",),
        Upstream(
            "",
            (
                ("apache/curator#727", "two clients of Curator's lock have it when a session expires: by design"),
                ("apache/hudi#8304", "connections of the provider leak (merged)"),
            ),
            (
                "hudi ZookeeperBasedLockProvider session expired lost lock continues commit two writers hold lock "
                "curator connection state listener",
            ),
            "2026-11-28",
        ),
        "Live the server of the session's JVM ends the sessions, between the check and the completed file. A storage-"
        "based lock interrupts its holder from 1.2.0 on.",
    ),
)
