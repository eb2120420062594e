"""The transactions of a history that Jepsen wrote: maps of :type, :process and :value, each value a list of micro-ops.

    {:type :invoke, :process 0, :f :txn, :value [[:append x 1] [:r y nil]], :index 0, :time 14532933}
    {:type :ok, :process 0, :f :txn, :value [[:append x 1] [:r y [2 3]]], :index 1, :time 31076248}

In JSON it is the same with text for keywords, as elle-cli reads it: `["append", "x", 1]`. The maps are the rows of the
file, or the members of the one list in it.

Source: Jepsen's and Elle's histories of the workloads list-append and rw-register; elle-cli for JSON.

Choices:
* What the nemesis does is skipped. A transaction without a process is the only one of a process of its own.
* A completion without invocation (Elle's examples are written so) was invoked some time after its process was last
  answered: it is put there, where it claims least about real time.
* Only acknowledged transactions have read what they say; the others' reads are the questions.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, INFO, INVOKE, OK
from checkers.jepsen.edn import Name, forms
from checkers.text import quoted

APPEND, WRITE, READ = "append", "w", "r"
_KINDS = {"append": APPEND, "w": WRITE, "write": WRITE, "r": READ, "read": READ}
_TYPES = (INVOKE, OK, FAIL, INFO)
_PLAIN_TEXT = re.compile(r"[A-Za-z_][\w-]*")
MAX_BYTES = 1 << 30


class Mop(NamedTuple):
    """A micro-operation: append, w or r. `value` is a text, of a read of a list a tuple of them, None = nil."""

    kind: str
    key: str
    value: Any


@dataclass(slots=True)
class Txn:
    """A transaction. `invoked` and `completed` are places in the order of all events (`completed` None: never)."""

    number: int
    process: str
    type: str
    mops: tuple[Mop, ...]
    invoked: tuple[int, int]
    completed: tuple[int, int] | None = None
    invoked_ms: int = 0
    completed_ms: int = 0
    error: str | None = None


def read_rows(path: str | os.PathLike[str]) -> list[Txn]:
    """The transactions of a file, in order of invocation. Raises: HistoryError, naming the file and the line."""
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            raise HistoryError("size", f"at most {MAX_BYTES:,} bytes", f"{size:,}")
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HistoryError(str(path), "text in UTF-8", f"byte 0x{error.object[error.start]:02x}") from None
    except OSError as error:
        raise HistoryError(str(path), "a readable file", error.strerror or "none") from None
    except HistoryError as error:
        raise error.within(str(path)) from None
    try:
        return transactions(_json_maps(text) if is_json(text) else _edn_maps(text))
    except HistoryError as error:
        raise error.within(str(path)) from None


def is_json(text: str) -> bool:
    """Tell JSON from EDN by how it begins: a JSON object has text for keys."""
    begin = text[:1_000].lstrip().lstrip("[").lstrip()
    return re.match(r'\{\s*["}]', begin) is not None


def _edn_maps(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, form in forms(text):
        for one in form if isinstance(form, tuple) else (form,):
            if not isinstance(one, dict):
                raise HistoryError(f"line {line}", "a map such as {:type :ok, :value [...]}", _said(one))
            yield line, {str(name).lstrip(":"): value for name, value in one.items()}


def _json_maps(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    lines: Iterable[tuple[int, str]] = enumerate(text.split("\n"), 1)
    if text.lstrip().startswith("["):
        lines = [(1, text)]
    for number, line in lines:
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            at = getattr(error, "lineno", 1) + number - 1
            raise HistoryError(f"line {at}", "JSON", quoted(line.strip(), 40)) from None
        for one in found if isinstance(found, list) else (found,):
            if not isinstance(one, dict):
                raise HistoryError(f"line {number}", "an object with type, process and value", _said(one))
            yield number, one


def transactions(maps: Iterable[tuple[int, dict[str, Any]]]) -> list[Txn]:
    """Pair invocations with completions. Args: `maps` with the lines that they stand on. Raises: HistoryError."""
    found: list[Txn] = []
    waiting: dict[str, Txn] = {}
    answered: dict[str, int] = {}
    for place, (line, row) in enumerate(maps):
        kind = str(row.get("type", "")).lstrip(":")
        if kind not in _TYPES:
            raise HistoryError(f"line {line}: type", f"one of {', '.join(_TYPES)}", _said(row.get("type")))
        process = row.get("process")
        if str(process).lstrip(":") == "nemesis":
            continue
        who = f"nobody-{place if kind == INVOKE else place - 1}" if process is None else str(process).lstrip(":")
        txn = waiting.pop(who, None)
        if kind == INVOKE:
            if txn is not None:
                raise HistoryError(
                    f"line {line}", f"a completion of process {who}'s transaction", "a second invocation"
                )
            txn = Txn(len(found), who, INFO, (), (place, 1), invoked_ms=_time(row, line))
            waiting[who] = txn
            found.append(txn)
            txn.mops = _mops(row, line)
            continue
        if txn is None:
            txn = Txn(len(found), who, kind, (), (answered.get(who, -1), 2 + place), invoked_ms=_time(row, line))
            found.append(txn)
        _complete(txn, kind, row, line, place)
        answered[who] = place
    return sorted(found, key=lambda txn: txn.invoked)


def _complete(txn: Txn, kind: str, row: dict[str, Any], line: int, place: int) -> None:
    txn.type, txn.completed, txn.completed_ms = kind, (place, 1), _time(row, line)
    error = row.get("error")
    txn.error = None if error is None else text_of(error)
    if kind == OK or not txn.mops:
        txn.mops = _mops(row, line)


def _time(row: dict[str, Any], line: int) -> int:
    time = row.get("time")
    if time is None or (isinstance(time, int) and abs(time) < 1 << 62):
        return (time or 0) // 1_000_000
    raise HistoryError(f"line {line}: time", "nanoseconds, or none", _said(time))


def _mops(row: dict[str, Any], line: int) -> tuple[Mop, ...]:
    value = row.get("value")
    if value is None:
        return ()
    if not isinstance(value, tuple | list) or not all(isinstance(m, tuple | list) and len(m) == 3 for m in value):
        wanted = "a list of [:append k v], [:w k v] and [:r k v]: Lakeproof reads list-append and rw-register"
        raise HistoryError(f"line {line}: value", wanted, _said(value))
    return tuple([_mop(one, line) for one in value])


def _mop(found: Any, line: int) -> Mop:
    kind = _KINDS.get(str(found[0]).lstrip(":"))
    key, value = text_of(found[1]), found[2]
    if kind is None:
        raise HistoryError(f"line {line}: value", "append, w or r", _said(found[0]))
    if isinstance(value, tuple | list) and kind == READ:
        return Mop(kind, key, tuple([text_of(one) for one in value]))
    if value is None and kind != READ:
        raise HistoryError(f"line {line}: value", f"a value to {kind}", "nil")
    return Mop(kind, key, None if value is None else text_of(value))


def text_of(value: Any) -> str:
    """A value as text; two that differ have two texts."""
    if isinstance(value, Name):
        text = f"'{value}" if value[:1].isalpha() else str(value)
    elif isinstance(value, str):
        text = value if _PLAIN_TEXT.fullmatch(value) and value not in ("nil", "true", "false") else json.dumps(value)
    elif isinstance(value, tuple | list):
        text = f"[{' '.join([text_of(one) for one in value])}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(sorted([f'{text_of(one)} {text_of(value[one])}' for one in value]))}}}"
    elif isinstance(value, frozenset):
        text = f"#{{{' '.join(sorted([text_of(one) for one in value]))}}}"
    else:
        text = "nil" if value is None else str(value).lower()
    return text.replace("|", "\\x7c").encode("utf-8", "backslashreplace").decode()


def _said(value: Any) -> str:
    if isinstance(value, dict | list | tuple | frozenset):
        return {dict: "a map", frozenset: "a set"}.get(type(value), "a list")
    return "none" if value is None else quoted(value, 40) if isinstance(value, str) else str(value)[:40]
