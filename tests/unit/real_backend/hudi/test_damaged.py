"""A hand that damages markers of a live table: what it strikes, and what it is told, where its call is lost."""

from typing import Any, cast

import pytest

from real_backend.gating.gate import Gate
from real_backend.hudi.damaged import strike


class _Released:
    """Lets the hand go on, into a fault if there is one."""

    def __init__(self, fault: str | None) -> None:
        self.fault = fault

    def hold(self, *_: Any) -> str | None:
        """At once."""
        return self.fault


@pytest.mark.parametrize(("fault", "told", "is_there"), [
    (None, "ok", False), ("drop-before", "ConnectionLost", True), ("drop-after", "ConnectionLost", False),
])  # fmt: skip
def test_a_lost_call_is_told_as_lost_and_strikes_if_it_was_made(tmp_path, fault, told, is_there):
    """As in the simulation."""
    marker = tmp_path / ".hoodie/.temp/000100/p1/fg1.parquet.marker.CREATE"
    marker.parent.mkdir(parents=True)
    marker.write_text("")
    assert strike(cast("Gate", _Released(fault)), "w1", tmp_path, "vanished").partition(":")[0] == told
    assert marker.exists() == is_there
