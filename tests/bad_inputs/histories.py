"""Histories: damaged files, tables of another shape, and well-formed ones that tell what cannot have been."""

import io
import json
import math
from collections.abc import Iterator
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from checkers.histories.recorder import Recorder
from checkers.histories.storage import SCHEMA, encode
from tests.bad_inputs.case import ANSWERED, CONTROL, LONG, Case, damaged

BIG = 2**62


def recorded() -> pa.Table:
    """A small history in which all is well."""
    record = Recorder()
    record.setup([("n", "0")])
    one, two = record.invoke("a", "add"), record.invoke("b", "add")
    record.ok(one, start=0, commit=1, reads=[("n", "0", 0)], writes=[("n", "1")])
    record.ok(two, start=1, commit=2, reads=[("n", "1", 1)], writes=[("n", "2")])
    for ordinal in range(3):
        record.version(ordinal, ordinal)
    record.read("final", 2, [("n", "2", 2)])
    return encode(record.events())


def parquet(table: pa.Table) -> bytes:
    """The file of a table."""
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def arrow(table: pa.Table) -> bytes:
    """The same as an Arrow file."""
    file = io.BytesIO()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def cases(random: Random) -> Iterator[Case]:
    """Four hundred of them, of which three hundred are refused; the others say by chance what can have been."""
    whole = recorded()
    for number in range(120):
        content = damaged(random, parquet(whole))
        yield Case(f"damaged file {number}", _command(random, "h.parquet"), {"h.parquet": content}, ANSWERED)
    for number in range(60):
        yield Case(
            f"damaged Arrow {number}", _command(random, "h.arrow"), {"h.arrow": damaged(random, arrow(whole))}, ANSWERED
        )
    for name, table in _shapes(whole):
        yield Case(name, ("check", "h.parquet"), {"h.parquet": parquet(table)})
    lines = whole.to_pylist()
    for number in range(100):
        name, told = _lie(random, lines)
        content = parquet(pa.Table.from_pylist(told, schema=SCHEMA))
        yield Case(f"{name} {number}", _command(random, "h.parquet"), {"h.parquet": content}, ANSWERED)
    for name, text in _texts(random, "".join(f"{json.dumps(line)}\n" for line in lines)):
        yield Case(name, _command(random, "h.jsonl"), {"h.jsonl": text}, ANSWERED)
    for name, text in _edn(random):
        yield Case(name, _command(random, "h.edn"), {"h.edn": text}, ANSWERED)
    for name, spoilt in (("a number", b"[7]"), ("half a map", b"{:type :ok"), ("a bracket", b"(")):
        yield Case(f"a folder with {name} and half a file", ("check", "."), {"a.edn": spoilt, "b.parquet": b"PAR1"})


def _command(random: Random, path: str) -> tuple[str, ...]:
    return random.choice(
        (
            ("check", path),
            ("check", path, "--property", "all"),
            ("explain", path),
            ("explain", path, "--graph", "g.json"),
        )
    )


def _shapes(whole: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    for name in ("index", "process", "reads", "writes", "error"):
        yield f"no column {name}", whole.drop_columns([name])
    for name, kind in (("index", pa.string()), ("process", pa.int64()), ("op", pa.bool_())):
        column = pa.array([None] * len(whole), kind)
        yield f"{name} is {kind}", whole.set_column(SCHEMA.get_field_index(name), name, column)
    yield "a table of something else", pa.table({"a": [1]})
    yield "no columns", pa.table({})
    yield "reads are texts", whole.set_column(11, "reads", pa.array([["n"]] * len(whole)))
    yield "another format", whole.replace_schema_metadata({b"lakeproof.history": b"99"})


def _lie(random: Random, lines: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """The events with something that cannot have been."""
    told = [dict(line) for line in lines]
    victim = random.choice(told)
    field = random.choice(("index", "time_ms", "op", "start", "commit", "process", "type", "f", "key", "order"))
    if field == "order":
        random.shuffle(told)
    elif field == "key":
        key = random.choice((CONTROL, LONG, "", "n" * 600))
        victim["reads"], victim["writes"] = [{"key": key, "value": key, "version": 0}], [{"key": key, "value": key}]
    elif field in ("process", "type", "f"):
        victim[field] = random.choice(("", CONTROL, LONG, "final", "setup", "lineage", "ok", "invoke", "version"))
    else:
        victim[field] = random.choice((-1, -BIG, BIG, 0, 1, 7, 2**63 - 1))
    if random.random() < 0.3:
        told.append(dict(random.choice(told)))
    return f"{field} that cannot be", told


def _edn(random: Random) -> Iterator[tuple[str, bytes]]:
    """Jepsen's histories, spoilt."""
    row = "{:type %s, :process 0, :f :txn, :value [[:append x 1] [:r x [1]]], :index %d}\n"
    text = row % (":invoke", 0) + row % (":ok", 1)
    yield "EDN nested deeply", b"[" * 100_000
    yield "EDN tagged deeply", b"#a " * 100_000 + text.encode()
    yield "EDN dropped deeply", b"#_ " * 100_000
    yield "EDN that would be evaluated", b'#=(println "x") #inst "no time" #uuid 7'
    yield "EDN with NaN", text.replace("1]", "##NaN]").encode()
    yield "EDN with an endless number", text.replace("1]", "1" * 100_000 + "]").encode()
    yield "EDN with a long text", text.replace(" x ", f' "{LONG}" ').encode()
    yield "EDN with control characters", text.replace(" x ", f' "{CONTROL[:4]}" ').encode()
    yield "EDN with half a character", text.replace(" x ", ' "\\ud800" ').encode()
    yield "EDN with a bar", text.replace("1]", '"a|b"]').encode()
    yield "EDN of another workload", b"{:type :ok, :f :read, :value {0 10, 1 5}}"
    yield "EDN without a type", b"{:process 0}"
    yield "EDN with a time that is none", text.replace(":index 0", ":time 1e99").encode()
    yield "EDN with a far time", text.replace(":index 0", f":time {10**30}").encode()
    yield "EDN with two invocations", text.replace(":ok", ":invoke").encode()
    yield "EDN with maps as keys", b"{{{1 2} 3} 4}"
    for number in range(40):
        yield f"damaged EDN {number}", damaged(random, text.encode())


def _texts(random: Random, text: str) -> Iterator[tuple[str, bytes]]:
    """The same as JSON lines, spoilt."""
    first = json.loads(text.splitlines()[0])
    yield "lines in UTF-16", text.encode("utf-16")
    yield "lines after a byte order mark", text.encode("utf-8-sig")
    yield "lines with a NUL", text.replace("n", "\0", 1).encode()
    yield "an array of lines", f"[{','.join(text.splitlines())}]".encode()
    yield "a line nested deeply", ("[" * 100_000).encode()
    yield "a line of a number", b"7\n"
    yield "a line that is no JSON", (text + "{oops\n").encode()
    yield "a long line", (text + json.dumps(first | {"arg": LONG}) + "\n").encode()
    yield "a line with NaN", json.dumps(first | {"time_ms": math.nan}).encode()
    yield "a line with an endless number", json.dumps(first | {"op": 1}).replace("1", "1" * 5_000).encode()
    yield "a line with another field", json.dumps(first | {"surprise": 1}).encode()
    yield "a line without fields", b"{}\n"
    yield "no line", b""
    for number in range(40):
        yield f"damaged lines {number}", damaged(random, text.encode())
