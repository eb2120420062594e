"""What `make test` leaves to `make thorough`: no name is stale."""

import pytest

from tests.conftest import THOROUGH, refuse_unknown

HERE = ["tests/a.py::test_b[1]", "tests/a.py::test_b[2]"]


def test_a_name_that_no_test_has_is_refused():
    """A case that was renamed would come back into `make test`, and its name stay."""
    with pytest.raises(pytest.UsageError, match=r"expected names of tests, got tests/a\.py::test_b\[3\]"):
        refuse_unknown(["tests/a.py::test_b[3]"], HERE)


def test_names_of_tests_and_of_files_that_are_not_collected_pass():
    """Somebody who runs one folder is not told of others."""
    refuse_unknown(["tests/a.py::test_b[2]", "tests/c.py::test_d"], HERE)


def test_no_name_is_there_twice():
    """Nor out of order, so that two who add names see it."""
    assert sorted(set(THOROUGH)) == THOROUGH
