"""Repairs of PyIceberg 0.12.0: what shipped code would have to do, put into it, for the page of known defects.

Each is a patch like a mutant's; the defect that it is of must be there without it, and not with it.

Source: what other clients do. Java looks at a branch anew in each attempt (`SnapshotProducer.apply`), and moves no tag
as a branch (`TableMetadata.Builder.setBranchSnapshotInternal`). Go asserts every ref that an expiry or a transaction
may change (iceberg-go#672, iceberg-go#1786), Java validates from the snapshot that was read (`validateFromSnapshot`),
and looks for its own snapshot before it deletes what it has written (`SnapshotProducer.cleanUncommitted`), and groups
the files that it adds by their specs (`MergingSnapshotProducer.newDataFilesAsManifests`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyiceberg.catalog import MetastoreCatalog
from pyiceberg.exceptions import CommitFailedException, ValidationException
from pyiceberg.table import Table, Transaction
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.update import RemoveSnapshotsUpdate, SetSnapshotRefUpdate
from pyiceberg.table.update.snapshot import CommitWindow, _FastAppendFiles, _SnapshotProducer

from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

_stage_and_update = MetastoreCatalog._update_and_stage_table
_scan = Table.scan
_commit = Transaction.commit_transaction
_append_data_file = _SnapshotProducer.append_data_file
_clean = _SnapshotProducer._clean_all_uncommitted
_resolve = CommitWindow.resolve
_add_files = Transaction.add_files


def _refs_are_kept(self: Any, current: Any, name: Any, requirements: Any, updates: Any) -> Any:
    """A commit that removes a snapshot which a ref is at by now is refused."""
    held = {ref.snapshot_id for ref in current.metadata.refs.values()} if current else set()
    for one in updates:
        if isinstance(one, RemoveSnapshotsUpdate) and held & set(one.snapshot_ids):
            raise CommitFailedException("Requirement failed: a ref is at a snapshot that is removed")
    return _stage_and_update(self, current, name, requirements, updates)


def _tags_stay_tags(self: Any, current: Any, name: Any, requirements: Any, updates: Any) -> Any:
    """A commit that makes a branch of a tag is refused."""
    refs = current.metadata.refs if current else {}
    tags = [name for name, ref in refs.items() if ref.snapshot_ref_type == SnapshotRefType.TAG]
    for one in updates:
        if isinstance(one, SetSnapshotRefUpdate) and one.ref_name in tags and one.type == SnapshotRefType.BRANCH:
            raise CommitFailedException(f"Requirement failed: {one.ref_name} is a tag")
    return _stage_and_update(self, current, name, requirements, updates)


def _of_a_branch_that_is_there(metadata: Any, begin: int | None, branch: str | None) -> CommitWindow:
    """Whoever began with a branch that is gone is refused."""
    window = _resolve(metadata, begin, branch)
    if window.base is not None and window.head is None:
        raise ValidationException(f"Cannot find branch {branch}")
    return window


def _looked_for_in_its_branch(self: Any, file_paths: Any, *, branch: str, **further: Any) -> None:
    """Files that the branch has by now are not added to it."""
    there = self._scan().use_ref(branch).plan_files() if branch in self.table_metadata.refs else []
    if {task.file.file_path for task in there} & set(file_paths):
        raise ValueError("Cannot add files that are already referenced by the branch")
    _add_files(self, file_paths, branch=branch, **{**further, "check_duplicate_files": False})


def _files_are_looked_for_again(self: Any) -> None:
    """Files that others have added by now are not added."""
    added = {file.file_path for file in self._added_data_files}
    head = self._transaction._table.metadata.snapshot_by_name(self._target_branch)
    for manifest in head.manifests(self._io) if head else ():
        for entry in manifest.fetch_manifest_entry(self._io):
            if entry.data_file.file_path in added:
                raise ValidationException(f"Data file was added concurrently: {entry.data_file.file_path}")


def _remembers(self: Any, *arguments: Any, **options: Any) -> Any:
    """The snapshot that a table was first read at."""
    if not hasattr(self, "_read_at"):
        self._read_at = self.metadata.current_snapshot_id
    return _scan(self, *arguments, **options)


def _from_what_was_read(self: Any) -> Any:
    """Whatever was committed since the table was read is validated, in the first attempt, too."""
    begin = getattr(self._table, "_read_at", None)
    for producer in self._snapshot_producers if begin is not None else ():
        producer._starting_snapshot_id = begin
        producer._commit_window = CommitWindow.resolve(self._table.metadata, begin, producer._target_branch)
        producer._validate_concurrency()
    return _commit(self)


def _remembers_the_spec(self: Any, data_file: Any) -> Any:
    """The spec that a file was written by."""
    self._written_by = self._transaction.table_metadata.default_spec_id
    return _append_data_file(self, data_file)


def _unless_it_is_there(self: Any) -> None:
    """What the table has is not deleted; nor is anything if nobody knows."""
    self._transaction._table.refresh()
    if self._transaction._table.metadata.snapshot_by_id(self._snapshot_id) is None:
        _clean(self)


EACH_REF = edited(
    "each-ref-is-asserted", "a requirement of one ref does not stand for those of others",
    (Transaction, "_stage", (
        """\
    existing_requirements = {type(requirement) for requirement in self._requirements}
    for new_requirement in requirements:
        if type(new_requirement) not in existing_requirements:
""", """\
    existing_requirements = {(type(each), getattr(each, "ref", "")) for each in self._requirements}
    for new_requirement in requirements:
        if (type(new_requirement), getattr(new_requirement, "ref", "")) not in existing_requirements:
""",
    )),
)  # fmt: skip
REFS_KEPT = Mutant(
    "expiry-leaves-refs",
    "an expiry takes no ref away",
    ((MetastoreCatalog, "_update_and_stage_table", _refs_are_kept),),
)
LOOKED_FOR = Mutant(
    "files-looked-for-again", "an append that is retried looks for its files",
    ((_FastAppendFiles, "_validate_concurrency", _files_are_looked_for_again),),
)  # fmt: skip
FROM_THE_READ = Mutant(
    "validated-from-the-read", "a commit is validated from the snapshot that was read",
    ((Table, "scan", _remembers), (Transaction, "commit_transaction", _from_what_was_read)),
)  # fmt: skip
OWN_KEPT = Mutant(
    "committed-files-kept", "a clean-up looks at the table first",
    ((_SnapshotProducer, "_clean_all_uncommitted", _unless_it_is_there),),
)  # fmt: skip
_BY_THAT_SPEC = edited(
    "", "",
    (_SnapshotProducer, "_manifests", (
        "spec=self._transaction.table_metadata.spec(),", "spec=self.spec(self._written_by),",
    )),
)  # fmt: skip
OF_ITS_SPEC = Mutant(
    "manifests-of-the-files-spec",
    "files are listed in a manifest of the spec that they were written by",
    (*_BY_THAT_SPEC.patches, (_SnapshotProducer, "append_data_file", _remembers_the_spec)),
)
BRANCH_THERE = Mutant(
    "gone-branch-refuses", "who began with a branch that is gone by now is refused",
    ((CommitWindow, "resolve", staticmethod(_of_a_branch_that_is_there)),),
)  # fmt: skip
EACH_WINDOW = edited(
    "each-branch-has-its-window", "each part of a transaction is validated by what came to its own branch",
    (Transaction, "_rebuild_snapshot_updates", (
        "    producer._commit_window = commit_window\n", """\
    own = [one for one in self._snapshot_producers if one._target_branch == producer._target_branch]
        producer._commit_window = CommitWindow.resolve(
            self._table.metadata, own[0]._starting_snapshot_id, producer._target_branch
        )
""",
    )),
)  # fmt: skip
UPSERT_THERE = edited(
    "upsert-needs-its-branch", "an upsert to a branch that is not there is refused",
    (Transaction, "upsert", ("if branch in self.table_metadata.refs:", "if branch:")),
)  # fmt: skip
FILES_OF_BRANCH = Mutant(
    "files-looked-for-in-the-branch", "files are looked for in the branch that they are added to",
    ((Transaction, "add_files", _looked_for_in_its_branch),),
)  # fmt: skip
TAGS_STAY = Mutant(
    "tags-stay-tags", "no commit makes a branch of a tag",
    ((MetastoreCatalog, "_update_and_stage_table", _tags_stay_tags),),
)  # fmt: skip
REPAIRS: Mapping[str, Mutant] = {
    "pyiceberg/append-resent": OWN_KEPT,
    "pyiceberg/delete-resent": OWN_KEPT,
    "pyiceberg/roll-back-expire": REFS_KEPT,
    "pyiceberg/tag-expire": REFS_KEPT,
    "pyiceberg/tag-roll-back-append": EACH_REF,
    "pyiceberg/add-file-add-file": LOOKED_FOR,
    "pyiceberg/change-refreshed": FROM_THE_READ,
    "pyiceberg/append-evolve": OF_ITS_SPEC,
    "pyiceberg/branch-append-tag": TAGS_STAY,
    "pyiceberg/branch-upsert-absent": UPSERT_THERE,
    "pyiceberg/branch-add-file-again": FILES_OF_BRANCH,
}
"""By the known finding that each is of."""
IN_BRANCHES: Mapping[str, Mutant] = {
    "pyiceberg/branch-change-remove": BRANCH_THERE,
    "pyiceberg/branches-at-once-remove": EACH_REF,
    "pyiceberg/branches-at-once-change": EACH_WINDOW,
    "pyiceberg/branch-upsert-absent": UPSERT_THERE,
    "pyiceberg/branch-add-file-again": FILES_OF_BRANCH,
    "pyiceberg/branch-append-tag": TAGS_STAY,
}
"""Those of findings in branches. The page of known defects has what was looked for without their scenarios."""
