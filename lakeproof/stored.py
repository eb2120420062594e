"""Stored histories of every format, by path: what there is to be judged, and how it is read.

| found | is |
| --- | --- |
| a run folder | one history, judged for what its run was judged for |
| Parquet, Arrow, a folder of parts | one history, or many that a column `history` tells apart |
| JSON lines | one history, ours or Jepsen's |
| JSON, EDN | one history of Jepsen's |
| another folder | what is found in it, and in its folders |
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from checkers.errors import HistoryError
from checkers.histories.history import History
from checkers.jepsen.judge import OWN
from checkers.verdict import UNKNOWN, Verdict, check
from lakeproof.errors import UsageProblem
from lakeproof.folder import HISTORY, RECORD
from lakeproof.inputs import must_be_file, read_run
from lakeproof.protocols import known_properties

TABLES, LINES, TEXTS = (".parquet", ".arrow", ".feather", ".ipc"), (".jsonl", ".ndjson"), (".json", ".edn")
Names = Sequence[str] | None
Judge = Callable[[Names], tuple[Verdict, History]]


@dataclass(frozen=True, slots=True)
class Stored:
    """A history that was read. `judge` checks it for properties, and says of which history the witnesses are.

    `asked` is what it is judged for by default (None: for all that it has something to say about).
    """

    events: int
    judge: Judge
    asked: Names = None


@dataclass(frozen=True, slots=True)
class Found:
    """A history by its name. `read` raises HistoryError, RecordError or UsageProblem."""

    name: str
    read: Callable[[], Stored]


def is_many(path: Path) -> bool:
    """Whether a path leads to histories, of which any number may be there: a folder that is no run's."""
    return path.is_dir() and not (path / RECORD).is_file() and not (path / HISTORY).is_file()


def find(path: Path) -> Iterator[Found]:
    """The histories at `path`, folders in the order of names.

    Raises: UsageProblem if there is nothing; HistoryError if a file of many histories cannot be read.
    """
    known_properties()  # a stored history may be of any protocol, and is judged and read out in its terms
    if not path.is_dir():
        must_be_file(path, "history")
        yield from _in_file(path)
    elif not is_many(path):
        yield Found(str(path), partial(_run, path))
    else:
        from checkers.histories.datasets import is_data_set

        yield from _in_table(path) if is_data_set(path) else _in_folder(path)


def _in_folder(folder: Path) -> Iterator[Found]:
    from checkers.histories.datasets import is_data_set

    any_found = False
    for root, folders, files in os.walk(folder):
        here = Path(root)
        folders.sort()
        if here != folder and (not is_many(here) or is_data_set(here)):
            folders.clear()
            any_found = True
            yield from find(here)
            continue
        for name in sorted(files):
            if name.endswith((*TABLES, *LINES, *TEXTS)):
                any_found = True
                yield from _in_file(here / name)
    if not any_found:
        wanted = ", ".join((*TABLES, *LINES, *TEXTS))
        raise UsageProblem(f"history {folder}: expected a folder with histories ({wanted}), got one with none")


def _in_file(path: Path) -> Iterator[Found]:
    kind = _format(path)
    if kind == "table":
        yield from _in_table(path)
    elif kind == "lines":
        yield Found(str(path), partial(_lines, path))
    else:
        yield Found(str(path), partial(_jepsen, path))


def _in_table(path: Path) -> Iterator[Found]:
    """Raises later what is wrong with one file: the others of a folder are judged all the same."""
    from checkers.histories.datasets import histories

    try:
        for name, read in histories(path):
            yield Found(name, partial(_read, read))
    except HistoryError as error:
        yield Found(str(path), partial(_raise, error))


def _read(read: Callable[[], History]) -> Stored:
    return _ours(read())


def _raise(error: HistoryError) -> Stored:
    raise error


def _format(path: Path) -> str:
    """By the first bytes, whatever the file is called: "table", "lines" (ours) or "jepsen"."""
    with path.open("rb") as file:
        begin = file.read(1 << 20)
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    if path.suffix.lower() in LINES or text.startswith(b"{"):
        return "jepsen" if _is_jepsens(text) else "lines"
    if path.suffix.lower() == ".edn" or text[:1] in (b"[", b"(", b";") or text.startswith((b"#jepsen", b"#_")):
        return "jepsen"
    return "table"


def _is_jepsens(text: bytes) -> bool:
    """Whether the first row of JSON lines, or the first map of EDN, is one of Jepsen's."""
    if text.removeprefix(b"{").lstrip().startswith(b":"):
        return True
    try:
        first = json.loads(text.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "op" not in first and "value" in first


def _lines(path: Path) -> Stored:
    from checkers.histories.json_lines import read_json_lines

    return _ours(read_json_lines(path))


def _ours(history: History, asked: Names = None) -> Stored:
    return Stored(len(history), lambda names: (_checked(history, names), history), asked)


def _checked(history: History, names: Names) -> Verdict:
    """The verdict; what only Jepsen's histories can break is unknown of others."""
    foreign = [name for name in names or () if name in OWN]
    if not foreign:
        return check(history, names)
    verdict = check(history, [name for name in names or () if name not in OWN])
    reasons = dict.fromkeys([*verdict.reasons, f"{', '.join(foreign)}: asked of a history that is none of Jepsen's"])
    results = {**dict.fromkeys(foreign, UNKNOWN), **verdict.results}
    return replace(verdict, reasons=tuple(reasons), results=results)


def _jepsen(path: Path) -> Stored:
    from checkers.jepsen.judge import check_trace, read_jepsen

    trace = read_jepsen(path)
    events = sum(1 if txn.completed is None else 2 for txn in trace.txns)
    return Stored(events, lambda names: check_trace(trace, names))


def _run(path: Path) -> Stored:
    if not (path / RECORD).is_file():
        from checkers.histories.storage import read_parquet

        return _ours(read_parquet(path / HISTORY))
    stored = read_run(path)
    return _ours(stored.history, tuple(stored.record.judged.results))
