"""The losses of Iceberg 1.11.0 where tables are created and dropped, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
CREATING = "tests/live/iceberg/test_creating.py"
ANSWERED_503 = "drop-503-after"
AT_ONCE = "java-api-create-or-replace beside create"
SEARCHED_ON = "2026-11-23"

CREATING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A replacement of a table that is sent again deletes its own manifest list",
        named(DEFECTS, "iceberg/rest-replace-resent"),
        "A REST catalog that keeps no idempotency keys (the default). `replaceTransaction` and "
        "`createOrReplaceTransaction` of a table that is there: `CREATE OR REPLACE TABLE AS SELECT`, `REPLACE TABLE`.",
        "Rare per statement: the answer to a commit that was applied has to be 429, or 503 with a time to wait, as a "
        "proxy or a busy catalog gives it. Then it is certain: no other writer is needed.",
        "A catalog with idempotency keys that are kept. Else one that never says when to come again after a 5xx: an "
        "unknown outcome is safe. Afterwards: the old snapshots are still in the table; set main to the last of them, "
        "and replace it anew.",
        (f"{FOUND}[iceberg/rest-replace-resent]",),
        Upstream(
            "",
            (
                ("apache/iceberg#12818", "of commits that are answered 409 when they are sent again (open)"),
                ("apache/iceberg#13867", "asks for idempotency keys because of a 503 (closed)"),
                ("apache/iceberg#15092", "what else a replacement does that is applied to newer metadata (closed)"),
            ),
            (
                "iceberg REST catalog replace table commit retried Snapshot already exists for id 400 "
                "BadRequestException cleanup deletes committed metadata files",
            ),
            "2026-11-25",
        ),
        "A replacement requires nothing of main, so what it requires holds when it is sent again; that its snapshot is "
        "there is an update that cannot be applied, which the server answers 400. `BadRequestException` is a failure "
        "after which a transaction deletes what it has written. An UPDATE meets the same by 409 "
        "(`iceberg/update-reply-faults`).",
    ),
    Loss(
        "A drop that is sent again drops another table",
        named(DEFECTS, "iceberg/rest-drop-resent"),
        "A REST catalog that keeps no idempotency keys (the default). `dropTable`, and what calls it: `DROP TABLE`, "
        "`CREATE OR REPLACE` of an engine that drops and creates.",
        "Rare: the answer to a DELETE that was applied has to be lost (any 5xx, 429, or a connection that is closed), "
        "and somebody has to make a table of that name before it is sent again, a second later or up to a minute. A "
        "pipeline that drops and makes its table anew is such a somebody, if another one still waits for its own drop.",
        "A catalog with idempotency keys. Else `rest.client.max-retries` cannot be 0 in 1.11.0: do not let two jobs "
        "drop and create one name, and look for the table after it was created. Files stay: register the table anew "
        "by its newest metadata file.",
        (
            f"{FOUND}[iceberg/rest-drop-resent]",
            f"{CREATING}::test_what_the_http_client_makes_of_an_answer[{ANSWERED_503}]",
        ),
        Upstream(
            "",
            (
                ("trinodb/trino#18848", "a drop that a metastore's client sends again fails; of another table no word"),
                ("apache/iceberg#4337", "what a drop of a table is answered that is not there (closed)"),
            ),
            (
                "dropTable DELETE retried by HTTP client drops re-created table, non-idempotent retry REST catalog",
                "createOrReplace transaction concurrent create overwrites newly created table",
            ),
            SEARCHED_ON,
        ),
        "A DELETE is idempotent to HTTP, so `ExponentialHttpRequestRetryStrategy` sends it again after 500, 502, 503, "
        "504, 408 and a lost connection. But it names a table, not which one: no uuid is compared.",
    ),
    Loss(
        "A table that was just created is replaced by who was to create it",
        named(DEFECTS, "iceberg/create-or-replace-create"),
        "A catalog of one pointer (in memory; by its code every `BaseMetastoreCatalog`: JDBC, Hive, Glue, Nessie) and "
        "`createOrReplaceTransaction`: Spark's `CREATE OR REPLACE TABLE ... AS SELECT`, begun while there is no table.",
        "Likely where several jobs make one table: the window is as long as the query that fills it. No fault, no "
        "error, and everybody is told that he succeeded.",
        "A REST catalog, which is told whether to create or to replace and refuses the second creation; or "
        "`createTransaction`, or `CREATE TABLE IF NOT EXISTS` before, so that there is a table to replace.",
        (
            f"{FOUND}[iceberg/create-or-replace-create]",
            f"{CREATING}::test_model_and_real_java_agree_on_every_interleaving[{AT_ONCE}]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#16232", "a replacement of a table takes what was committed meanwhile (open)"),
                ("apache/iceberg#16942", "the same of two, of which one's snapshots vanish (open)"),
            ),
            ("createOrReplace transaction concurrent create overwrites newly created table commitReplaceTransaction",),
            SEARCHED_ON,
        ),
        "Beyond what is reported of replacements: what was begun without any table replaces one, with another uuid, so "
        "that not even its snapshots stay, and whoever goes on writing to it is refused. Upstream's own test of it "
        "(`CatalogTests.testCreateOrReplaceTransactionConcurrentCreate`) leaves all catalogs out but REST.",
    ),
)
