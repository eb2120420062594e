"""Defects that break what nobody promises: the property is asked all the same, of what is recorded for it.

Here are the mutants of history; `tests.search.hudi.known_defects` has others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sim.generation.draws import replayed
from sim.hudi.bounds import name_of
from sim.hudi.generate import GENERATOR
from sim.hudi.race import HudiRace, hudi_race
from sim.world.scenario import Scenario
from tests.mutants.hudi_history import HISTORY
from tests.search.planted import Planted

LOST_UPDATE, TIDY = "no-lost-update", "clean-at-quiescence"
HOLDER, ALL_COMMIT = "one-lock-holder", "all-writes-commit"
FILE_LOCK, SHORT_LOCK = ("file-lock",), ("metastore-lock-short",)
SEVERAL = ("default", "zookeeper", "prefer-writer", "version-8", "short-heartbeats")
EARLY = ("early", "early-prefer-writer", "early-check-commit")
SERVERS = ("server-markers", "early-async", "early-async-often")
ASYNC = SERVERS[1:]
ARCHIVING = ("archiving", "archiving-short-heartbeats")
BLOOM, BLOOM_ASYNC = ("early-bloom",), ("early-bloom-async",)
METADATA_ARCHIVING, METADATA_COMPACTED = ("metadata-archiving",), ("metadata-compacted", "metadata-compacted-each")
NEWS, OLD_NEWS = ("incremental",), ("incremental-version-6", "incremental-blocked")
MERGED, LOGS = ("merge-on-read",), ("log-compaction",)
ASKED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "unlocks-what-it-did-not-get": (HOLDER, FILE_LOCK),
    "holder-deletes-lock-twice": (HOLDER, FILE_LOCK),
    "failed-client-deletes-lock": (HOLDER, FILE_LOCK),
    "5921-buckets-of-any-partition": (ALL_COMMIT, ("bucket",)),
    "9371-older-plan-ignored": (LOST_UPDATE, ("default",)),
    "2573-locks-twice": (TIDY, SEVERAL),
    "6186-lock-removed": (HOLDER, ("default", "prefer-writer")),
    "17870-holder-not-told": (LOST_UPDATE, ("storage-lock",)),
    "18904-beats-end": (ALL_COMMIT, ("default", "short-heartbeats")),
    "7165-failed-writer-beats-on": ("sound-early-aborts", EARLY),
    "9009-folder-gone": (ALL_COMMIT, EARLY),
}
"""What each is asked, and where."""


class Asked(Planted):
    """A defect that breaks what nobody promises there: the property is asked all the same."""

    def scenario(self, seed: int) -> Scenario:
        """The scenario of a seed; it is asked for nothing else."""
        name = self.configurations[seed % len(self.configurations)]
        settings = self.generator.configurations[name]
        return self._asking(self.generator.make(self.generator.source(seed, settings), settings, self.rules))

    def under(self, scenario: Scenario, rules: str) -> Scenario:
        """The same scenario under other rules, asked for the same."""
        return self._asking(self.generator.make(replayed(scenario.name.rpartition("/")[2]), rules=rules))

    def _asking(self, scenario: Scenario) -> Scenario:
        """A scenario that records what the property needs."""
        race, asked = scenario.program, (self.broken,)
        assert isinstance(race, HudiRace)
        program = hudi_race(race.workload, race.rules, asked, clocks_jump=race.clocks_jump)
        return replace(scenario, program=program, properties=asked)


def history() -> Iterator[Asked]:
    """The mutants of history."""
    for mutant in HISTORY:
        broken, where = ASKED[mutant.name]
        yield Asked(mutant.name, GENERATOR, where, name_of(mutant.base), mutant, broken)
