"""Mutants of what PyIceberg 0.12.0 does in branches: one rule at a time asked of main, or not at all.

Source: `pyiceberg/table/update/snapshot.py`, `pyiceberg/table/__init__.py`. Go's client had some of them
(iceberg-go#1636, iceberg-go#1637, iceberg-go#1638).
"""

from __future__ import annotations

from pyiceberg.table import Transaction
from pyiceberg.table.update.snapshot import CommitWindow, _OverwriteFiles, _SnapshotProducer

from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

ASSERTED = """\
refs[self._target_branch].snapshot_id
                    if self._target_branch in self._transaction.table_metadata.refs
                    else None,
                    ref=self._target_branch,"""
OF_PYTHON_BRANCHES: tuple[Mutant, ...] = (
    edited(
        "pyiceberg-branch-on-main", "what is written to a branch stands on main's head (iceberg-go#1636)",
        (_SnapshotProducer, "_current_branch_head_id", ("snapshot_by_name(self._target_branch)",
                                                        'snapshot_by_name("main")')),
    ),
    edited(
        "pyiceberg-branch-asserts-main", "a commit to a branch asserts where main is",
        (_SnapshotProducer, "_commit", (ASSERTED, 'current_snapshot_id, ref="main",')),
    ),
    edited(
        "pyiceberg-branch-manifests-of-main", "an overwrite in a branch keeps main's manifests (iceberg-go#1638)",
        (_OverwriteFiles, "_existing_manifests", ("snapshot_by_name(name=self._target_branch)",
                                                  'snapshot_by_name(name="main")')),
    ),
    edited(
        "pyiceberg-branch-rewrites-of-main", "a delete in a branch writes main's files anew (iceberg-go#1638)",
        (Transaction, "delete", ("file_scan = file_scan.use_ref(branch)", "pass")),
    ),
    edited(
        "pyiceberg-branch-window-of-main", "a commit to a branch is validated by what came to main",
        (CommitWindow, "resolve", ("metadata.snapshot_by_name(branch)", 'metadata.snapshot_by_name("main")')),
    ),
    edited(
        "pyiceberg-branch-upsert-of-main", "an upsert to a branch looks for its row in main",
        (Transaction, "upsert", ("if branch in self.table_metadata.refs:", "if False:")),
    ),
    edited(
        "pyiceberg-branch-is-a-tag", "a tag is written to, and is a branch then (iceberg-go#1637)",
        (_SnapshotProducer, "_validate_target_branch", ("if branch is not None:", "if False:")),
    ),
)  # fmt: skip
