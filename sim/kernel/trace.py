"""What a run leaves behind, row by row: the steps that it made, and what the protocol said about them."""

from typing import Any

from model.ports import Meaning

Row = tuple[int, str, str, str, Any, Any, str]
"""A step: time_ms, task, operation, resource, arguments, value or error name, fault."""
Note = tuple[int, str, bool, Meaning]
"""An annotation: rows traced before it, task, whether it was learned (else intended), what it says."""
