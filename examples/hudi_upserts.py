"""Is this configuration of Hudi safe? Two writers of one file group, early detection on, options as a user sets them.

    lakeproof run examples/hudi_upserts.py

Asked of the protocol as shipped, the answer is a lost update; with `rules=NEWER_BASE_REFUSED` it holds.
"""

from model.hudi import SHIPPED
from sim.hudi.build import SAFETY, race
from sim.hudi.statements import Upsert

OPTIONS = {
    "hoodie.write.concurrency.mode": "OPTIMISTIC_CONCURRENCY_CONTROL",
    "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
    "hoodie.write.concurrency.early.conflict.detection.enable": "true",
    "hoodie.write.concurrency.early.conflict.detection.strategy": "SimpleDirectMarkerBasedDetectionStrategy",
}
RULES = SHIPPED

scenario = race(
    "my-configuration",
    "Two upserts of one file group with our options.",
    {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]},
    rules=RULES,
    options=tuple(OPTIONS.items()),
    properties=SAFETY,
    broken="acknowledged-writes-survive",
)
