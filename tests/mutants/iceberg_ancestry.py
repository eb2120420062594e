"""Mutants of what a commit is asked to validate by who makes it: its ancestry, and what it adds."""

from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.producer import SnapshotProducer
from tests.mutants.damage import left_out
from tests.mutants.mutant import Mutant

ANCESTRY: tuple[Mutant, ...] = (
    left_out("ancestry-not-asked", SnapshotProducer, "_refuse_ancestry", "a job commits twice"),
    left_out("added-beside-the-filter", OverwriteFiles, "_refuse_added_beside_filter", "rows that the filter left"),
)
