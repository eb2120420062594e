"""Vectors about columns: those of the table at the start of a write and by now, and the writer's own."""

from model.hudi.config import HudiConfig
from model.hudi.errors import SchemaConflict
from model.hudi.file_groups import UPSERT, CommitMetadata
from model.hudi.keys import OCC
from model.hudi.names import COMMIT, COMPLETED
from model.hudi.schemas import Columns, refuse_unlike
from model.hudi.timeline import Instant, Timeline
from tests.unit.hudi.playing import Vector
from tests.unit.hudi.worlds import Lab

FIRST = "1"
"""The column of every schema here."""


def _columns(text: str) -> Columns:
    return tuple(text.split(",")[1:])


def schema(vector: Vector) -> list[str]:
    """What is not as the vector says; empty if all is."""
    start, now, *off = vector.given.split()
    own, wanted = vector.script.split(" -> ")
    said = {
        Instant(time, COMMIT, COMPLETED, time + 1): CommitMetadata(UPSERT, (), columns=_columns(text))
        for time, text in ((10, start), (20, now)) if text != "-"
    }  # fmt: skip
    began = tuple([instant for instant in said if instant.requested == 10])
    config = HudiConfig(mode=OCC, columns=_columns(own), evolved=True, schema_conflicts=not off)
    counts = Lab().world("w1").coverage
    try:
        found = refuse_unlike(Timeline(began), Timeline(tuple(said)), said.get, config, counts)
    except SchemaConflict:
        got = "SchemaConflict"
    else:
        got = ",".join((FIRST, *found))
    return [] if got == wanted else [f"wanted {wanted}, got {got}"]
