"""The built-in scenarios of each protocol, by the title under which they are listed: where each tuple of them is.

Nothing is imported here, so that a command loads the scenarios of the protocol that it is about, and no others.
"""

from collections.abc import Mapping

ICEBERG: Mapping[str, str] = {
    "Iceberg": "sim.iceberg.scenarios:ICEBERG",
    "Spark SQL on Iceberg": "sim.iceberg.built_in.sql:SQL",
    "Spark SQL with cached tables": "sim.iceberg.built_in.cached:CACHED",
    "Spark's procedures": "sim.iceberg.built_in.procedure:PROCEDURES",
    "Spark's rewrites of position deletes": "sim.iceberg.built_in.position_delete:POSITION_DELETES",
    "Spark's compaction in several commits": "sim.iceberg.built_in.partial_progress:PARTIAL_PROGRESS",
    "Spark SQL on Iceberg's branches": "sim.iceberg.built_in.branch:ON_BRANCHES",
    "Iceberg's transactions": "sim.iceberg.built_in.transactions:TRANSACTIONS",
    "Iceberg's snapshots and branches": "sim.iceberg.built_in.managed:MANAGED",
    "Iceberg's REST catalog": "sim.iceberg.built_in.rest:REST",
    "Ages of Iceberg's snapshots": "sim.iceberg.built_in.timed:TIMED",
    "Commits of several Iceberg tables": "sim.iceberg.built_in.several:SEVERAL",
    "Idempotency keys of REST catalogs": "sim.iceberg.built_in.key:KEYS",
    "Replacements of Iceberg tables": "sim.iceberg.built_in.replacing:REPLACING",
    "Partitions of Iceberg tables": "sim.iceberg.built_in.partition:PARTITIONED",
    "Layout of Iceberg tables": "sim.iceberg.built_in.layout:LAYOUT",
    "Formats of Iceberg tables": "sim.iceberg.built_in.format:FORMATS",
    "Row ids of Iceberg tables": "sim.iceberg.built_in.row_id:ROW_IDS",
    "Row ids that Spark SQL copies": "sim.iceberg.built_in.row_copy:ROW_COPIES",
    "Creation of Iceberg tables": "sim.iceberg.built_in.creating:CREATING",
    "Iceberg's JDBC catalog": "sim.iceberg.built_in.jdbc:JDBC",
    "Renames of Iceberg tables": "sim.iceberg.built_in.renaming:RENAMING",
    "Iceberg's Hadoop catalog": "sim.iceberg.built_in.hadoop:HADOOP",
    "Tables of Iceberg's Hive catalog": "sim.iceberg.built_in.in_hive:HIVE",
    "Spark SQL beside the Java API": "sim.iceberg.built_in.beside_sql:BESIDE",
    "Iceberg's equality deletes": "sim.iceberg.built_in.equality:EQUALITY",
    "PyIceberg": "sim.iceberg.pyiceberg:PYICEBERG",
    "PyIceberg's own catalogs": "sim.iceberg.python.scenarios:OWN_CATALOGS",
    "PyIceberg's whole tables": "sim.iceberg.python.names:NAMED_ANEW",
    "PyIceberg under any fault": "sim.iceberg.python.any_fault:UNDER_ANY_FAULT",
    "PyIceberg's own statements": "sim.iceberg.python.alone:PYTHON_ALONE",
    "PyIceberg's branches": "sim.iceberg.python.branch_scenarios:PYTHON_BRANCHES",
}
HUDI: Mapping[str, str] = {"Hudi": "sim.hudi.scenarios:HUDI"}
HIVE: Mapping[str, str] = {
    "Hive's metastore cache": "sim.hive.scenarios:HIVE",
    "Iceberg on cached metastores": "sim.iceberg.over_metastores:COMPOSITE",
}
