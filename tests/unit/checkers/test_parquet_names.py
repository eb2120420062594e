"""Parquet files of a thousand rows or more whose entries of lists have other names, or are no lists."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checkers.errors import HistoryError
from checkers.histories import storage
from checkers.histories.notation import history
from checkers.histories.storage import StoredHistory, read_parquet, to_table


@pytest.fixture(autouse=True)
def _every_file_is_large(monkeypatch):
    monkeypatch.setattr(storage, "LARGE_ROWS", 1)


def test_older_names_of_list_entries_are_read_with_codes_too(tmp_path):
    """As older writers have it: reads.list.item.key."""
    events = history("w1:upd(x=1,y=1)@0->1 ; w2:read(x=1,y=1)@1")
    pq.write_table(to_table(events), tmp_path / "h.parquet", use_compliant_nested_type=False)
    found = read_parquet(tmp_path / "h.parquet")
    assert isinstance(found, StoredHistory)
    assert found.events == events.events
    assert pa.types.is_dictionary(found.table.column("reads").type.value_type.field("key").type)


def test_reads_that_are_no_lists_are_refused(tmp_path):
    """In one line, as in a small file."""
    table = to_table(history("w1:upd(x=1)@0->1"))
    wrong = table.set_column(table.column_names.index("reads"), "reads", pa.array([1] * len(table)))
    pq.write_table(wrong, tmp_path / "h.parquet")
    with pytest.raises(HistoryError, match="reads"):
        read_parquet(tmp_path / "h.parquet")
