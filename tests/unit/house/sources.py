"""Ids of outside sources: where a text uses one, and which ones docs/sources.md explains."""

import re

IDS = re.compile(
    r"\b(?:iceberg|hudi|hive)/\d+(?:\.\d+)?(?![\w.]*\w)"  # a topic; a word after the slash is a scenario
    r"|\b[A-Z]{1,2}-?\d{1,3}[a-z]?(?:-(?:item|\d))?\b"
    r"|\bG-(?:single|nonadjacent|cursor|SI)\b"
    r"|(?<![\w&])#\d{3,5}\b"
    r"|\b(?:HIVE|HUDI|IMPALA)-\d+\b"
    r"|\bRFC-\d+\b"
)
VECTORS = re.compile(r"\b[Vv]ectors? (\d+(?:(?:, | and )\d+)*)")
REMARKS = re.compile(r"# noqa: [A-Z0-9, ]+")

NOT_SOURCES = {
    "T1", "T2", "T3", "T4",  # operations of one verdict
    "A2", "B2", "C2",  # data files of the Iceberg vectors
    "A4",  # a planted race with four writers
    "I64",  # a type of Thrift
    "C1",  # the first compiler of the JVM
    "Z0-9",  # part of a regular expression
}  # fmt: skip


def ids(text):
    """Every id in a text. Example: `ids("see F-4 and vectors 16 and 17")` is F-4, vector 16, vector 17."""
    text = REMARKS.sub("", text)
    numbers = [number for found in VECTORS.findall(text) for number in re.findall(r"\d+", found)]
    return ({*IDS.findall(text)} - NOT_SOURCES) | {f"vector {number}" for number in numbers}


def rows(page):
    """The ids that have a row in docs/sources.md, in order."""
    return re.findall(r"^\| `([^`|]+)` \|", page, re.MULTILINE)


def unexplained(text, page):
    """The ids of a text without a row."""
    return sorted(ids(text) - {*rows(page)})


def unused(texts, page):
    """The rows that no text uses: an id by itself, a name of a document or author anywhere in the text."""
    used = set[str]().union(*(ids(text) for text in texts))
    return [row for row in rows(page) if (row not in used if ids(row) else not any(row in text for text in texts))]
