"""What cleaning on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

SLOW_INPUT = "tests/live/hudi/test_slow_input.py"
PENDING = (
    ("apache/hudi#7568", "HUDI-5341: what is retained is not later than the oldest pending write (merged)"),
    ("apache/hudi#8362", "how to clean with several writers (open)"),
    ("apache/hudi#4311", "duplicates, and files that are cleaned by several cleans (closed, no cause found)"),
)
PENDING_WORDS = (
    "duplicate records concurrent writers cleaner deletes base file before index lookup slow writer tagged as insert",
    "cleaner earliestCommitToRetain pending inflight instant concurrent writer file slice cleaned duplicate keys",
)
READERS = (
    ("apache/hudi#5020", "cleaning takes what a reader has begun to read (closed)"),
    ("apache/hudi#8584", "a long query that fails at a file that was cleaned (closed)"),
)
READERS_WORDS = (
    "hudi query reads stale or missing rows after cleaner deleted files, lazy Spark DataFrame file listing after "
    "clean, savepoint older file slice read instead, no error",
    "hudi snapshot query concurrent clean FileNotFoundException long running query cleaner commits retained file slice "
    "removed returns empty result",
)
REPLACED = (
    ("apache/hudi#7568", "HUDI-5341: what is retained is not later than the oldest pending write (merged)"),
    ("apache/hudi#7519", "HUDI-5422: what was replaced goes at once, where slices are counted; readers fail (open)"),
    READERS[0],
)
REPLACED_WORDS = (
    "cleaner deletes replaced file groups insert_overwrite while concurrent writer pending duplicate keys "
    "getReplacedFilesEligibleToClean",
    "getReplacedFileGroupsBefore earliestCommitToRetain replacecommit completion time pending inflight writer cleaner "
    "removes replaced file slices too early",
)
CLEANING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Cleaning deletes a partition with the rows that were inserted meanwhile",
        named(DEFECTS, "hudi/clean-partition"),
        "Any concurrency control, lock provider and conflict strategy: cleaning looks at none of them. A partition "
        "that was deleted (`delete_partition`), or whose file groups were all taken out otherwise, and a table that is "
        "cleaned, which is the default after each commit (`hoodie.clean.automatic`), once more commits have followed "
        "than are retained (`hoodie.clean.commits.retained`, 10).",
        "It takes a partition that is emptied and used again. Where several clients write, an insert into it between "
        "the plan of a clean and the end of its deletions is enough: of seconds to minutes. Where one job writes and "
        "cleans it is rare: a clean that was planned, and whose client died, is carried out by the next one, however "
        "much later. The data files are gone; no error is told, then or later.",
        "No insert into a partition that was deleted until a clean has deleted its folder; or nobody cleans but the "
        "one job that writes, and it looks for a pending clean (`*.clean.requested`, `*.clean.inflight`) after each "
        "failure.",
        (
            "tests/live/hudi/test_cleaning_races.py::test_found_schedule_does_the_same_to_the_real_hudi",
            "tests/live/hudi/test_cleaning.py::test_what_cleaning_leaves[1: d1 u2 plan i1 clean]",
        ),
        Upstream(
            "apache/hudi#11600",
            (("apache/hudi#8506", "a deleted partition is cleaned by the policy, not at once (merged)"),),
            (
                "hudi cleaner deletes partition concurrent insert partitionsToBeDeleted data loss clean plan "
                "delete_partition",
            ),
            "2026-11-23",
        ),
        "The report upstream is of an insert that had begun before the plan; it was closed and not merged. An insert "
        "that begins after the plan is lost in the same way.",
    ),
    Loss(
        "A slow writer does not find its rows any more, and adds them once more",
        named(DEFECTS, "hudi/clean-slow-writer"),
        "Optimistic concurrency control, any lock provider and conflict strategy, the default cleaning policy; an "
        "index that reads the table's files (`SIMPLE`, the default, and those alike). The slow writer, and another one "
        "that began before it and changes its file group after it has looked at the timeline; and cleaning, as by "
        "default after each commit, when more commits have begun since that one's beginning than are retained "
        "(`hoodie.clean.commits.retained`, 10).",
        "A writer looks at the timeline first, then computes its input, and lists the files last, to look for its "
        "keys: what lies between is the whole computation of the input. A clean leaves of each file group the newest "
        "slice before the oldest pending write, by the times at which writes *began*; the slow writer knows of those "
        "that had *ended*. It takes two jobs that are slow, beside others that are not. Nothing is told: the conflict "
        "check compares file groups, and the row is in a new one.",
        "Let inputs be computed before the write (`df.cache()` and an action), so that the list follows at once; "
        "retain so many commits that a slow job never sees its slices go; look for keys that are there twice.",
        (f"{SLOW_INPUT}::test_commits_are_counted",),
        Upstream("", PENDING, PENDING_WORDS, "2026-11-25"),
        "Spark's own writes do it without a gate, with the metadata table as by default: only the input of two of them "
        "waits. An index that is kept elsewhere (the record index of the metadata table) was not tried.",
    ),
    Loss(
        "A slow writer does not find its rows where a partition was overwritten, and adds them beside the new ones",
        Defect(
            "hudi/clean-overwritten",
            "that a key is there once: an acknowledged upsert adds its row beside the one of an acknowledged overwrite",
            "a writer whose input takes long, an overwrite that began before it, and cleaning; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/clean-overwritten-pending",),
        ),
        "Optimistic concurrency control, any lock provider and conflict strategy, the default cleaning policy; an "
        "index that reads the table's files (`SIMPLE`, the default, and those alike). An overwrite of a partition "
        "(`insert_overwrite`, `insert_overwrite_table`) that began before the slow writer and commits after that one "
        "has looked at the timeline; and cleaning, as by default after each commit, when more commits have begun since "
        "the overwrite's beginning than are retained (`hoodie.clean.commits.retained`, 10), one of them before the "
        "slow writer.",
        "A file group that was taken out is cleaned if what took it out *began* before the earliest instant to retain, "
        "which is not later than the oldest pending write began. Whoever began after the overwrite, and looked at the "
        "timeline before that had *ended*, is to find its rows in that file group: it is gone, and what the overwrite "
        "has put in its place is not committed for that writer. So it takes its rows for new ones, and is not refused "
        "as who changes a file group that was taken out: no file group is both's.",
        "Let inputs be computed before the write (`df.cache()` and an action), so that the list follows at once; "
        "retain so many commits that a slow job never sees its slices go; no other writer in a partition while it is "
        "overwritten.",
        (f"{SLOW_INPUT}::test_what_was_overwritten_is_counted_as_old",),
        Upstream("", REPLACED, REPLACED_WORDS, "2026-11-27"),
        "Spark's own writes do it without a gate, with the metadata table as by default. A deletion of the partition "
        "(`delete_partition`) in the place of the overwrite leaves one row, in the simulation: the slow writer is not "
        "refused either, and its row is what would be there had it come after the deletion.",
    ),
    Loss(
        "Cleaning by file versions takes what a pending writer is about to look for",
        named(DEFECTS, "hudi/clean-versions"),
        "Optimistic concurrency control, any lock provider and conflict strategy, cleaning that counts slices "
        "(`hoodie.clean.policy=KEEP_LATEST_FILE_VERSIONS`, which `hoodie.clean.fileversions.retained` alone brings "
        "about), and an index that reads the table's files (`SIMPLE`, the default, and those alike).",
        "Two writers are enough: while one computes its input, the other one changes its file group as many times as "
        "slices are retained (3 by default), and cleans. This policy does not look at what is pending at all. The "
        "longer the input takes, the surer.",
        "Clean by commits where several write; or let the input be computed before the write.",
        (f"{SLOW_INPUT}::test_slices_are_counted",),
        Upstream("", PENDING, PENDING_WORDS, "2026-11-25"),
    ),
    Loss(
        "Cleaning by hours takes what a write that is older than they are is about to look for",
        Defect(
            "hudi/clean-hours",
            "that a key is there once: an acknowledged upsert adds its row beside the one that it was to change",
            "a writer whose input takes longer than the hours that are retained, and cleaning; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/clean-hours-pending",),
        ),
        "Optimistic concurrency control, any lock provider and conflict strategy, cleaning by hours "
        "(`hoodie.clean.policy=KEEP_LATEST_BY_HOURS`, which `hoodie.clean.hours.retained` alone brings about), and an "
        "index that reads the table's files (`SIMPLE`, the default, and those alike).",
        "One writer whose input takes longer to compute than hours are retained (24 by default; whoever sets them sets "
        "fewer), and another one that changes its file group twice, after the first has looked at the timeline and "
        "again when the hours have passed, and cleans. What is pending holds back cleaning by commits since "
        "HUDI-5341, and not this one. Nothing is told: the conflict check compares file groups, and the row is in a "
        "new one.",
        "Retain more hours than the slowest write takes, its input included; or clean by commits.",
        (
            f"{SLOW_INPUT}::test_hours_are_counted",
            "tests/live/hudi/test_cleaning.py::test_what_cleaning_leaves[h1: s1 u2 u2 hour u2 clean]",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#19041", "hours by completion times; a review bounds them by what is pending (closed)"),
                ("apache/hudi#10307", "HUDI-7223: the slice before the earliest instant stays, by hours too (merged)"),
                *PENDING[:1],
            ),
            (
                "hudi KEEP_LATEST_BY_HOURS cleaner pending inflight instant earliest commit to retain long running "
                "writer",
                "hudi clean by hours retained deletes files of concurrent pending commit duplicate records index "
                "lookup",
            ),
            "2026-11-25",
        ),
        "Live, hours pass at once: the JVM goes from one time zone to another, in which Hudi writes instants. Spark's "
        "own writes do it without a gate.",
    ),
    Loss(
        "A query that is run after a clean does not find the rows whose files are gone, and does not fail",
        Defect(
            "hudi/clean-reader",
            "rows of a query's answer, which were acknowledged when it was made",
            "a query that is made before a clean and run after it; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/clean-reader-fenced",),
        ),
        "Copy-on-write tables, any concurrency control, lock provider and policy of cleaning; with a metadata table, "
        "as by default, too (live).",
        "A query loads the timeline when it is made (`spark.read.format('hudi').load(...)`) and lists files when it is "
        "run. Who keeps one for longer than slices are retained (`hoodie.clean.commits.retained`, 10) is to expect "
        "that it fails, as many issues tell of files that are gone. But where the clean comes before the list nothing "
        "fails: of the slices that its timeline knows none is left, the newer ones it does not know, and so each file "
        "group that was changed since has no rows.",
        "Make queries anew where they are run; retain more than the longest time between the two.",
        (
            "tests/live/hudi/test_savepoint_reads.py::test_query_beside_a_clean[without]",
            "tests/live/hudi/test_reads_beside_cleans.py::test_query_that_is_made_before_a_clean[snapshot]",
        ),
        Upstream("", READERS, READERS_WORDS, "2026-11-27"),
        "A savepoint that keeps an older slice gives the rows of that one: `hudi/savepoint-read`. Incremental readers: "
        "`hudi/news-beside-clean`; time travel: `hudi/travel-beside-clean`.",
    ),
)
