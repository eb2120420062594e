"""Metastore scenarios of Hive's own client, which makes a call again when it got no answer, and of one that does not.

Source: `RetryingMetaStoreClient` 4.0.1, `metastore.failure.retries` (1, the default); an alter, a drop and a create are
made a second time, with whatever others have done in between, and no call says that it is a second one.

Choices: there are no caches, so that the database alone answers.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import UNCACHED
from sim.hive.build import EXTERNAL, E, Sessions, metastore
from sim.hive.workload import Alter, Create, Drop
from sim.world.fault_spaces import Port, wide
from sim.world.scenario import Scenario

ONCE = ("acknowledged-writes-survive", "changes-happen-once", "refusals-are-true")
STEPS = ("alter_table", "create_table", "drop_table")
LOST = wide(Port("changes", dict.fromkeys(STEPS, ("drop-before", "drop-after"))))
"""One request gets lost, or one answer."""
NO_CACHES = dict.fromkeys(("monotonic-reads-per-replica", "convergence"), "nobody reads")
ALTERS: Sessions = {"w1": ("h1", (Alter(E, "e1"),)), "w2": ("h2", (Alter(E, "e2"),))}
DROPS: Sessions = {"w1": ("h1", (Drop(E),)), "w2": ("h2", (Create(E, "n0", managed=False),))}
CREATES: Sessions = {"w1": ("h1", (Create("default.f", "f0", managed=False),))}


def asking(
    name: str, summary: str, sessions: Sessions, *, again: bool = True, broken: str | None = None,
    once: tuple[str, ...] = ONCE,
) -> Scenario:  # fmt: skip
    """A race of clients whose calls may get lost, of Hive's own or of others."""
    return metastore(
        name,
        summary,
        sessions,
        rules=UNCACHED,
        tables=EXTERNAL,
        pollers=(),
        properties=(*once, *NO_CACHES),
        but=NO_CACHES,
        faults=LOST,
        steps=STEPS,
        broken=broken,
        pair="told-of-no-answer" if again else None,
        counters=(coverage.CALLED_AGAIN,) if again else (),
        hives_own=tuple(sessions) if again else (),
    )


ASKING: tuple[Scenario, ...] = (
    asking(
        "told-of-no-answer",
        "Two clients alter, drop and create tables; who got no answer is told so, and every change is made once.",
        {**ALTERS, "w1": ("h1", (Alter(E, "e1"), Drop(E)))},
        again=False,
    ),
    asking(
        "alter-made-again",
        "Hive's own client: an answer gets lost, and its alter is made a second time, over another one's.",
        ALTERS,
        broken="changes-happen-once",
        once=ONCE[:2],
    ),
    asking(
        "drop-made-again",
        "Hive's own client: a drop is made a second time, and takes the table that another one has made meanwhile.",
        DROPS,
        broken="changes-happen-once",
        once=ONCE[:2],
    ),
    asking(
        "create-made-again",
        "Hive's own client: it is told that the table exists, which it has made itself.",
        CREATES,
        broken="refusals-are-true",
    ),
)
