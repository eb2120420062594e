"""What is looked for on Hadoop catalogs, where renames replace files, and where they refuse; and on Hive catalogs."""

from tests.mutants.iceberg_hadoop import HADOOP

REPLACING = (
    "iceberg/hadoop-replacing-append-append", "hadoop-looks-for-nothing", "hadoop-own-number-believed",
)  # fmt: skip
ON_HADOOP = (
    *[mutant.name for mutant in HADOOP], "iceberg/hadoop-drop-append", "iceberg/hadoop-drop-create-append",
    "iceberg/hadoop-change-unanswered", "iceberg/hadoop-append-unanswered", "iceberg/hadoop-create-unanswered",
    "iceberg/hadoop-pruned-hint", "iceberg/hadoop-pruned-number",
)  # fmt: skip
ON_HIVE = ("iceberg/hive-one-unlocked-append-append", "iceberg/hive-create-resent", "iceberg/hive-drop-resent")
