"""A stand-in for a Spark context: does in this process what Spark does in several, so that no JVM is needed."""

import pickle
from collections import defaultdict


class Context:
    """What the jobs use of a context."""

    defaultParallelism = 3  # Spark's name

    def __init__(self) -> None:
        self.environment: dict[str, str] = {}
        self.pythonExec = ""

    def parallelize(self, work, _):
        return Rows(list(work))

    def broadcast(self, value):
        return Shared(pickle.loads(pickle.dumps(value)))


class Shared:
    """A broadcast value."""

    def __init__(self, value) -> None:
        self.value = value

    def destroy(self):
        self.value = None


class Rows:
    """A distributed collection; `parts` if it was partitioned."""

    def __init__(self, rows, parts=None) -> None:
        self.rows, self.parts = rows, parts

    def flatMap(self, function):
        return Rows([out for row in self.rows for out in function(row)])

    def partitionBy(self, count, place):
        parts = defaultdict(list)
        for key, value in self.rows:
            assert 0 <= place(key) < count
            parts[place(key)].append((key, value))
        return Rows([], parts)

    def mapPartitionsWithIndex(self, function):
        return Rows([out for number in sorted(self.parts) for out in function(number, iter(self.parts[number]))])

    def collect(self):
        return pickle.loads(pickle.dumps(self.rows))
