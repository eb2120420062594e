"""The losses of Iceberg 1.11.0 where snapshots are managed, most of them over REST, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
EXPIRY = "tests/live/iceberg/test_rest_expiry.py"
SCHEMAS = "tests/live/iceberg/test_schemas_gone.py"
SEARCHED_ON = "2026-11-23"
MAINTAINED = (
    "A catalog that compares the whole table, as those do which keep one pointer to its metadata. On a REST catalog: "
    "no expiry while somebody rolls back, cherry-picks, or makes branches and tags of old snapshots."
)

REST_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An expiry removes the main branch of a table over REST",
        named(DEFECTS, "iceberg/rest-roll-back-expire"),
        "A REST catalog, whose server checks the requirements that clients send, and no more, as Iceberg's own "
        "`CatalogHandlers` do. Any expiry of snapshots (`expireSnapshots`, Spark's `expire_snapshots`) beside "
        "a roll-back to a snapshot that is old enough to expire.",
        "Rare: the roll-back has to be committed between the expiry's load and its commit. But both are done to a "
        "table in trouble. No fault, no error; both are told that they succeeded.",
        f"{MAINTAINED} Afterwards the files of the snapshots that are left can still be had: set main to one of them.",
        (
            f"{FOUND}[iceberg/rest-roll-back-expire]",
            f"{FOUND}[iceberg/call-roll-back-expire]",
            f"{EXPIRY}::test_an_expiry_beside_a_roll_back_empties_the_table",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#4578", "how the expiry came to know refs: of what its own load has found (merged)"),
                ("apache/iceberg-rust#2591", "the same update without requirements, in Rust (merged)"),
            ),
            (
                "expire snapshots concurrent rollback removes main branch ref REST catalog RemoveSnapshots no "
                "requirement assert-ref-snapshot-id",
            ),
            SEARCHED_ON,
        ),
        "`UpdateRequirements` requires the table's uuid of an update `remove-snapshots`, and nothing else; the server "
        "then removes refs that point to none of the table's snapshots. A tag or a branch that is made meanwhile goes "
        "in the same way, and main after a cherry-pick of a staged snapshot that needs no new one.",
    ),
    Loss(
        "A cherry-pick over REST commits files that are deleted",
        named(DEFECTS, "iceberg/rest-cherry-pick-expire"),
        "A REST catalog whose server checks the requirements that clients send, and no more, as Iceberg's own "
        "`CatalogHandlers` do; an append that was staged (WAP) and is cherry-picked while another client expires "
        "snapshots, staged ones too.",
        "Rare: the expiry has to be committed between the cherry-pick's load and its commit. No fault, no error; both "
        "are told that they succeeded, and every reader of the table fails.",
        f"{MAINTAINED} Afterwards: roll main back to the snapshot below; what was staged is gone.",
        (f"{FOUND}[iceberg/rest-cherry-pick-expire]", f"{FOUND}[iceberg/call-cherry-pick-expire]"),
        Upstream(
            "",
            (
                ("apache/iceberg#744", "an expiry after a cherry-pick deletes its files, since mended (closed)"),
                ("apache/iceberg#814", "that repair, for expiries after the cherry-pick (merged)"),
            ),
            (
                "UpdateRequirements remove-snapshots missing requirement concurrent cherrypick expire snapshot files "
                "deleted table unreadable",
            ),
            SEARCHED_ON,
        ),
        "A catalog that compares the whole table refuses the first attempt, and the second one finds that the staged "
        "snapshot is gone (`iceberg/cherry-pick-expire` holds).",
    ),
    Loss(
        "An expiry removes the schema of what is committed",
        named(DEFECTS, "iceberg/rest-expire-schema-append"),
        "A REST catalog whose server checks the requirements that clients send, and no more, as Iceberg's own "
        "`CatalogHandlers` do. `expireSnapshots().cleanExpiredMetadata(true)` (Spark's `expire_snapshots` with "
        "`clean_expired_metadata => true`) on a table to which a column is added while somebody appends.",
        "Rare: the new column and the expiry have to be committed between the load of the append's last attempt and "
        "its commit, or the append between the expiry's load and its commit; and no snapshot may have been made under "
        "the schema that goes. No fault, no error. The rows are there for whoever reads the table, or a branch. Who "
        'names the snapshot, by its id, a tag or a time, is refused ("Cannot find schema with schema id 1"), and in '
        "Spark so is every UPDATE, DELETE and MERGE and every compaction, which name main's head, until somebody "
        "appends.",
        "Clean metadata only while nobody writes, or leave it. Afterwards: append anything, so that main's head is of "
        "a schema that is there; the older snapshot is read from a branch that is made at it, as branches are "
        "(`iceberg/rest-expire-schema-append-branch`). A client that "
        "required the current schema of each append, and main of each such expiry, would try again "
        "(`iceberg/rest-expire-schema-append-known`); the specification has both requirements.",
        (
            f"{FOUND}[iceberg/rest-expire-schema-append]",
            f"{SCHEMAS}::test_who_names_a_snapshot_of_no_schema_is_refused",
            f"{SCHEMAS}::test_spark_changes_no_rows_of_a_head_of_no_schema",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#12089", "how schemas came to be removed by an expiry (merged)"),
                (
                    "apache/iceberg#14093",
                    "a commit that undoes a change of the schema behind it, in Dremio (closed)",
                ),
                ("apache/iceberg-rust#3064", "what an expiry that removes schemas has to require, in Rust (open)"),
            ),
            (
                "Cannot find schema with schema id remove schemas expire snapshots clean_expired_metadata concurrent "
                "append REST",
                "RemoveSchemas UpdateRequirements snapshot schema-id missing schema time travel IllegalStateException",
            ),
            "2026-11-28",
        ),
        "`UpdateRequirements` requires for `remove-schemas` that the current schema and all branches are as they were, "
        "but main (`requireNoBranchesChanged`); an append requires nothing of schemas. A catalog that compares the "
        "whole table refuses the append's attempt, and the next one is of the schema that is current then.",
    ),
    Loss(
        "A cherry-pick of what the table has puts its rows there twice",
        named(DEFECTS, "iceberg/cherry-pick-expired-between"),
        "Any catalog. A snapshot that main has, and that a tag or another branch keeps; an expiry of what came behind "
        "it (`expireSnapshots`, Spark's `expire_snapshots`); and `cherrypick` of it (`cherrypick_snapshot`).",
        "Rare, as who cherry-picks mostly names what was staged. A job that publishes and is run again, or names a "
        "tag's snapshot, relies on being refused: it is, until the table is maintained. Nobody has to be concurrent; "
        "no fault, no error.",
        "No cherry-pick of a snapshot that a ref keeps, after an expiry; or an expiry that keeps all snapshots behind "
        "the oldest ref of main's (`retain_last`). Afterwards: roll main back to the snapshot below.",
        (f"{FOUND}[iceberg/cherry-pick-expired-between]",),
        Upstream(
            "",
            (
                ("apache/iceberg#695", "how the cherry-pick came to refuse ancestors of main (merged)"),
                ("apache/iceberg#814", "an expiry after a cherry-pick deleted its files, since mended (merged)"),
            ),
            (
                "iceberg cherrypick snapshot already ancestor expired snapshots duplicate data "
                "CherrypickAncestorCommitException isCurrentAncestor expire",
            ),
            SEARCHED_ON,
        ),
        "`CherryPickOperation.validateNonAncestor` walks from main's head from parent to parent, and ends where a "
        "parent has expired: what lies below it counts as no ancestor, and the append's files are added once more.",
    ),
    Loss(
        "Idempotency keys do not keep an UPDATE from deleting the table's manifest list",
        named(DEFECTS, "iceberg/update-reply-faults-key-released"),
        "A REST catalog that honours idempotency keys as the specification says: an answer 5xx is neither stored nor "
        "repeated. Any statement that validates (UPDATE, DELETE, MERGE, overwrite), and a catalog that answers 503 "
        "with a time to wait when it has applied a commit: it lost the answer of its own database, say. A key that has "
        "expired by when it comes again does the same (`iceberg/update-reply-faults-key-expired`): the client sends it "
        "for as long as it is told to wait. So does one that is answered 409 while its first sending is under way "
        "(`iceberg/update-reply-faults-key-busy`), as a draft of the specification had it.",
        "Rare per commit, and what the keys were made for: apache/iceberg#13867 begins with this very answer. A "
        "proxy's 503 is covered by them, the catalog's own is not.",
        "A catalog that writes the key in one transaction with the commit, and looks for it before anything is checked "
        "(as Polaris does); or that never says when to come again after a 5xx: an unknown outcome is safe.",
        (
            f"{FOUND}[iceberg/update-reply-faults-key-released]",
            "tests/live/iceberg/test_keys.py::test_a_key_that_is_released_after_503_lets_the_commit_be_sent_anew",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#13867", "asks for keys: the same loss without them (closed)"),
                ("apache/iceberg#14196", "says what is stored: 2xx and final 4xx, no 5xx"),
                ("apache/gravitino#12474", "a catalog that releases a key after 5xx (open, August 2026)"),
                ("apache/polaris#5037", "a key that is committed with the table, in one transaction (merged)"),
            ),
            ("Iceberg REST catalog Idempotency-Key 5xx not finalized retry executes again commit conflict 409",),
            "2026-11-24",
        ),
        "The client sends the commit again with its key, the server carries it out anew, and what it requires of main "
        "is refused by its own first sending: 409, a definite failure, after which the client deletes its files.",
    ),
    Loss(
        "A commit of several tables drops the change of one, and is acknowledged",
        named(DEFECTS, "iceberg/together-one-by-one-append"),
        "A REST server whose `POST /v1/{prefix}/transactions/commit` does as Iceberg's `RESTCatalogAdapter` does: so "
        "the image `iceberg-rest-fixture`, and Apache Hive's REST catalog, whose `HMSCatalogAdapter` has the same "
        "lines (read there; not run). A commit of two tables or more, and any commit to one of them meanwhile.",
        "Likely where tables have other writers: every commit that comes between the server's look at a table and its "
        "swap costs that table's change. No fault, no error: the answer is 204, and the other tables have theirs.",
        "A server that commits all tables in one transaction of its database, as the specification asks for. On one "
        "that does not: commit table after table, each by a transaction of its own, which is applied again.",
        (
            "tests/live/iceberg/test_several_tables.py::test_found_violation_is_real"
            "[iceberg/together-one-by-one-append]",
            "tests/live/iceberg/test_several_tables.py::test_the_real_client_and_server_answer_as_the_vectors_say"
            "[several-05-one-by-one-drops]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#7569", "adds the endpoint; a review asks what becomes of a conflict between (merged)"),
                ("apache/iceberg#9789", "says that the adapter is no true transaction, not that it drops (closed)"),
                ("apache/gravitino#12195", "a server that is to offer the endpoint only where it is atomic (open)"),
            ),
            ("iceberg REST commitTransaction multi-table commit RESTCatalogAdapter not atomic lost update 204",),
            "2026-11-25",
        ),
        "The adapter's comment says that it gives no true atomicity; half of a commit is seen by readers meanwhile "
        "(`iceberg/together-one-by-one-read`), and stays where the server ends in the middle "
        "(`iceberg/together-one-by-one-faults`). That it tells of success and has dropped a change comes of "
        "`BaseTransaction`: the adapter's transactions have no updates, so one that finds another table takes that for "
        "what it wanted, and has nothing to commit. Who reads one table and commits another is protected from nothing "
        "on any server (`iceberg/across-across`): a request has requirements of the tables that it changes.",
    ),
)
