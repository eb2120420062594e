"""Scenarios of tables whose snapshots have ages, and of what goes by them.

Source: `sim.iceberg.ages`; each row is in a data file of its own.
"""

from __future__ import annotations

from model.iceberg import coverage
from model.iceberg.rules import EXPIRY_CHOOSES_ANEW
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime
from sim.iceberg.built_in.managed import ADDED, ENDS, KEPT, RING
from sim.iceberg.built_in.rest import over_rest
from sim.iceberg.built_in.transactions import Writers, transacted
from sim.iceberg.managing import CherryPick, Stage
from sim.iceberg.scenarios import CONSISTENT
from sim.iceberg.workload import Append
from sim.world.fault_spaces import REGISTER, wide
from sim.world.scenario import Scenario

FOURTH = Append(((4, "y"),))
AGES_H = (9, 8, 3)
RETAINED: Writers = {"w1": [Retain("main", keep=3)], "w2": [ExpireOlder(5)]}
SAID: Writers = {"w1": [Retain("main", keep=3)], "w2": [FOURTH]}
ALONE = "nothing else is asked of what manages snapshots"

TIMED: tuple[Scenario, ...] = (
    transacted(
        "retain-expire",
        "Main is told to keep three snapshots beside an expiry, which is tried again: it takes two of them.",
        RETAINED,
        before=(ADDED,),
        ages_h=AGES_H,
        properties=KEPT,
        because=ALONE,
        broken="table-invariants",
    ),
    transacted(
        "retain-expire-anew",
        "The same with an expiry that chooses anew what goes each time that it is tried: they stay.",
        RETAINED,
        before=(ADDED,),
        ages_h=AGES_H,
        rules=EXPIRY_CHOOSES_ANEW,
        properties=KEPT,
        because=ALONE,
        counters=(coverage.RETRY,),
    ),
    over_rest(
        "retain-append",
        "Main is told to keep three snapshots beside an append, which says of ages what it had loaded: nothing.",
        SAID,
        ADDED,
        ages_h=AGES_H,
        properties=KEPT,
        because=ALONE,
        broken="table-invariants",
    ),
    transacted(
        "retain-append",
        "The same on a catalog that compares the whole table: the append is tried again, on what main says by then.",
        SAID,
        before=(ADDED,),
        ages_h=AGES_H,
        properties=KEPT,
        because=ALONE,
        counters=(coverage.RETRY,),
    ),
    transacted(
        "expire-age-append",
        "An expiry by age beside an append: what is older than five hours goes, and nothing else.",
        {"w1": [ExpireOlder(5)], "w2": [FOURTH]},
        before=(ADDED,),
        ages_h=AGES_H,
        properties=KEPT,
        because=ALONE,
        counters=(coverage.CLEANED_INCREMENTALLY,),
    ),
    transacted(
        "cherry-pick-expire-age",
        "A staged append that is young enough is cherry-picked beside an expiry by age: it is there still.",
        {"w1": [CherryPick()], "w2": [ExpireOlder(5)]},
        before=(Stage(((5, "s"),), 7), FOURTH),
        ages_h=(9, 8, 4, 3),
        properties=KEPT,
        because=ALONE,
        counters=(coverage.PICKED, coverage.CLEANED_BY_REACH),
    ),
    transacted(
        "roll-back-to-time-expire",
        "A roll-back to a time beside an expiry of what main had then: one of them is refused.",
        {"w1": [RollBackToTime(8.5)], "w2": [ExpireOlder(5)]},
        before=(ADDED,),
        ages_h=AGES_H,
        properties=KEPT,
        because=ALONE,
        counters=(coverage.EXPIRED_ID_REFERENCED,),
    ),
    transacted(
        "clock-ahead-append",
        "An append on a head by a clock that is hours ahead: it is refused, as any change is, and leaves its files.",
        {"w1": [FOURTH]},
        before=(ADDED,),
        ages_h=(9, 8, -3),
        properties=(*KEPT, "no-leaks"),
        because="there is nobody else",
        broken="no-leaks",
        counters=(coverage.CLOCK_BEHIND,),
    ),
    transacted(
        "append-expire-older-misreported",
        "Two appends beside an expiry of what is older than an hour; a commit that is applied may be answered as if it"
        " were not: it has not expired when it is tried again, and every history ends.",
        {"w1": [ADDED], "w2": [FOURTH], "w3": [ExpireOlder(1)]},
        before=(Append(((5, "z"),)),),
        ages_h=(10, 8, 2),
        properties=ENDS,
        because=RING,
        faults=wide(REGISTER, without=CONSISTENT),
        yield_points=("commit",),
        counters=(coverage.SELF_RECOGNISED,),
    ),
)
