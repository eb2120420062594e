"""A column of a data frame whose values are not known before a file is there: a writer that is slow, without a gate."""

from pyspark.sql import functions
from pyspark.sql.types import StringType

ASKED = "-asked"
"""What the name of a file ends with that is there once a writer waits for the file before which it stands."""


def held_until(path):
    """A function of a column of texts, whose value it gives back once the file `path` is there.

    Spark's workers have no path to this package: what they run is pickled with it, and names nothing that is outside.
    """
    asked = f"{path}{ASKED}"

    def wait(value):
        import os
        import time

        with open(asked, "w"):
            pass
        for _ in range(1_200):
            if os.path.exists(path):
                return value
            time.sleep(0.1)
        raise RuntimeError(f"{path} never came")

    return functions.udf(wait, StringType()).asNondeterministic()
