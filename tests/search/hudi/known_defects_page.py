"""The page of known defects of Hudi: each looked for once, kept as it comes, then told in two tables.

    python -m tests.search.hudi.known_defects_page                every row that is not kept yet, then the page
    python -m tests.search.hudi.known_defects_page NAME...        these rows anew, then the page

Tries are kept in docs/known-defects/hudi.jsonl: an interruption loses one. To start anew, delete it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.search.hudi.known_defects import NOT_EXPRESSED, OLD_ROWS, SHIPPED_ROWS, planted_of
from tests.search.known_defects import HOW, Book

HEAD = f"""# Known defects of Hudi, found without a scenario of their own

What issues tell of, what reading the code of 1.2.0 showed (F: what detects conflicts; G: what isolates writers), and
what was found here: shipped software has it still, or the bug is put back (a mutant) into rules that have it mended.
{HOW}
What is asked is the property that the defect breaks, also where nobody promises it. This page is made by
`make known-defects`.
"""
BOOK = Book(
    HEAD,
    {"Hudi 1.2.0, as shipped": SHIPPED_ROWS, "Put back, or one of several that are shipped": OLD_ROWS},
    NOT_EXPRESSED,
    planted_of,
    Path("docs/known-defects/hudi.jsonl"),
    Path("docs/known-defects/hudi.md"),
)

if __name__ == "__main__":
    BOOK.make(sys.argv[1:])
