"""What live runs start, they end: no process, no folder, no thread is left; what cannot start says so in one line."""

import os
import threading

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions import captured
from pyspark.sql import SparkSession

from real_backend.errors import BackendTimeout, BackendUnavailable
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_api import java_iceberg
from real_backend.jvm import jvm as jvm_module
from real_backend.jvm.jvm import Jvm

pytestmark = pytest.mark.live


def test_jvm_is_gone_with_everything_it_wrote():
    """Also when the code that used it raises."""
    used = []

    def use(jvm):
        used.append(jvm)
        assert jvm.iceberg.IcebergBuild.version() == "1.11.0"
        assert jvm.folder.exists()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), bare_jvm() as jvm:
        use(jvm)
    assert used[0].process.poll() is not None
    assert not used[0].folder.exists()


def test_live_java_api_leaves_no_thread_of_ours():
    """Writers' threads end with the backend."""
    before = threading.enumerate()
    with java_iceberg():
        pass
    new = [thread.name for thread in threading.enumerate() if thread not in before]
    assert [name for name in new if name.startswith("lakeproof-w")] == []


def test_users_spark_settings_do_not_leak_in_and_the_environment_is_put_back(monkeypatch, tmp_path):
    """A SPARK_HOME of the user's, and options that would break the start, change nothing."""
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--no-such-option pyspark-shell")
    before = dict(os.environ)
    with bare_jvm() as jvm:
        assert jvm.java.java.lang.System.getenv("SPARK_HOME") != str(tmp_path)
    assert dict(os.environ) == before


def test_jvm_that_dies_at_once_is_one_line():
    """The last line of its log is in the message, and nothing is left."""
    with pytest.raises(BackendUnavailable, match="expected it to start, it ended with code") as raised:
        Jvm({"spark.driver.memory": "none"}).stop()
    assert "\n" not in str(raised.value)


def test_jvm_that_does_not_come_up_in_time_is_ended(monkeypatch):
    """The wait has an end."""
    monkeypatch.setattr(jvm_module, "START_S", 0.0)
    with pytest.raises(BackendTimeout, match="expected it to start within 0 s"):
        Jvm({}).stop()


def test_exceptions_of_a_second_jvm_are_not_asked_of_sparks(spark, monkeypatch):
    """There they are unknown, or somebody else's: their names would be lost."""

    def convert(error):
        raise AssertionError(f"Spark was asked about {error}")

    SparkSession(spark[0].context)  # a further one, as pyspark makes by itself
    with bare_jvm() as jvm:
        monkeypatch.setattr(captured, "convert_exception", convert)
        with pytest.raises(Py4JJavaError, match="NumberFormatException"):
            jvm.gateway.jvm.java.lang.Integer.parseInt("x")
