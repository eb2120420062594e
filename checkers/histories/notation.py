"""A history in one line, for tests and for people.

    w1:del(row1)@0->2  w2:upd(row1=A)@0->1 ; final:read(row1=A)@2

One word an operation: `process:function(items)@start->commit`, then `!` or `!error` for a refusal, `?` for an unknown
outcome, nothing for an acknowledged operation.

* Items: `k=v` writes v, `k=-` deletes, `k:v` saw v, `k:-` saw nothing, `k:v@3` saw v as of version 3. In a `read`,
  `k=v` means `k:v`. `row1` is short for the key `row:1`, other keys stand as they are.
* `upd(k=v)` and `del(k)` also read k, as it was at their start; `ins`, `app` and other functions read only what is
  said. Short functions: del upd ins app ovr; `final` is the process of the final read, `setup` the initial content:
  `setup(row1=a,row2=b)`. Without it, every key that is not inserted is "0" in version 0.
* The items of a `txn` are in the order in which it read and wrote.
* `->2` made version 2. `->lost` was acknowledged, but the table knows no such version. A refused or unknown operation
  with `->2` is in the lineage all the same. Versions that no word claims were made by nobody known.
* `!` alone is `!conflict`. `final:read()!unreadable` is the table that cannot be read.
* `;` is a moment between operations: all before it have completed, none after it has begun. Operations not separated
  by it overlap, save that a process runs its own one after the other. A final read comes after everything.

Choices: completions between two `;` come in the order of their commits, so that lineage and clock agree.
"""

import re
from typing import NamedTuple

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, FINAL, INFO, OK, SETUP, History, Op, Read, Write
from checkers.histories.recorder import Recorder

SHORT = {"del": "delete", "upd": "update", "ins": "insert", "app": "append", "ovr": "overwrite", "r": "read"}
INITIAL, TRANSACTION = "0", "txn"
_LONG = {long: short for short, long in SHORT.items() if short != "r"}
_WORD = re.compile(
    r"(?P<process>[\w-]+):(?P<f>\w+)\((?P<items>[^()]*)\)(?:@(?P<start>\d+))?(?:->(?P<commit>\d+|lost))?"
    r"(?P<end>\?|![\w:-]*)?"
)
_SETUP = re.compile(r"setup\((?P<items>[^()]*)\)")
_ITEM = re.compile(r"(?P<key>[\w-]+)(?:(?P<sign>[=:])(?P<value>[\w|-]+)(?:@(?P<version>-?\d+))?)?")
_ROW = re.compile(r"row(\d+)")


class _Word(NamedTuple):
    process: str
    f: str
    items: str
    start: int | None
    commit: int | None
    lost: bool
    type: str
    error: str | None
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    touched: tuple[str, ...]
    order: str


def history(line: str) -> History:
    """The history that `line` says. Raises: HistoryError naming the word."""
    given = _SETUP.search(line)
    initial = _items(given["items"], "setup")[1] if given else None
    moments = [[_word(text) for text in part.split()] for part in _SETUP.sub("", line).split(";")]
    words = [word for moment in moments for word in moment]
    moments = [[word for word in moment if word.process != FINAL] for moment in moments]
    moments += [[word] for word in words if word.process == FINAL]
    if initial is None:
        initial = _default(words)
    contents = _contents(initial, words)
    recorder = Recorder()
    made = {0: (recorder.setup(initial, "s0"), "s0")} if initial else {}
    orders: dict[int, str] = {}
    for moment in moments:
        _play(recorder, moment, contents, made, orders)
    for version in range(max(made, default=-1) + 1):
        op, snapshot = made.get(version, (-1, f"s{version}"))
        recorder.version(version, snapshot, f"s{version - 1}" if version else None, op=op)
    return History([
        event._replace(order=orders[event.op]) if event.op in orders and event.reads + event.writes else event
        for event in recorder.events()
    ])  # fmt: skip


def _word(text: str) -> _Word:
    match = _WORD.fullmatch(text)
    if match is None:
        raise HistoryError(f"word {text!r}", "a word like w1:upd(row1=A)@0->1", "something else")
    f = SHORT.get(match["f"], match["f"])
    reads, writes, touched, order = _items(match["items"], f)
    end, commit = match["end"], match["commit"]
    kind = OK if end is None else INFO if end == "?" else FAIL
    error = None if end is None else "no answer" if end == "?" else end[1:] or "conflict"
    return _Word(
        FINAL if match["process"] == "final" else match["process"],
        f,
        match["items"],
        int(match["start"]) if match["start"] else None,
        int(commit) if commit and commit != "lost" else None,
        commit == "lost",
        kind,
        error,
        reads,
        writes,
        touched,
        order,
    )


def _items(text: str, f: str) -> tuple[tuple[Read, ...], tuple[Write, ...], tuple[str, ...], str]:
    reads: list[Read] = []
    writes: list[Write] = []
    touched: list[str] = []
    order = ""
    for part in text.replace(",", " ").split():
        match = _ITEM.fullmatch(part)
        if match is None:
            raise HistoryError(f"item {part!r}", "an item like row1=A, row1=-, row1:A or row1", "something else")
        row = _ROW.fullmatch(match["key"])
        key = f"row:{row[1]}" if row else match["key"]
        value = None if match["value"] in (None, "-") else match["value"]
        if f == "read" or match["sign"] == ":":
            reads.append(Read(key, value, int(match["version"]) if match["version"] else None))
            order += "r"
        else:
            writes.append(Write(key, value))
            order += "w"
            if f in ("update", "delete"):
                touched.append(key)
    return tuple(reads), tuple(writes), tuple(touched), order


def _default(words: list[_Word]) -> tuple[Write, ...]:
    born = [write.key for word in words if word.f in ("insert", "append") for write in word.writes]
    keys: dict[str, None] = {}
    for word in words:
        keys.update(dict.fromkeys([read.key for read in word.reads] + [write.key for write in word.writes]))
    return tuple(Write(key, INITIAL) for key in keys if key not in born)


def _contents(initial: tuple[Write, ...], words: list[_Word]) -> list[dict[str, str | None]]:
    """The logical content of every version."""
    makers = {word.commit: word for word in words if word.commit is not None}
    contents: list[dict[str, str | None]] = [dict(initial)]
    for version in range(1, max(makers, default=0) + 1):
        maker = makers.get(version)
        contents.append({**contents[-1], **dict(maker.writes)} if maker else contents[-1])
    return contents


def _play(
    recorder: Recorder,
    words: list[_Word],
    contents: list[dict[str, str | None]],
    made: dict[int, tuple[int, str]],
    orders: dict[int, str],
) -> None:
    open_: list[tuple[_Word, int]] = []
    for word in words:
        earlier = [pair for pair in open_ if pair[0].process == word.process]
        for pair in earlier:
            _complete(recorder, *pair, contents, made)
            open_.remove(pair)
        op = recorder.invoke(word.process, word.f, word.items.strip() or None)
        open_.append((word, op))
        if word.f == TRANSACTION:
            orders[op] = word.order
    last = len(contents)
    for pair in sorted(open_, key=lambda pair: last if pair[0].commit is None else pair[0].commit):
        _complete(recorder, *pair, contents, made)


def _complete(
    recorder: Recorder,
    word: _Word,
    op: int,
    contents: list[dict[str, str | None]],
    made: dict[int, tuple[int, str]],
) -> None:
    snapshot = f"lost{op}" if word.lost else None if word.commit is None else f"s{word.commit}"
    if word.commit is not None:
        if word.commit in made:
            raise HistoryError(f"version {word.commit}", "one operation that made it", f"another one, {word.f}")
        made[word.commit] = (op, snapshot or "")
    seen = contents[word.start] if word.start is not None and word.start < len(contents) else contents[0]
    said = [read.key for read in word.reads]
    reads = word.reads + tuple(Read(key, seen.get(key)) for key in word.touched if key not in said)
    recorder.complete(
        op,
        word.type,
        start=word.start,
        commit=word.commit,
        snapshot=snapshot,
        reads=reads,
        writes=word.writes,
        error=word.error,
    )


def notation(source: History) -> str:
    """`source` in one line. Overlaps and error texts are shortened; values and versions are kept."""
    in_lineage = {event.op: event.commit for event in source.versions}
    words = []
    for op in source.ops:
        made = in_lineage.get(op.id, None if source.versions else op.commit)
        words.append(_say(op, made))
    return "  ".join(words)


def _say(op: Op, made: int | None) -> str:
    def short(key: str) -> str:
        return key.replace("row:", "row", 1) if key.startswith("row:") else key

    seen = [
        f"{short(key)}:{'-' if value is None else value}{'' if version is None else f'@{version}'}"
        for key, value, version in op.reads
    ]
    wrote = [f"{short(key)}={'-' if value is None else value}" for key, value in op.writes]
    parts = {"r": iter(seen), "w": iter(wrote)}
    items = ",".join([next(parts[letter]) for letter in op.order] if op.order else seen + wrote)
    if op.process == SETUP:
        return f"setup({items})"
    start = "" if op.start is None else f"@{op.start}"
    commit = "->lost" if op.type == OK and op.writes and made is None else "" if made is None else f"->{made}"
    end = {OK: "", INFO: "?", FAIL: f"!{(op.error or '').split(' ')[0].rstrip(':')}"}[op.type]
    process = "final" if op.process == FINAL else op.process
    return f"{process}:{_LONG.get(op.f, op.f)}({items}){start}{commit}{end}"
