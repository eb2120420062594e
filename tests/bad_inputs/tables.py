"""Iceberg tables: metadata files that are cut, flipped, of another shape, or called wrongly."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.bad_inputs.case import CONTROL, LONG, Case, damaged

ANSWERED = (0, 1, 64, 65)
TABLE: dict[str, Any] = {
    "format-version": 2, "table-uuid": "u", "location": "/t", "last-sequence-number": 1, "last-updated-ms": 5,
    "last-column-id": 1, "current-schema-id": 0, "default-spec-id": 0, "default-sort-order-id": 0,
    "schemas": [{"schema-id": 0, "type": "struct", "fields": [{"id": 1, "name": "i", "type": "int"}]}],
    "partition-specs": [{"spec-id": 0, "fields": []}], "sort-orders": [{"order-id": 0, "fields": []}],
    "current-snapshot-id": 7, "refs": {"main": {"snapshot-id": 7, "type": "branch"}},
    "snapshots": [{"snapshot-id": 7, "timestamp-ms": 5, "sequence-number": 1, "manifest-list": "/t/metadata/snap-7"}],
    "snapshot-log": [{"snapshot-id": 7, "timestamp-ms": 5}], "metadata-log": [],
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None,
    -1,
    2**70,
    1e400,
    "",
    "x",
    LONG,
    CONTROL,
    [],
    {},
    [[]],
    [{}],
    {"": {}},
    True,
    "/etc/../\x00",
)
FILE = "t/metadata/v1.metadata.json"


def cases(random: Random) -> Iterator[Case]:
    """Forty tables and names of such."""
    whole = json.dumps(TABLE).encode()
    for name in (
        "",
        ".",
        "/",
        "..",
        "nope",
        "\x1b[31m",
        "\udcff",
        LONG,
        "s3:",
        "x://y",
        "file:",
        "-x",
        "t/metadata/no",
    ):
        yield Case(f"autopsy {name[:20]!r}", ("autopsy", name), {FILE: whole}, (64, 65))
    for number in range(14):
        yield Case(f"autopsy damaged {number}", ("autopsy", "t"), {FILE: damaged(random, whole)}, ANSWERED)
    for field in random.sample(sorted(TABLE), 14):
        odd = {**TABLE, field: random.choice(ODD)}
        yield Case(f"autopsy odd {field}", ("autopsy", FILE), {FILE: json.dumps(odd).encode()}, ANSWERED)
    packed = "t/metadata/v1.gz.metadata.json"
    yield Case("autopsy no gzip", ("autopsy", "t", "--json"), {packed: whole}, (1,))
    yield Case("autopsy a folder inside", ("autopsy", "t"), {f"{FILE}/x": whole}, (65,))
