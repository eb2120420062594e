"""Why no promise tells some of what was planted in Iceberg: mutants among these are compared with the model."""

from collections.abc import Mapping

from tests.mutants.iceberg_partial_progress import PARTIAL_PROGRESS
from tests.search.iceberg.planted_calls import CALLS_MISSING
from tests.search.iceberg.planted_layout import LAYOUT_MISSING
from tests.search.iceberg.planted_locks import LOCKS_MISSING
from tests.search.iceberg.planted_manifests import MANIFESTS_MISSING
from tests.search.iceberg.planted_merging import MERGING_MISSING
from tests.search.iceberg.planted_position_deletes import POSITION_DELETES_MISSING
from tests.search.iceberg.planted_row_ids import ROW_IDS_MISSING
from tests.search.iceberg.planted_specs import SPECS_MISSING

NO_PROMISE = "a promise about rows where main is moved back: a roll-back validates nothing"
WHERE_BACK = "a promise about where a roll-back to a time goes: what it takes back is not asked for"
ROLL_BACKS = ("any-snapshot-is-an-ancestor", "ancestry-looked-at-once")
AS_LATE = ("what-was-loaded-is-read", "cached-tables-are-loaded", "view-has-rows")
REFUSED = (
    "options-found-when-planned", "refs-found-when-scanned", "end-is-on-main", "no-news-is-nothing",
    "changes-planned-again", "planned-once",
)  # fmt: skip
OF_DELETES = "a change of the format between two looks of who deletes rows: drawn, but rarely"
IN_COMMITS = "a property that says how much of a compaction is committed: it changes no row"
MISSING: Mapping[str, str] = {
    "as-of-main-line": "a consumer who reads as of one time before and behind a roll-back: he is drawn rarely",
    **dict.fromkeys(AS_LATE, "a property about how late a consumer is: his table was there when he asked"),
    **dict.fromkeys(REFUSED, "a property that says whom a table refuses, and how: to be refused loses nothing"),
    "raw-changes-without-carryovers": "a promise that a changelog tells of what is carried over: it changes nothing",
    "tags-are-not-pinned": "a consumer who is told which of a tag's two places he reads: it may be either",
    **dict.fromkeys(
        ("equal-rows-are-one", "rows-of-one-id-allowed"), "a promise beside rows that are alike: none tells them apart"
    ),
    **dict.fromkeys([mutant.name for mutant in PARTIAL_PROGRESS], IN_COMMITS),
    **SPECS_MISSING,
    **LAYOUT_MISSING,
    **MANIFESTS_MISSING,
    **ROW_IDS_MISSING,
    **MERGING_MISSING,
    **POSITION_DELETES_MISSING,
    **CALLS_MISSING,
    "transaction-deletes-at-once": "a roll-back between two attempts, after which a manifest is needed that was not",
    "several-snapshots-reconciled": "a commit of which a part lands: it is one swap, and who finds a part has it all",
    "deletes-of-any-format": OF_DELETES,
    "equality-deletes-without-bounds": "a caller who names data files with bounds: a scan hands them out without",
    "rewrite-numbers-not-pinned": "a property that says which compactions get through: to be refused loses nothing",
    "format-1-numbered": "a property about numbers that format 1 does not write",
    "format-looked-at-once": OF_DELETES,
    "deletes-looked-for-in-format-1": "a property that says what may be refused: the mutant refuses more than shipped",
    "rows-without-ids-allowed": "a table that goes to format 3 over REST: races on it are drawn rarely",
    "dynamic-overwrites-all": "a promise beside an INSERT OVERWRITE, which asks for no validation and gets none",
    "expires-more-than-there": "a property that says which expiries get through: to be refused loses nothing",
    "nothing-not-sent": "a property that says what is sent: a commit without changes changes nothing",
    "stale-rows-allowed": "a replacement in format 3 over REST: what an unseen append loses is a known finding there",
    "no-ancestor-check": "a promise where main is rolled back; even then the check of the history refuses alone",
    **LOCKS_MISSING,
    "head-not-needed": NO_PROMISE,
    "publishes-what-is-there": "a property that tells who is kinder: to publish what is there loses nothing",
    "drop-not-resent": "a property that tells who is kinder: not to send a drop again loses nothing",
    **dict.fromkeys(("rename-over-table", "rest-rename-over-table"), "two writers who make a table that is dropped"),
    "rewrite-of-nothing-allowed": "what the count of records lets pass: what adds rows in place of none is refused for"
    " that",
    "keeps-deletes-of-partition": "a promise about delete files that no data file needs any more",
    "all-partitions-validated": "a promise that a replacement of partitions is not refused for others",
    "published-wap-id-allowed": "a staged append of a WAP id that was published meanwhile: who picks names one that was"
    " staged before the race",
    "creation-tried-again": "a property that says how often a catalog is asked: who is told no twice loses nothing",
    "replacement-not-retried": "a promise about refusals beside what makes tables: to be refused loses nothing",
    "replacement-keeps-files": "a promise about files that what makes tables leaves behind",
    **dict.fromkeys(
        ("expiry-forgets", "replacement-built-anew", "replacement-requires-refs", "creation-or-replacement-asks"),
        "a property that tells who is kinder: the mutant refuses, or loses, less than what is shipped",
    ),
    "no-resend": "a property that says how long a commit may take: waiting loses nothing",
    "several-applied-again": "a property that tells who is kinder: what a server drops is a known finding",
    "no-reconcile": "a property that says when an outcome must be known: not to know it loses nothing",
    **dict.fromkeys(ROLL_BACKS, WHERE_BACK),
    "named-beside-nothing-old": "an expiry of a named snapshot where others are too old: drawn, but rarely",
    "no-tolerance": "a property that says which changes get through: to be refused loses nothing",
    "expires-all-but-newest": "a roll-back behind an expiry, to a snapshot that needs other files: drawn, but rarely",
}
"""What there would have to be for the others to be found."""
