"""A benchmark's ordinary run passes on a machine whose clock goes by steps longer than the round."""

import time

import pytest

from tests.benchmarks.conftest import Bench


def test_a_round_that_the_clock_does_not_see_has_a_rate(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 1.25)
    bench("rounds under a clock that stands", "/CPU-s", lambda: 1.0)
