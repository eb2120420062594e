"""A property for Iceberg tables with a file for each row. Who imports this package makes it known."""

from checkers.iceberg.properties import ICEBERG_CHECKS as CHECKS
from checkers.properties import register

register(CHECKS)
