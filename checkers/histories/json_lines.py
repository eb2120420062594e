"""Histories as JSON lines: one object a row, its fields named as the columns of a Parquet file.

| field | in | value |
| --- | --- | --- |
| `type` | every row | "invoke", "ok", "fail", "info", "version" |
| `process` | every row | who: text |
| `op` | every row | the operation's number, from 0; in a `version` row its maker, or -1 |
| `f` | every row | what kind of operation: text |
| `arg`, `error`, `snapshot`, `parent` | any | text |
| `order` | completions | how reads and writes follow each other: text of r and w |
| `start`, `commit` | any | a version, from 0 |
| `reads` | completions | a list of {"key": text, "value": text or null, "version": whole number or null} |
| `writes` | completions | a list of {"key": text, "value": text or null} |
| `index`, `time_ms` | any | whole numbers; without them the row's number, and 0 |

Choices:
* A field that is left out is null (a list: empty), as the writer leaves out what says nothing; others are ignored.
* Numbers are whole and are not text: a version "3" is the mistake of an exporter, and 3.0 is a guess.
* Empty lines are skipped. Messages count lines from 1, and those of the history itself count rows from 0 as `index`.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checkers.errors import HistoryError
from checkers.histories.history import Event, History, Read, Write
from checkers.histories.storage import encode, from_table
from checkers.text import quoted

SUFFIXES = (".jsonl", ".ndjson")
_TEXTS, _MORE_TEXTS = ("process", "type", "f"), ("arg", "snapshot", "parent", "error", "order")
_MAX = 1 << 63


def is_json_lines(path: str | os.PathLike[str]) -> bool:
    """Tell by its name, or by its first character that is no blank."""
    if Path(path).suffix.lower() in SUFFIXES:
        return True
    with open(path, "rb") as file:
        return file.read(1_000).lstrip().startswith(b"{")


def read_json_lines(path: str | os.PathLike[str]) -> History:
    """Read a history.

    Returns: the history, as `read_parquet` returns it.

    Raises: HistoryError, one line, with the number of the line, or of the row where the history itself is unsound.
    """
    events: list[Event] = []
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    events.append(_event(_object(line, number), number, len(events)))
    except HistoryError as error:
        raise error.within(str(path)) from None
    except OSError as error:
        raise HistoryError(str(path), "a readable file", error.strerror or "none") from None
    return from_table(encode(events), str(path))


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise HistoryError(f"line {number}", "text in UTF-8", f"byte 0x{line[error.start]:02x}") from None
    except (ValueError, RecursionError):
        got = quoted(line.decode("utf-8").strip(), 40)
        raise HistoryError(f"line {number}", "one JSON object", got) from None
    if not isinstance(found, dict):
        raise HistoryError(f"line {number}", "one JSON object", _said(found))
    return found


def _event(row: dict[str, Any], number: int, index: int) -> Event:
    where = f"line {number}"
    process, kind, f = (_text(row.get(name), f"{where}: {name}", "text") for name in _TEXTS)
    arg, snapshot, parent, error, order = (_maybe_text(row.get(name), f"{where}: {name}") for name in _MORE_TEXTS)
    op = _whole(row.get("op"), f"{where}: op")
    start, commit, given, time_ms = (
        _maybe_whole(row.get(name), f"{where}: {name}") for name in ("start", "commit", "index", "time_ms")
    )
    return Event(
        index if given is None else given, time_ms or 0, process, kind, op, f, arg, start, commit, snapshot, parent,
        tuple([Read(*entry) for entry in _entries(row.get("reads"), f"{where}: reads")]),
        tuple([Write(*entry[:2]) for entry in _entries(row.get("writes"), f"{where}: writes")]), error, order,
    )  # fmt: skip


def _entries(found: Any, where: str) -> Iterator[tuple[str, str | None, int | None]]:
    if found is None:
        return
    if not isinstance(found, list):
        raise HistoryError(where, "a list", _said(found))
    for entry in found:
        if not isinstance(entry, dict):
            raise HistoryError(where, 'entries like {"key": "x", "value": "1"}', _said(entry))
        key, value = entry.get("key"), entry.get("value")
        version = _maybe_whole(entry.get("version"), f"{where}: version")
        yield _text(key, f"{where}: key", "text"), _maybe_text(value, f"{where}: value"), version


def _text(found: Any, where: str, wanted: str) -> str:
    if isinstance(found, str):
        if found.isascii() or _is_utf8(found):
            return found
        wanted = "text in UTF-8"
    raise HistoryError(where, wanted, _said(found))


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _maybe_text(found: Any, where: str) -> str | None:
    return None if found is None else _text(found, where, "text or null")


def _whole(found: Any, where: str, wanted: str = "a whole number") -> int:
    if isinstance(found, int) and not isinstance(found, bool) and -_MAX <= found < _MAX:
        return found
    raise HistoryError(where, wanted, _said(found))


def _maybe_whole(found: Any, where: str) -> int | None:
    return None if found is None else _whole(found, where, "a whole number or null")


def _said(found: Any) -> str:
    """A JSON value as it may stand in a message: its kind where it has parts."""
    if isinstance(found, (dict, list)):
        return "an object" if isinstance(found, dict) else "a list"
    return "none" if found is None else quoted(found, 40) if isinstance(found, str) else str(found)[:40]
