"""What is not told twice when a JVM ends."""

import logging

import py4j.java_gateway
import pytest

from real_backend.jvm.jvm import is_no_echo


@pytest.mark.parametrize(("path", "kept"), [(py4j.java_gateway.__file__, False), (__file__, True)])
def test_what_py4j_logs_of_a_connection_that_breaks_is_left_out(path, kept):
    """It raises it as well; others' errors are logged."""
    record = logging.LogRecord("root", logging.ERROR, path, 1, "Exception while sending command.", None, None)
    assert is_no_echo(record) == kept
