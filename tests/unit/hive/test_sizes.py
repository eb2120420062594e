"""A cache of limited memory: upstream's test as data, on a metastore of the model in its default mode."""

import json
from pathlib import Path

import pytest

from model.hive import Request
from model.hive.rules import SHIPPED_REFRESH
from model.hive.sizes import Sizes
from tests.unit.hive.lab import Lab

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_sizes.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]


class Limited:
    """A metastore whose cache has so much memory. What others than these tables take is not counted."""

    def __init__(self, limit: int) -> None:
        self.h1 = Lab(SHIPPED_REFRESH).replica("h1")
        self.sizes = Sizes(limit)
        self.of: dict[str, int] = {}

    def do_make(self, name, size):
        self.of[name] = int(size)
        self.h1.create_table(f"default.{name}", (("v", "v0"),), managed=False)
        self._put(name)

    def do_read(self, name):
        source = self.h1.get_table(Request(f"default.{name}")).source
        if not self.sizes.use(name):
            self._put(name)
        return source

    def do_kept(self):
        kept = [name for name in self.sizes.kept if f"default.{name}" in self.h1.cache.entries]
        assert kept == list(self.sizes.kept)
        return ",".join(kept)

    def _put(self, name):
        for gone in self.sizes.put(name, self.of[name]):
            self.h1.evict(f"default.{gone}")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step answers what the row says."""
    limited = Limited(scenario["limit"])
    for step in scenario["steps"]:
        command, _, expected = step.partition(" -> ")
        name, *words = command.split()
        assert (step, getattr(limited, f"do_{name}")(*words) or "") == (step, expected)
