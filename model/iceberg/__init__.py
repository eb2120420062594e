"""Apache Iceberg's commit protocol on ports: metadata, operations and their validations, the commit loop, catalogs.

Start at `tables.create_table`, then `api` (Java API commands) or `spark.SparkSql` (what Spark SQL makes of a table).
The variants of the protocol are in `rules`, what its port calls mean to it in `meanings`.
"""

from model.iceberg.api import append, overwrite, read
from model.iceberg.invariants import invariant_findings
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.rules import SHIPPED, VARIANTS, Rules
from model.iceberg.spark import SparkSql
from model.iceberg.table import IcebergTable
from model.iceberg.table_properties import TableProperties
from model.iceberg.tables import create_table, open_table

__all__ = [
    "SHIPPED",
    "VARIANTS",
    "CommandResult",
    "IcebergTable",
    "Rules",
    "SparkSql",
    "TableMetadata",
    "TableProperties",
    "append",
    "create_table",
    "invariant_findings",
    "open_table",
    "overwrite",
    "read",
]
