"""Losses of PyIceberg 0.12.0 in branches, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.iceberg.loss_pages.pyiceberg import SQL_CATALOG
from sim.search.loss import Loss, Upstream, named

LIVE = "tests/live/iceberg/test_pyiceberg_branches.py"
SEARCHED_ON = "2026-11-27"
AT_ONCE = (
    "`with table.transaction()` with writes to more than one branch in it (`branch=`), or to main and to a branch, "
    "with all defaults. Every catalog. "
)
RETRIES = ("apache/iceberg-python#3320", "how commits came to be tried again and validated; one branch alone (merged)")
OF_GO = ("apache/iceberg-go#1637", "what a retry stands on in a branch, and that it is no tag by now (merged)")

BRANCH_LOSSES: tuple[Loss, ...] = (
    Loss(
        "PyIceberg brings a removed branch back with the one row that was changed",
        named(DEFECTS, "pyiceberg/branch-change-remove"),
        "`overwrite`, `upsert` or `dynamic_partition_overwrite` in a branch (`branch=`), of rows that fill whole "
        "files, while another process removes the branch, or Spark SQL drops it. The commit asserts where the branch "
        "is, and is refused; the retry finds no branch, takes that for nothing to validate "
        "(`CommitWindow.is_empty`), begins it anew without a parent, and is told of success. Every catalog. Where the "
        "file has other rows the retry is refused, since it would have to replace a file that is not there.",
        "Rare: a branch is removed while somebody writes to it, as the last job of a staging branch may. No fault. "
        "Both are told of success, and a reader at the branch finds one file of it.",
        "Remove a branch when its writers have ended. Afterwards remove it again: what is in it is the newest write "
        "alone. The old snapshots are there until they expire.",
        (f"{LIVE}::test_a_change_brings_a_removed_branch_back[alone]",),
        Upstream(
            "",
            (OF_GO, RETRIES),
            ("pyiceberg branch deleted concurrently while writing branch recreated lost update",),
            SEARCHED_ON,
        ),
        SQL_CATALOG + " A plain append begins the branch anew, too, with its own rows; Java begins one that is not "
        "there at main's head.",
    ),
    Loss(
        "PyIceberg's transaction of two branches brings a removed branch back",
        named(DEFECTS, "pyiceberg/branches-at-once-remove"),
        AT_ONCE
        + "A transaction keeps one requirement of a kind (`Transaction._stage`), so the commit asserts where the "
        "first of the branches is, and not where the others are; it sets them on top of what they were when it was "
        "begun. A branch that was moved meanwhile goes back in the same way, and in a table of format 1 what was "
        "appended to it is lost.",
        "Rare: few write to two branches at once, and one of these has to be removed, or moved, meanwhile. No fault. "
        "Both are told of success.",
        "A commit for each branch: it asserts that one.",
        (f"{LIVE}::test_a_transaction_of_two_branches_brings_a_removed_one_back",),
        Upstream(
            "",
            (("apache/iceberg-go#1786", "one assertion of each ref, where Go dropped all but one (merged)"),),
            ("iceberg-python transaction multiple branches AssertRefSnapshotId requirement only the first",),
            SEARCHED_ON,
        ),
        SQL_CATALOG + " `pyiceberg/tag-roll-back-append` is the same rule with a tag.",
    ),
    Loss(
        "PyIceberg validates a branch by what came to another one",
        named(DEFECTS, "pyiceberg/branches-at-once-change"),
        AT_ONCE
        + "When it is tried again, all of its parts are validated by the commits to the branch of the first part "
        "(`_rebuild_snapshot_updates`). A delete in another branch does not see that its file was replaced there: it "
        "finds nothing to take away, and is told of success. An overwrite of a part of a file is refused all the same, "
        "for the file is missing.",
        "Rare: another commit has to be made to each of the two branches meanwhile. No fault. All are told of success.",
        "A commit for each branch: it is validated by that one.",
        (f"{LIVE}::test_a_transaction_validates_the_branch_of_its_first_part_alone",),
        Upstream(
            "",
            (RETRIES, ("apache/iceberg-python#3811", "how isolation levels and the window of commits came (merged)")),
            ("iceberg-python transaction multiple branches commit retry CommitWindow target branch first producer",),
            SEARCHED_ON,
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg upserts nothing into a branch that is not there",
        named(DEFECTS, "pyiceberg/branch-upsert-absent"),
        "`Table.upsert(..., branch=)` with the name of a branch that does not exist, or that somebody has removed by "
        "then. The rows are looked for in main (`if branch in self.table_metadata.refs`): those that main has with the "
        "same values are taken for done, and not written; others go to a new branch. Every catalog.",
        "Certain for a job that upserts to a branch by name and trusts that it is made: `append` and `overwrite` do "
        "make it. No fault, nobody beside; it is told that no row was updated and none inserted.",
        "`manage_snapshots().create_branch` first. Afterwards the same upsert again, when the branch is there: it "
        "writes what is missing.",
        (f"{LIVE}::test_an_upsert_to_a_branch_that_is_not_there_looks_in_main",),
        Upstream(
            "apache/iceberg-python#3816",
            (("apache/iceberg-python#3850", "an upsert's branch and its schema (open)"),),
            ("iceberg-python upsert branch not exist matched against main scan use_ref rows missing",),
            SEARCHED_ON,
        ),
        SQL_CATALOG + " A comment on that pull request tells of it.",
    ),
    Loss(
        "PyIceberg adds a file to a branch twice",
        named(DEFECTS, "pyiceberg/branch-add-file-again"),
        "`Table.add_files(..., branch=)` of a file that the branch has and main has not, with its look for files "
        "that are there (`check_duplicate_files`, the default): it looks at main's snapshot "
        "(`_find_referenced_data_files`). The other way round a file that main has, and the branch has not, is "
        "refused. Every catalog.",
        "Certain for a job that is started twice, or tries again by itself what it has not heard of. No fault, nobody "
        "beside.",
        "Look at `inspect.data_files(snapshot_id=...)` of the branch's head before. Afterwards a `delete` of the rows "
        "takes both away; add the file once.",
        (f"{LIVE}::test_a_file_that_a_branch_has_is_added_to_it_again",),
        Upstream(
            "",
            (
                ("apache/iceberg-go#1638", "the same look at main, in Go, with other plans of branches (closed)"),
                ("apache/iceberg-python#2485", "how `add_files` came to have branches; no word of the look (merged)"),
            ),
            ("iceberg-python add_files branch check_duplicate_files current_snapshot main branch duplicate",),
            SEARCHED_ON,
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg makes a branch of a tag, and moves it",
        named(DEFECTS, "pyiceberg/branch-append-tag"),
        "Any write to a branch (`branch=`) that another process removes, and makes a tag of the same name of, "
        "meanwhile. That the name is a branch's is looked at when a write begins (`_validate_target_branch`), in no "
        "retry, and no requirement tells a tag from a branch. Java refuses to move a tag so "
        "(`TableMetadata.Builder.setBranchSnapshotInternal`). Every catalog whose commits PyIceberg stages itself: "
        "SQL, Hive, Glue, DynamoDB.",
        "Very rare: a branch is frozen under its own name while somebody still writes to it. No fault. All are told of "
        "success.",
        "A tag of another name. Afterwards remove the branch, and tag the parent of its snapshot.",
        (f"{LIVE}::test_an_append_makes_a_branch_of_a_tag",),
        Upstream(
            "",
            (OF_GO,),
            ("pyiceberg branch deleted concurrently while writing tag overwritten by branch write",),
            SEARCHED_ON,
        ),
        SQL_CATALOG,
    ),
)
