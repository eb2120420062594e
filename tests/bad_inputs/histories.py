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


def cases(random: Random) -> Iterator[Case]:
    """A hundred of them."""
    whole = recorded()
    for number in range(20):
        content = damaged(random, parquet(whole))
        yield Case(f"damaged file {number}", _command(random, "h.parquet"), {"h.parquet": content}, ANSWERED)
    for name, table in _shapes(whole):
        yield Case(name, ("check", "h.parquet"), {"h.parquet": parquet(table)})
    lines = whole.to_pylist()
    for number in range(44):
        name, told = _lie(random, lines)
        content = parquet(pa.Table.from_pylist(told, schema=SCHEMA))
        yield Case(f"{name} {number}", _command(random, "h.parquet"), {"h.parquet": content}, ANSWERED)
    for name, text in _texts(random, "".join(f"{json.dumps(line)}\n" for line in lines)):
        yield Case(name, _command(random, "h.jsonl"), {"h.jsonl": text}, ANSWERED)


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
    for number in range(10):
        yield f"damaged lines {number}", damaged(random, text.encode())
