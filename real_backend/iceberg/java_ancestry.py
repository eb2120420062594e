"""A validator of a commit's ancestry that Java asks: whether no snapshot has been made for a job."""

from typing import Any

from model.iceberg.append_once import JOB
from real_backend.iceberg.java_files import iterate


class Unless:
    """A `SnapshotAncestryValidator` that refuses a branch on which a job has committed."""

    class Java:
        """Read by py4j."""

        implements = ("org.apache.iceberg.SnapshotAncestryValidator",)

    def __init__(self, job: int) -> None:
        self._job = job

    def validate(self, ancestry: Any) -> bool:
        """Whether none of the snapshots has been made for it."""
        return all(each.summary().get(JOB) != str(self._job) for each in iterate(ancestry))

    def errorMessage(self) -> str:  # Java's
        """What is told."""
        return f"job {self._job} has committed"


def append_once(maker: Any, job: int) -> Any:
    """A `newFastAppend` for a job that commits once. Args: `maker`: the Java table or transaction."""
    return maker.newFastAppend().set(JOB, str(job)).validateWith(Unless(job))
