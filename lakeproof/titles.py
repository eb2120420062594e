"""The built-in scenarios of each protocol, by the title under which they are listed: where each tuple of them is.

Nothing is imported here, so that a command loads the scenarios of the protocol that it is about, and no others.
"""

from collections.abc import Mapping

ICEBERG: Mapping[str, str] = {
    "Iceberg": "sim.iceberg.scenarios:ICEBERG",
    "Spark SQL on Iceberg": "sim.iceberg.sql_scenarios:SQL",
    "Spark SQL with cached tables": "sim.iceberg.cached_scenarios:CACHED",
    "Spark's procedures": "sim.iceberg.procedure_scenarios:PROCEDURES",
    "Spark's rewrites of position deletes": "sim.iceberg.position_delete_scenarios:POSITION_DELETES",
    "Spark's compaction in several commits": "sim.iceberg.partial_progress_scenarios:PARTIAL_PROGRESS",
    "Spark SQL on Iceberg's branches": "sim.iceberg.branch_scenarios:ON_BRANCHES",
    "Iceberg's transactions": "sim.iceberg.transactions:TRANSACTIONS",
    "Iceberg's snapshots and branches": "sim.iceberg.managed_scenarios:MANAGED",
    "Iceberg's REST catalog": "sim.iceberg.rest_scenarios:REST",
    "Ages of Iceberg's snapshots": "sim.iceberg.timed_scenarios:TIMED",
    "Commits of several Iceberg tables": "sim.iceberg.several_scenarios:SEVERAL",
    "Idempotency keys of REST catalogs": "sim.iceberg.key_scenarios:KEYS",
    "Replacements of Iceberg tables": "sim.iceberg.replacing_scenarios:REPLACING",
    "Partitions of Iceberg tables": "sim.iceberg.partition_scenarios:PARTITIONED",
    "Layout of Iceberg tables": "sim.iceberg.layout_scenarios:LAYOUT",
    "Formats of Iceberg tables": "sim.iceberg.format_scenarios:FORMATS",
    "Row ids of Iceberg tables": "sim.iceberg.row_id_scenarios:ROW_IDS",
    "Row ids that Spark SQL copies": "sim.iceberg.row_copy_scenarios:ROW_COPIES",
    "Creation of Iceberg tables": "sim.iceberg.creating_scenarios:CREATING",
    "Iceberg's JDBC catalog": "sim.iceberg.jdbc_scenarios:JDBC",
    "Renames of Iceberg tables": "sim.iceberg.renaming_scenarios:RENAMING",
    "Iceberg's Hadoop catalog": "sim.iceberg.hadoop_scenarios:HADOOP",
    "Tables of Iceberg's Hive catalog": "sim.iceberg.in_hive_scenarios:HIVE",
    "Spark SQL beside the Java API": "sim.iceberg.beside_sql_scenarios:BESIDE",
    "Iceberg's equality deletes": "sim.iceberg.equality_scenarios:EQUALITY",
    "PyIceberg": "sim.iceberg.pyiceberg:PYICEBERG",
    "PyIceberg's own catalogs": "sim.iceberg.pyiceberg_scenarios:OWN_CATALOGS",
    "PyIceberg's whole tables": "sim.iceberg.pyiceberg_names:NAMED_ANEW",
    "PyIceberg under any fault": "sim.iceberg.pyiceberg_any_fault:UNDER_ANY_FAULT",
    "PyIceberg's own statements": "sim.iceberg.pyiceberg_alone:PYTHON_ALONE",
    "PyIceberg's branches": "sim.iceberg.pyiceberg_branch_scenarios:PYTHON_BRANCHES",
}
HUDI: Mapping[str, str] = {"Hudi": "sim.hudi.scenarios:HUDI"}
HIVE: Mapping[str, str] = {
    "Hive's metastore cache": "sim.hive.scenarios:HIVE",
    "Iceberg on cached metastores": "sim.iceberg.over_metastores:COMPOSITE",
}
