"""A table of shipped PyIceberg with three appends, fresh for each test."""

import warnings

import pytest

from tests.unit.iceberg.autopsy.tables import Made


@pytest.fixture
def made(tmp_path):
    """Three snapshots, of two rows each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = Made(tmp_path)
        for number in range(3):
            table.append(number, number + 10)
        yield table
