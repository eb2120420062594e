"""Properties for tables with a file for each row, of consumers, of row lineage. Who imports this package makes them
known."""

from checkers.iceberg.consumers import CONSUMER_CHECKS
from checkers.iceberg.properties import ICEBERG_CHECKS
from checkers.iceberg.row_lineage import LINEAGE_CHECKS
from checkers.properties import register

CHECKS = {**ICEBERG_CHECKS, **CONSUMER_CHECKS, **LINEAGE_CHECKS}
register(CHECKS)
