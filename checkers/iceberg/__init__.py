"""Properties for tables with a file for each row, of consumers, of inspections. Who imports this package makes them
known."""

from checkers.iceberg.consumers import CONSUMER_CHECKS
from checkers.iceberg.inspections import INSPECTION_CHECKS
from checkers.iceberg.properties import ICEBERG_CHECKS
from checkers.properties import register

CHECKS = {**ICEBERG_CHECKS, **CONSUMER_CHECKS, **INSPECTION_CHECKS}
register(CHECKS)
