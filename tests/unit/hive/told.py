"""Histories of metastore sessions written by hand, an operation per line."""

from typing import Any

from checkers.histories.history import History, Read, Write
from checkers.histories.recorder import Recorder
from checkers.verdict import check, failure_key
from lakeproof.protocols import known_properties

known_properties()

FREE = "9223372036854775807"
EMPTY, ONE, OPEN_1 = f"t:0:{FREE}::", f"t:1:{FREE}::", "t:1:1:1:"


class Told:
    """A history, one operation per line; `t1` is the content of table 1."""

    def __init__(self, **initial: str) -> None:
        self.record = Recorder()
        self.record.setup(tuple([Write(_key(name), value) for name, value in (initial or {"t1": "v0"}).items()]))
        self.versions = 0

    def note(self, process: str, f: str, words: str = "", **known: Any) -> "Told":
        """An operation from begin to end."""
        op = self.record.invoke(process, f, words)
        self.record.ok(op, **known)
        return self

    def begin(self, process: str, txn: int) -> "Told":
        return self.note(process, "begin", f"at=h1 txn={txn}")

    def end(self, process: str, txn: int, how: str = "commit") -> "Told":
        return self.note(process, how, f"at=h1 txn={txn}")

    def change(
        self, process: str, txn: int, wid: int, f: str = "alter", table: int = 1, name: str = "t", **writes: str | None
    ) -> "Told":
        self.versions += 1
        words = f"at=h1 table=t txn={txn} id={table} wid={wid} name={name}"
        pairs = tuple([Write(_key(key), value) for key, value in writes.items()])
        return self.note(process, f, words, commit=self.versions, writes=pairs)

    def read(self, process: str, txn: int, writes: str = "", source: str = "cache", table: int = 1, at: str = "h2",
             tag: str = "", seen: int = 1, **reads):  # fmt: skip
        words = f"at={at} table=t id={table} txn={txn} source={source} seen={seen}"
        words += (f" writes={writes}" if writes else "") + (f" tag={tag}" if tag else "")
        return self.note(process, "get-table", words, reads=tuple([Read(_key(k), v) for k, v in reads.items()]))

    def cached(self, words: str, **reads):
        """What a replica would serve at the end."""
        pairs = tuple([Read(_key(key), value) for key, value in reads.items()])
        return self.note("r-final-h2", "cached", f"at=h2 table=t {words}", reads=pairs)

    def final(self, **reads) -> History:
        """The database at the end."""
        return self.note("r-final", "read", reads=tuple([Read(_key(k), v) for k, v in reads.items()])).history()

    def history(self) -> History:
        return self.record.history()


def _key(name: str) -> str:
    return f"table:{name[1:]}" if name.startswith("t") else f"partition:1/{name}"


def anomalies(history: History, name: str) -> list[str]:
    """The keys of what is broken."""
    return [failure_key(violation).split("/")[1] for violation in check(history, [name]).violations]


def changed(wid: int = 1) -> Told:
    """w1 has changed t1 to v1 in transaction 1, and committed."""
    return Told().begin("w1", 1).change("w1", 1, wid, t1="v1").end("w1", 1)
