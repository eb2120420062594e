"""What was planted in the lock of Iceberg's Hive catalog: where it is looked for; why no promise tells some of it."""

from collections.abc import Mapping

from tests.mutants.iceberg_metastore_lock import METASTORE_LOCK

LOCKED, MIXED = "Hive catalog", "Java API, Hive catalog, locks mixed"
LOCKS_WHERE: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in METASTORE_LOCK], LOCKED),
    "found-lock-believed": MIXED,
    **dict.fromkeys(
        ("lock-property-ignored", "lock-by-what-is-written", "iceberg/hive-one-unlocked-append-append"), MIXED
    ),
}
LOCKS_MISSING: Mapping[str, str] = dict.fromkeys(
    ("lock-not-looked-for", "lock-not-asked-again", "lock-left-there"),
    "a property about how long who wants a lock waits: to wait, or to be refused, loses nothing",
)
