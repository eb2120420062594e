"""Hudi scenarios: one writer, and what becomes of a write whose process died: taken back at once, or never.

Source: `HoodieFailedWritesCleaningPolicy`; see `model.hudi.eager`.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import CLEAN_POLICY, EAGER, NEVER
from sim.hudi.build import EVERYTHING, HIT, IN_TIME, NO_CONTROL, OLDER, ONE_GROUP, SHORT_BEATS, WRITES, Writers, race
from sim.hudi.statements import Clean, Upsert
from sim.hudi.workload import Past

EAGERLY, NEVER_CLEANED = (*NO_CONTROL, (CLEAN_POLICY, EAGER)), (*NO_CONTROL, (CLEAN_POLICY, NEVER))
ONE: Writers = {"w1": [Upsert(((1, "A"),))]}
DIED = (Past(((1, "h"),), "written"), Past(((2, "i"),), "requested"))
SERVED: Writers = {**ONE, "cleaner": [Clean(3_000)]}

EAGERS = (
    race(
        "eager",
        "One writer after two whose process died: it takes back what they have left when it begins, and commits.",
        ONE,
        rules=SHIPPED,
        options=EAGERLY,
        properties=EVERYTHING,
        counters=(coverage.ROLLED_BACK, coverage.COMMITTED),
        pair="never-cleaned",
        history=DIED,
    ),
    race(
        "never-cleaned",
        "The same where nobody takes anything back: it commits, and what they have left stays.",
        ONE,
        rules=SHIPPED,
        options=NEVER_CLEANED,
        properties=EVERYTHING,
        broken="clean-at-quiescence",
        pair="eager",
        history=DIED,
    ),
    race(
        "eager-two-writers",
        "Two writers that each take themselves for the only one, as by default: who begins takes the other one back, "
        "who is alive and commits.",
        ONE_GROUP,
        rules=SHIPPED,
        options=EAGERLY,
        properties=EVERYTHING,
        but=OLDER,
        broken="table-invariants",
        pair="prefer-writer",
    ),
    race(
        "eager-cleaner",
        "One writer, a cleaner of another process, and any fault at any step that changes something: nobody is taken "
        "for dead.",
        SERVED,
        rules=SHIPPED,
        options=(*EAGERLY, *SHORT_BEATS),
        properties=EVERYTHING,
        but=HIT,
        faults=IN_TIME,
        yield_points=WRITES,
        counters=(coverage.COMMITTED,),
    ),
)
