"""Run folders: `<out>/<scenario>/<utc>-<n>/`, and `latest` beside them, a link to the newest.

The history is written before it is judged, so that a checker that fails loses nothing. Nothing is ever overwritten: a
folder is new, a file in it is written once, and the link alone moves. It is made before the work whose results it is to
hold, which may take an hour, and is gone again if nothing comes of that.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from checkers.histories.history import History
from checkers.histories.storage import placed, read_parquet, write_json_lines, write_parquet
from lakeproof.errors import UsageProblem

HISTORY, LINES, SCHEDULE, RECORD, VERDICT = (
    "history.parquet",
    "history.jsonl",
    "schedule.txt",
    "run.json",
    "verdict.json",
)
EXPLANATION, REPORT, METRICS, LIVE, LIVE_HISTORY = (
    "explain.md report.html metrics.json live.json live-history.parquet".split()
)
LATEST = "latest"


class RunFolder:
    """One folder. Make it with `new_folder`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file that must not be there yet. Either it is there whole, or it is not there."""
        path = self.path / name
        with placed(path) as part:
            part.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def write_json(self, name: str, content: Any) -> Path:
        """Write a file of JSON that must not be there yet."""
        return self.write(name, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def write_history(self, history: History, name: str = HISTORY, lines: str | None = LINES) -> History:
        """Write a history, and give back what can be read of it: what is judged is what is stored."""
        write_parquet(history, self.path / name)
        if lines is not None:
            write_json_lines(history, self.path / lines)
        return read_parquet(self.path / name)

    def point_latest(self) -> None:
        """Let `latest`, beside this folder, lead here. Where links cannot be made, there is none."""
        link = self.path.parent / LATEST
        fresh = self.path.parent / f".{LATEST}-{self.path.name}"
        try:
            fresh.symlink_to(self.path.name)
            os.replace(fresh, link)
        except OSError:
            fresh.unlink(missing_ok=True)


@contextmanager
def folder_for(out: Path, scenario: str) -> Iterator[RunFolder]:
    """A new folder for the results of the block; one that is still empty when the block fails is removed."""
    folder = new_folder(out, scenario)
    try:
        yield folder
    except BaseException:
        with suppress(OSError):
            for path in (folder.path, *folder.path.parents):
                if path == out:
                    break
                path.rmdir()
        raise


def new_folder(out: Path, scenario: str) -> RunFolder:
    """A folder of its own for a run of this scenario. Raises: `UsageProblem` if `out` cannot hold one."""
    parent = out / scenario
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1_000):
            path = parent / f"{stamp}-{number}"
            try:
                path.mkdir()
            except FileExistsError:
                continue
            return RunFolder(path)
    except OSError as error:
        raise UsageProblem(f"run folder {parent}: expected a place that can be written, got {error.strerror}") from None
    raise UsageProblem(f"run folder {parent}: expected fewer than 1,000 runs within a second, got more")
