"""What a metastore says in its own words and classes is one of the model's errors."""

import pytest
from hive_metastore import ttypes as wire

from model.hive.errors import NoSuchTable, TableExists
from real_backend.hive.exceptions import translated


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (wire.InvalidObjectException("Unable to add partitions because hive.run1.e does not exist"), NoSuchTable),
        (wire.InvalidOperationException("hive.run1.e table not found"), NoSuchTable),
        (wire.InvalidOperationException("table hive.run1.e doesn't exist"), NoSuchTable),
        (wire.InvalidOperationException("new table run1.f already exists"), TableExists),
    ],
)
def test_a_table_that_is_missing_or_in_the_way(error, ours):
    """Whoever changes it is told so."""
    assert type(translated(error)) is ours


def test_what_is_no_answer_of_a_metastore_is_a_fault_of_ours():
    """It is left as it is."""
    error = KeyError("x")
    assert translated(error) is error
