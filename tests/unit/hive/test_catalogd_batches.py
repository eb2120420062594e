"""Which events Impala's daemon processes as one: its own test as data, and what a run of the daemon makes of it."""

import json
import re
from pathlib import Path

import pytest

from model.hive.catalogd_batches import merged
from model.hive.rows import Event, Table

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_batches.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
KINDS = {"": "ALTER_PARTITION", "i": "INSERT", "s": "INSERT", "d": "ALTER_DATABASE", "r": "ALTER_TABLE"}


def events_of(text):
    """`i10-12 d.t`: three inserts into partitions of a table."""
    found = re.fullmatch(r"([isdr]?)(\d+)(?:-(\d+))? (\S+) ?(\S*)", text)
    assert found is not None, text
    letter, first, last, name, to = found.groups()
    part = ("d=1", "p1") if letter in ("", "i") else None
    table = Table(1, to or name, False) if letter == "r" else None
    return [
        Event(number, number, KINDS[letter], name=name, table=table, partition=part)
        for number in range(int(first), int(last or first) + 1)
    ]


def told(batch):
    """A batch as the file writes it: how many it has is said where that is not told by the first and the last."""
    first, last = batch[0], batch[-1]
    plain = "s" if first.partition is None else "i"
    letter = {"INSERT": plain, "ALTER_DATABASE": "d", "ALTER_TABLE": "r"}.get(first.kind, "")
    text = f"{letter}{first.id}{f'-{last.id}' if len(batch) > 1 else ''} {first.name}"
    return text if len(batch) == last.id - first.id + 1 else f"{text} of {len(batch)}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """What is merged, and in which order it is processed."""
    events = [event for text in scenario["events"] for event in events_of(text)]
    synced = {events[0].name: scenario.get("synced", 0)}
    assert [told(batch) for batch in merged(events, synced)] == scenario["batches"]
