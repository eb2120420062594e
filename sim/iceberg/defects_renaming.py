"""What Iceberg 1.11.0 loses where tables get another name over REST or on its JDBC catalog."""

from __future__ import annotations

from sim.search.defect import Defect

REST = "Iceberg 1.11.0, Java API with its HTTP client's strategy and its server's handlers"
JDBC = "Iceberg 1.11.0, Java API on its JDBC catalog"

RENAMING_DEFECTS: tuple[Defect, ...] = (
    Defect(
        "iceberg/rest-rename-append-resent",
        "the whole table: its current manifest list is deleted",
        "a REST catalog, a commit that is applied and answered 429, or 503 with a time to wait, or sent twice, and a"
        " rename of the table before it is sent again",
        REST,
        ("iceberg/rest-rename-append-resent-idempotent", "iceberg/rest-rename-append-resent-kept"),
    ),
    Defect(
        "iceberg/jdbc-rename-append-broken",
        "the whole table: its current manifest list is deleted",
        "the JDBC catalog, a commit whose connection breaks after its UPDATE was carried out, and a rename of the table"
        " before it is tried again",
        JDBC,
        ("iceberg/jdbc-rename-append-broken-kept",),
    ),
    Defect(
        "iceberg/jdbc-purge-put",
        "the whole table, which nobody has dropped: its files are deleted",
        "the JDBC catalog, a drop with purge, and a rename of the table and of another one to its name between the"
        " drop's load and its DELETE; no fault",
        JDBC,
        ("iceberg/jdbc-purge-put-compared",),
    ),
)  # fmt: skip
