"""Manifests are merged where it is asked for: from few on, into large ones and small ones, or not at all."""

from collections import Counter

from model.iceberg.manifest_bins import ManifestMerging
from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace


def test_manifests_are_merged_where_it_is_asked_for():
    """In most races: who makes tables says nothing of it."""
    found = Counter[tuple[str, str]]()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, manifests merged"])
        assert isinstance(scenario.program, IcebergRace)
        merging = scenario.program.workload.properties.merging
        if merging != ManifestMerging():
            found.update((name, str(value)) for name, value in zip(merging._fields, merging, strict=True))
    assert found["enabled", "True"] > 30
    assert found["enabled", "False"] > 3
    assert all(len({value for of, value in found if of == name}) > 1 for name in ManifestMerging._fields)
