"""The page of known defects of Iceberg: each looked for once, kept as it comes, then told in two tables.

    python -m tests.search.iceberg.known_defects_page                every row that is not kept yet, then the page
    python -m tests.search.iceberg.known_defects_page NAME...        these rows anew, then the page

Tries are kept in docs/known-defects/iceberg.jsonl: an interruption loses one. To start anew, delete it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.search.iceberg.known_defects import JAVA_ROWS, NOT_EXPRESSED, PYTHON_ROWS, planted_of
from tests.search.known_defects import HOW, Book

HEAD = f"""# Known defects of Iceberg, found without a scenario of their own

What issues tell of, and what was found here: the old bug is put back into the model, or into PyIceberg's own code
(a mutant), or the shipped software has it still. {HOW} PyIceberg,
whose schedules take longer, is given four times that time. A defect that it ships, and what of Iceberg no rules of the
model mend, is mended by a patch (`tests/search/iceberg/pyiceberg_repairs.py`, `known_repairs.py`, `java_repairs.py`).
This page is made by `make known-defects`.
"""
BOOK = Book(
    HEAD,
    {"Iceberg 1.11.0, Java": JAVA_ROWS, "PyIceberg": PYTHON_ROWS},
    NOT_EXPRESSED,
    planted_of,
    Path("docs/known-defects/iceberg.jsonl"),
    Path("docs/known-defects/iceberg.md"),
)

if __name__ == "__main__":
    BOOK.make(sys.argv[1:])
