"""A benchmark's ordinary run passes on a machine whose clock goes by steps longer than the round."""

import time
from typing import Any

import pytest

from tests.benchmarks.conftest import LEAST_S, Bench


def test_a_round_that_the_clock_does_not_see_has_a_rate(
    bench: Bench, benchmark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 1.25)
    bench("rounds under a clock that stands", "/CPU-s", lambda: 1.0)
    assert list(benchmark.extra_info.values()) == [round(1 / LEAST_S)]
