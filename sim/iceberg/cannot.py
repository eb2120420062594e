"""What the generator of Iceberg's races never makes, in sentences."""

CANNOT: tuple[str, ...] = (
    "format 3 with PyIceberg, formats 1 and 3 in SQL on Hive, a change of format but with the Java API and PyIceberg,"
    " and outside transactions, equality deletes before the race",
    "partitions on a Hive catalog, beside what manages snapshots but expiry; compaction of some files",
    "what manages snapshots, branches and tags: over Hive, or in a transaction; tables that are purged on Hadoop",
    "tables that are renamed in SQL where somebody writes, or on Hive where something fails; or made where the"
    " metastore has a cache",
    "transactions that overwrite a table, or files by rows that are given",
    "a catalog that caches tables, but over REST; Spark's procedures by time; Spark SQL on Hadoop",
    "SQL beside more of the Java API than appends, also to a branch, and deletes and upserts by equality, and but over"
    " REST; procedures and branches there on a table with partitions",
    "tables that have times: but where snapshots are managed, and by a clock that jumps in a race",
    "further rows before the race with PyIceberg but where its table is drawn, and metastores with caches beneath it",
)
