"""The rules of the protocol as options: what Hudi 1.2.0 ships, what RFC-56 says, what repairs it.

Every default is the shipped behaviour; variants are in `variants.py`. What a user sets is in `config.py`.

Source: hudi/1 to hudi/4; the ids F-.. (hudi/3.9) and G-.. (hudi/5) at the single rules; RFC-56.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Switches of the protocol; read the name as a statement that is true of the variant."""

    # Instants

    start_is_one_critical_section: bool = True
    """An instant is drawn and announced under one lock (HUDI-9387); up to 1.0.x it was announced after it (G-4)."""

    instants_from_locked_clock: bool = True
    """Times are drawn under the lock, which covers the clocks' skew (hudi/1.4); else each host's own (hudi/5.1)."""

    salted_instants: bool = False
    """No two instants are equal: each ends in digits of its own (hudi/5.1)."""

    unlocks_after_failed_time_lock: bool = True
    """A draw that did not get its lock releases it all the same (F-2), where drawing takes the lock itself (1.0.x)."""

    # Files

    salted_file_names: bool = False
    """Data files of one instant never have one name: the repair of hudi/5.1."""

    lists_committed_files: bool = False
    """Only files that commits name are seen: the metadata table (hudi/2.7), and the specification (hudi/5.1)."""

    pending_log_hides_group: bool = True
    """A file group without a base file is not seen while the write of its first log file is pending, up to 1.2.0; it is
    from #19785 on."""

    deleted_bucket_keeps_name: bool = True
    """The file group of a bucket is begun under one name, also once that was taken out, and is hidden (#19793);
    repaired, under the next one."""

    # Conflicts before the commit

    conflict_window: Literal["last-completed", "merge-base"] = "last-completed"
    """Candidates are what completed since the snapshot (hudi/2.2), or since the merged slice (hudi/5.1)."""

    refuses_newer_merge_base: bool = False
    """A write refuses a slice that is not older than its instant, as in the specification (hudi/5.1); a repair."""

    locks_file_groups: bool = False
    """A write has a lock of each file group that it changes, from before it reads it to its end: pessimistic control as
    in the specification (hudi/5.1), which no release has."""

    indexes_new_keys: bool = False
    """A new key is refused that somebody else has put into an index of keys: the specification's primary-key check
    (hudi/5.1); shipped code has none (G-1)."""

    own_rollback_is_conflict: bool = False
    """A commit is refused, a non-blocking one as well, if its rollback is planned, or done: one half of the repair of
    G-6 (the strategy that prefers writers sees planned ones only)."""

    empty_completion_is_conflict: bool = False
    """A candidate whose completed file is empty stops the commit; as shipped it has changed nothing (hudi/1.6)."""

    any_strategy_compares_buckets: bool = False
    """Where rows are in buckets each strategy compares these; as shipped only the one that is made for them, which is
    Hudi's choice there unless another one is set (HUDI-5682)."""

    deletion_compares_replaced: bool = False
    """A deletion of partitions compares the file groups that it takes out with what others have changed, as an
    overwrite does; as shipped it compares nothing."""

    overwrites_compare_partitions: bool = False
    """Two overwrites of one partition conflict, whatever file groups they take out (#19720, not merged)."""

    # Columns

    schema_is_last_requested: bool = True
    """The table's columns are what the completed commit says that was requested last, whatever it was; repaired, what
    the check before a commit goes by: the write that was completed last, clustering and compactions left aside."""

    # What a write reads

    updates_read_first: bool = True
    """An UPDATE of Spark SQL reads the table before its write begins, and once, however often that is tried
    (HUDI-4631): nobody compares what has completed in between; repaired, it reads what it merges with, as MERGE INTO
    does."""

    # Cleaning

    cleaning_deletes_folders: bool = True
    """A clean deletes the folder of a partition in which its plan leaves nothing, with whatever has come into it since
    (HUDI-7969); repaired, the files that it names alone."""

    cleaning_minds_pending: bool = False
    """Cleaning leaves what was the newest when the oldest pending write began, or since then; as shipped it leaves what
    was by the times at which writes began, or does not look at what is pending, where it counts slices."""

    cleans_fence_readers: bool = False
    """Who has read looks for a clean since he began, and refuses what he has read; as shipped nobody looks, and a
    reader goes on with the slices that are left: those that a savepoint names, or none."""

    # Incremental reads

    transition_reads_go_by_request: bool = True
    """Who reads by the time of transition (table version 6) looks into partitions of instants that were requested since
    he read last, and takes the rows of all instants that were requested between his first one and his last one;
    repaired, he reads what was completed since, and no more."""

    time_travel_minds_versions: bool = False
    """Who reads as of an instant is refused behind a clean that counted slices, if that knew later commits; as shipped
    such a clean says nothing of commits, and what it has deleted is missing."""

    time_travel_minds_history: bool = False
    """Nor does he read as of what is archived; as shipped he does, once the clean that deleted it is archived, too."""

    # Savepoints

    savepoints_take_lock: bool = False
    """A savepoint is made, and a clean is planned, in one critical section each; as shipped neither sees the other."""

    savepoints_keep_partitions: bool = False
    """A clean leaves the folder of a partition in which a savepoint names files; as shipped these are left out of its
    plan, and go with the folder."""

    savepoints_mind_versions: bool = False
    """A savepoint is of no commit older than the last one before a clean that counted slices, as HUDI-9675 means it; as
    shipped any commit will do once such a clean has completed, for what it says that it retains is a text, and empty;
    and none while one is pending."""

    savepoints_by_completion: bool = False
    """A savepoint names what had completed when its commit did, which is what a restore to it leaves; as shipped what
    has completed by now, of that commit's instant and of earlier ones."""

    restores_fence_writers: bool = False
    """A restore plans under the lock, where who starts a write, or commits one, looks for a restore since it began; as
    shipped the plan, and who starts, go by what they loaded before it, and who commits does not look."""

    restores_fence_readers: bool = False
    """Who has read looks for a restore that is pending, or was since he began, and refuses what he has read; as shipped
    nobody looks, and a reader goes on with the slices that are left of what is taken back."""

    restores_remake_metadata: bool = False
    """A restore makes the metadata table anew that cannot be taken back to its savepoint (#18572, not merged); as
    shipped it fails, when it has taken back all else, and each time that it is gone on with."""

    lost_plans_stop_all: bool = True
    """Nobody reads or writes while an instant is pending whose plan is gone; repaired, it counts as one without."""

    log_plans_stop_restores: bool = True
    """A restore fails at a log compaction that is pending, of which it knows no action; repaired, it takes it back."""

    cleans_folders_alone: bool = False
    """A clean that counts slices can be completed if it has deleted folders and no files."""

    unlisted_replacements_stop_rollbacks: bool = True
    """No rollback by listing, and none of a restore, is planned of an overwrite or a deletion that is inflight: what it
    has announced by then is read as what only a completed one says; repaired, it is not read."""

    # Archiving

    archiving_minds_completion: bool = False
    """Nothing is archived that has completed since a pending write began, for that write has to be compared with it; as
    shipped it goes by requested times."""

    archiving_takes_lock: bool = False
    """What goes is chosen by a timeline that is loaded under the lock; as shipped, by the one from before it (#7615,
    which was not merged, loads it again)."""

    history_tells_completion: bool = False
    """Of files older than the active timeline those of archived commits are seen; as shipped, all of them (#18783)."""

    # Heartbeats

    checks_heartbeat_under_lock: bool = False
    """A commit looks at its own heartbeat under the lock too: with a lapse that is for good, another repair of G-6."""

    remembers_late_beat: bool = True
    """A beat after a lapse is a sign of life, up to 1.2.0; it is none from 1.3.0 on (#18904)."""

    failed_beat_ends_timer: bool = True
    """A beat that cannot be written is the last one, up to 1.2.0; the next one is tried from 1.3.0 on (#18904)."""

    log_compactions_beat: bool = False
    """Who carries out a log compaction has a heartbeat for it, and lets be what has one (#18305, open); as shipped
    there is none, and what is inflight is taken for dead."""

    clusterings_beat: bool = False
    """Who carries out clustering has a heartbeat for it, as for a compaction, and lets be what has one; as shipped
    there is none, and what is inflight is taken for dead."""

    early_loser_deletes_heartbeat: bool = False
    """A write that is refused early deletes its heartbeat file, so that its markers do not count: repair of F-12."""

    cleans_up_under_lock: bool = False
    """Markers and heartbeat of a commit are deleted before the lock is released, as before #18196 (1.2.0)."""

    # Early conflict detection

    early_smaller_instants_only: bool = True
    """Only markers of smaller instants count (RFC-56, F-15)."""

    early_matches_substring: bool = True
    """A marker counts if its name has the file id somewhere in it (F-8)."""

    early_commits_since_instant: bool = False
    """The check of commits looks at what has completed since the own instant was requested, as the strategy that
    prefers writers does at the commit; as shipped, since the timeline that the write began with, which is newer."""

    marker_lock_covers_creation: bool = False
    """The marker is made before its lock is released, as RFC-56 says; shipped code releases it first (F-4)."""

    # Markers of the timeline server, and the checker that goes with them

    unwritten_markers_are_hidden: bool = True
    """Who asked for a marker is not told that its file could not be written, up to 1.2.0: a failure to close the file
    is swallowed, one to open it is never answered. From #19368 on the request fails."""

    unlisted_markers_are_servers: bool = True
    """A rollback that cannot list direct markers looks for those of a timeline server instead, finds none, and deletes
    nothing; from #18887 on it fails."""

    cut_markers_stop_rollbacks: bool = True
    """No rollback succeeds by a marker file that ends within a line, or by a type that does; repaired, it goes by the
    files that there are."""

    unreadable_markers_end_checker: bool = True
    """A marker file that cannot be read ends the checker for good (F-9); RFC-56 takes it for empty."""

    marker_group_by_underscore: bool = True
    """Markers are of one file group if they are the same up to the first underscore (F-6, F-7)."""

    server_commit_check_by_text: bool = True
    """The checker compares `partition/file id` with the file ids of commits, which are never equal (F-5)."""

    server_snapshot_at_first_marker: bool = True
    """The checker knows as old what has completed by the write's first marker; in RFC-56, by its beginning."""

    marker_suffix_is_first: bool = True
    """The path of a marked file is what stands before the first `.marker` of its marker's path, also if that is in the
    name of a partition; repaired, before the last one."""

    server_looks_before_marker: bool = False
    """A batch of markers is made after a look of its own at those of others; as shipped the first ones are asked for
    before any pass has looked (F-16), and all others between two passes."""

    retired_checker_raises_flag: bool = True
    """A pass for an instant refuses the next one on its server, if it ends after that has begun (F-10)."""

    # Bloom files of markers: Hudi never shipped them, and these say how RFC-56's text is read

    bloom_before_marker: bool = False
    """A Bloom file is written before the markers that it is to tell of, else after them. RFC-56 does not say."""

    missing_bloom_says_no: bool = True
    """A Bloom file that is not there, or cannot be read, tells of no marker, as a MARKER file that cannot be read has
    none in RFC-56; else the markers are read."""

    # The file-system lock

    deletes_lock_it_does_not_hold: bool = True
    """Closing a lock provider deletes the lock file, whoever made it (F-1); repaired, it reads first who did."""

    breaks_any_lock: bool = True
    """Who has seen that the lock file is too old deletes the file that is there by now (F-3); repaired, it is moved to
    a path with its name, which happens once, and so it is when it is given back."""

    # The storage-based lock

    lost_lock_interrupts_holder: bool = True
    """Who renews a lock in vain interrupts its holder, from 1.2.0 on (#17870); before that it only says so in a log."""

    commits_are_decided: bool = False
    """A commit is decided by a file that is made once, which whoever has the lock next makes first where it is not
    there: the fence that no lock has (G-8)."""

    lost_answers_are_looked_up: bool = False
    """Whose write of the lock object is refused, or not answered, looks whether it is there; as shipped who is not
    answered takes itself for somebody else (#14373)."""

    release_tells_takeover: bool = True
    """The release of a lock that is another's by now fails, from 1.2.0 on (#17871)."""

    # The metastore's lock

    failed_lock_beat_is_last: bool = True
    """A beat for the lock that cannot be sent is the last one, up to 1.2.0; the next one is tried from #19334 on."""

    # Lazy rollback

    rollback_rechecks_under_lock: bool = False
    """A rollback looks under the lock whether its target has completed: the other half of the repair of G-6."""


SHIPPED = Rules()
