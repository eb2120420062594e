"""Findings about Hudi's lock providers that are known, as failures of generated scenarios meet them."""

from __future__ import annotations

from model.hudi.keys import FILE_SYSTEM, LOCK_PROVIDER, METASTORE, SESSION_TIMEOUT, STORAGE_BASED, ZOOKEEPER
from sim.generation.causes import Known
from sim.hudi.build import EXPIRE
from sim.hudi.known_rows import LOST, LOST_UPDATE, OWN, SURVIVE, rows, without

BY_FILE = (LOCK_PROVIDER, (FILE_SYSTEM,))
BY_OBJECT = (LOCK_PROVIDER, (STORAGE_BASED,))
BY_METASTORE = (LOCK_PROVIDER, (METASTORE,))

OF_LOCKS: tuple[Known, ...] = (
    *rows(
        "file-lock",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
            "snapshot-isolation": ("stale-read@stated",),
            "table-invariants": ("missing-file", "completed-twice"),  # two draw one instant, for both hold the lock
        },
        BY_FILE,
        rules=without("owned-lock", "fixed"),
    ),
    *rows(  # whoever stood still for so long; in a simulation without a fault others have waited so long
        "file-lock-expired",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write", "lost-row"),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
            "savepoint-kept": ("savepoint-file-gone",),
            "table-invariants": ("missing-file",),
        },
        BY_FILE,
        (EXPIRE, ("1",)),
        rules=("owned-lock", "fixed"),
    ),
    *rows(  # who stands still for longer than his session lasts
        "zookeeper-session",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
        },
        (LOCK_PROVIDER, (ZOOKEEPER,)),
        (SESSION_TIMEOUT, ("1000",)),
        rules=without("commits-decided"),
        faults=(("pause",),),
    ),
    *rows(
        "storage-lock-unanswered",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
        },
        BY_OBJECT,
        rules=without("lost-answers-looked-up"),
        faults=(LOST,),
    ),
    *rows(
        "metastore-lock-beat",
        {
            "one-lock-holder": ("two-lock-holders",),
            SURVIVE: ("lost-write",),
            OWN: ("missed-own-write",),
            LOST_UPDATE: ("lost-update",),
        },
        BY_METASTORE,
        rules=without("fixed"),
        faults=(LOST,),
    ),
)
