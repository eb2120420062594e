"""The results of a run on disk, as they come: JUnit XML, made anew beside its place after each scenario, and a summary,
to which each scenario's line is appended.

Choices: the summary is never made anew, since a CI job's other steps append to the same file; its lines stand in the
order of the scenarios, so one that ends early is held back. A disk that is full does not end the run: what could not
be written is tried again with the next result, and said once.
"""

import os
from collections.abc import Callable
from pathlib import Path

from checkers.histories.storage import placed
from lakeproof.errors import AS_EXPECTED
from lakeproof.failures import render
from reports.pages.summary import HEAD, ResultRow, below, summary_line


class Results:
    """The rows of a run. Args: `junit_file` and `summary_file` are where they go besides (None: nowhere)."""

    def __init__(self, junit_file: Path | None = None, summary_file: Path | None = None) -> None:
        self._rows: dict[int, ResultRow] = {}
        self._junit, self._summary = junit_file, summary_file
        self._listed: list[ResultRow] = []
        self._problems: dict[Path, int] = {}

    @property
    def rows(self) -> list[ResultRow]:
        """What came, in the order of the scenarios."""
        return [self._rows[number] for number in sorted(self._rows)]

    def has(self, number: int) -> bool:
        """Whether the result of this scenario is there."""
        return number in self._rows

    def add(self, number: int, row: ResultRow) -> None:
        """Keep the result of scenario `number` (from 0), and write it."""
        self._rows[number] = row
        self._write_junit()
        following: list[ResultRow] = []
        while (number := len(self._listed) + len(following)) in self._rows:
            following.append(self._rows[number])
        self._append(following)

    def end(self) -> int:
        """Write what is still held back, and how to replay what failed. Returns: the exit code of writing."""
        if self._rows:
            self._write_junit()  # once more: what ended the run may have ended the last writing
            self._append([row for row in self.rows if row not in self._listed], below(self.rows))
        return max(self._problems.values(), default=AS_EXPECTED)

    def _write_junit(self) -> None:
        if self._junit is not None:
            from reports.pages.junit import junit  # only who wants the file waits for it

            self._tried(self._junit, lambda path: _write_whole(path, junit(self.rows)))

    def _append(self, rows: list[ResultRow], after: str = "") -> None:
        head = "" if self._listed else HEAD
        text = "".join([head, *map(summary_line, rows), after])
        path = self._summary
        if path is None or not (rows or after) or self._tried(path, lambda path: _append_whole(path, text)):
            self._listed += rows

    def _tried(self, path: Path, write: Callable[[Path], None]) -> bool:
        """Whether it could be written; if not, that is said once."""
        try:
            write(path)
        except OSError as error:
            error.filename = str(path)
            if path not in self._problems:
                self._problems[path] = render(error)
            return False
        self._problems.pop(path, None)
        return True


def _write_whole(path: Path, text: str) -> None:
    with placed(path, overwrite=True) as part:
        part.write_text(text, encoding="utf-8")


def _append_whole(path: Path, text: str) -> None:
    """Append `text`, or leave a regular file as it was."""
    with path.open("ab", buffering=0) as file:  # no buffer, which would be tried again when the file is closed
        before, left = os.fstat(file.fileno()).st_size, text.encode()
        try:
            while left:
                left = left[file.write(left) :]
        except OSError:
            if path.is_file():
                os.ftruncate(file.fileno(), before)
            raise
