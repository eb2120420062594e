"""Small histories of a data set, each judged whole by one task: one exchange by name, all properties, as in memory."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from checkers.errors import HistoryError
from checkers.histories.datasets import COLUMN
from checkers.histories.history import History
from checkers.histories.storage import SCHEMA, from_table
from checkers.properties import PROPERTIES
from checkers.verdict import UNKNOWN, Verdict, check
from real_backend.pipeline.check_exchange import Piece, hashed, joined, pieces, places
from real_backend.pipeline.check_operations import Wrong
from real_backend.pipeline.check_splits import Split, numbers, tables, texts


def sent(split: Split, names: Collection[str], count: int) -> Iterator[Piece]:
    """The rows of the named histories, by name. Raises: HistoryError if a column is not what it has to be."""
    for table in tables(split, SCHEMA.names, sorted(names), coded=False):
        if len(table):
            columns = {field.name: _cast(table, field, split.path) for field in SCHEMA}
            history = texts(table.column(COLUMN))
            yield from pieces({**columns, COLUMN: history}, places(hashed(history), count))


def _verdict(history: History, properties: Sequence[str]) -> Verdict:
    """The verdict: for all that there is something about if no property is named; those of one protocol are unknown."""
    known = [name for name in properties if name in PROPERTIES]
    verdict = check(history, known if properties else None)
    foreign = [name for name in properties if name not in PROPERTIES]
    if not foreign:
        return verdict
    reasons = (*verdict.reasons, f"{', '.join(foreign)}: not judged on Spark")
    return replace(verdict, reasons=reasons, results={**verdict.results, **dict.fromkeys(foreign, UNKNOWN)})


def _cast(table: pa.Table, field: pa.Field, path: str) -> pa.Array:
    column = table.column(field.name).combine_chunks()
    try:
        return column if column.type == field.type else column.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise HistoryError(f"{path}: column {field.name}", str(field.type), str(column.type)) from None


def received(_: int, messages: list[bytes], properties: Sequence[str]) -> Mapping[str, Verdict | Wrong]:
    """The verdict on each history that is in one partition, or why it is none."""
    table = joined(messages)
    encoded = texts(table.column(COLUMN))
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    order = np.lexsort((numbers(table, "index"), codes))
    cuts = np.searchsorted(codes[order], np.arange(len(encoded.dictionary) + 1))
    found: dict[str, Verdict | Wrong] = {}
    for code, name in enumerate(encoded.dictionary.to_pylist()):
        rows = table.take(pa.array(order[cuts[code] : cuts[code + 1]])).select(SCHEMA.names)
        try:
            found[name] = _verdict(from_table(rows.cast(SCHEMA)), properties)
        except HistoryError as error:
            found[name] = error.where, error.expected, error.got
    return found
