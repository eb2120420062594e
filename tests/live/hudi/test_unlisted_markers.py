"""A rollback that cannot list direct markers, on the real Hudi 1.2.0: it says that it is done, and deletes nothing.

`MarkerBasedRollbackUtils.getAllMarkerPaths` takes any `IOException` for a sign that markers are a timeline server's.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.live.hudi.test_marker_names import LATER, SERVICES, Table

pytestmark = pytest.mark.live


class FailsOnce:
    """`lakeproof.StorageGate$Listener`: the first list of a write's marker folder fails."""

    def __init__(self, instant: str) -> None:
        self.failed: list[str] = []
        self._folder = f"/.temp/{instant}"

    def before(self, actor: str, helper: bool, operation: str, path: str) -> str | None:
        if self.failed or self._folder not in path:
            return None
        self.failed.append(path)
        return "before"

    def after(self, actor: str, helper: bool, operation: str, path: str, outcome: str) -> None:
        """Nothing is to be noted."""

    class Java:
        implements = ("lakeproof.StorageGate$Listener",)


@pytest.mark.parametrize(("fails", "value"), [(True, "dead"), (False, "a")])
def test_what_was_rolled_back_is_read_once_archived(spark, tmp_path, fails, value):
    """One writer, the default clean-up, a client that died: the next one rolls it back, and is told nothing."""
    gate = spark[0].jvm.java.lakeproof.StorageGate
    made: Any = Table(spark, tmp_path / "t", SERVICES)
    made.write("1", "p", "a", 0)
    made.write("1", "p", "dead", 1, dies=True)
    (left,) = (Path(made.table.path) / ".hoodie" / ".temp").iterdir()
    listener = FailsOnce(left.name)
    if fails:
        gate.install(str(made.table.path), "list", listener)
    try:
        made.write("2", "q", "b", 2)
    finally:
        gate.uninstall()
    assert len(listener.failed) == fails
    for number in range(3, 3 + LATER):
        made.write("2", "q", f"b{number}", number)
    assert made.table.rows() == ((("1", value), ("2", f"b{LATER + 2}")), None)
