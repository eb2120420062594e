"""Reading what the command line names: schedules, histories, run folders. Data only: nothing read here is executed."""

from dataclasses import dataclass
from pathlib import Path

from checkers.histories.history import History
from checkers.histories.json_lines import is_json_lines, read_json_lines
from checkers.histories.storage import read_parquet
from lakeproof.errors import BadInput, UsageProblem
from lakeproof.folder import HISTORY, LIVE, RECORD
from lakeproof.protocols import known_properties
from reports.record import Live, Record, parse, read_record
from sim.kernel.schedule import Schedule
from sim.kernel.schedule import parse as parse_schedule

MAX_TEXT_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A run folder as it was read."""

    path: Path
    record: Record
    history: History
    live: Live | None


def must_be_file(path: Path, what: str) -> None:
    """Raise `UsageProblem` unless `path` names a file."""
    if not path.is_file():
        got = "a directory" if path.is_dir() else "no such file" if not path.exists() else "no regular file"
        raise UsageProblem(f"{what} {path}: expected a file, got {got}")


def read_schedule(path: Path) -> Schedule:
    """Read a schedule file. Raises: `UsageProblem`, `BadInput`, `ScheduleError`."""
    must_be_file(path, "schedule")
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise BadInput(f"schedule {path}: expected at most {MAX_TEXT_BYTES:,} bytes, got {path.stat().st_size:,}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"schedule {path}: expected text in UTF-8, got byte 0x{error.object[error.start]:02x}") from None
    except OSError as error:
        raise BadInput(f"schedule {path}: expected a readable file, got {error.strerror}") from None
    return parse_schedule(text, f"schedule {path}")


def read_history(path: Path) -> History:
    """Read a history file, Parquet or JSON lines. Raises: `UsageProblem`, `HistoryError`."""
    must_be_file(path, "history")
    known_properties()  # a stored history may be of any protocol, and is judged and read out in its terms
    return read_json_lines(path) if is_json_lines(path) else read_parquet(path)


def read_run(path: Path) -> Stored:
    """Read a run folder. Raises: `UsageProblem`, `RecordError`, `HistoryError`."""
    if not path.is_dir():
        raise UsageProblem(f"run {path}: expected a run folder, got {'a file' if path.exists() else 'no such folder'}")
    if not (path / RECORD).is_file():
        raise UsageProblem(f"run {path}: expected a run folder (with {RECORD}), got a directory without one")
    record, history = read_record(path / RECORD), read_history(path / HISTORY)
    live = parse(path / LIVE, Live) if (path / LIVE).is_file() else None
    return Stored(path, record, history, live)
