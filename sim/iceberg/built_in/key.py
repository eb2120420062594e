"""Scenarios of REST catalogs that honour idempotency keys, and of how long they keep what a key was answered.

Source: the REST catalog's specification, parameter `idempotency-key`: 2xx and final 4xx are stored, 5xx are not; a key
may be sent again for as long as the server announces. What a key under way is answered it does not say; a draft had 409
(apache/iceberg#14196), while Iceberg's own handlers wait. Java's HTTP layer sends a commit again after 429, and
after 503 with a time to wait, with the same key, however long that time is (`ExponentialHttpRequestRetryStrategy`,
1.11.0). It draws a key for each commit, and so never sends another one under the same key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.built_in.creating import ANY_ANSWER, DROPPED_AGAIN, LEFT, TOLD_WRONG, of_tables
from sim.iceberg.scenarios import LEVELS, SENT_AGAIN, race
from sim.iceberg.workload import Statement, Update
from sim.services.register import Keys
from sim.world.scenario import Scenario

UPDATES: Mapping[str, Sequence[Statement]] = {"w1": [Update(1, "A")]}


def _updated(name: str, summary: str, keys: Keys) -> Scenario:
    """One UPDATE, sent again, in a catalog that keeps its keys so."""
    return race(
        name,
        summary,
        UPDATES,
        isolation="serializable",
        rules=IDEMPOTENT,
        keys=keys,
        properties=LEVELS["serializable"],
        faults=SENT_AGAIN,
        broken="readable",
    )


KEYS: tuple[Scenario, ...] = (
    _updated(
        "update-reply-faults-key-released",
        "One UPDATE and a catalog that stores no answer 5xx, whatever it had done by then: files of a commit that was"
        " applied are deleted, as without keys.",
        "released",
    ),
    _updated(
        "update-reply-faults-key-expired",
        "The same with keys that have expired by when they come again: each sending is a new one.",
        "expired",
    ),
    _updated(
        "update-reply-faults-key-busy",
        "The same with a catalog that answers 409 to a key whose first sending is under way, as far as it knows: the"
        " client takes its own commit for a lost race, tries again by another key, and deletes its files.",
        "busy",
    ),
    of_tables(
        "rest-drop-resent-key-released",
        "A drop over REST that is answered 5xx and sent again: a table that was created since is dropped, as without"
        " keys.",
        DROPPED_AGAIN,
        catalog="rest",
        rules=IDEMPOTENT,
        keys="released",
        faults=ANY_ANSWER,
        properties=LEFT,
        because=TOLD_WRONG,
        broken="acknowledged-writes-survive",
    ),
)
